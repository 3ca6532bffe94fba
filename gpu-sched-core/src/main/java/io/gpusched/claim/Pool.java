package io.gpusched.claim;

import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A pool as one node sees it.
 *
 * @param driver its driver
 * @param name its name
 * @param state whether devices may be taken from it
 * @param slices slices of devices that the node reaches, in the order in which they are searched
 * @param elsewhere slices of devices that it does not reach; what they have given out counts
 * @param counters what devices share, by set and counter
 */
record Pool(
        String driver,
        String name,
        State state,
        List<ResourceSlice> slices,
        List<ResourceSlice> elsewhere,
        Map<String, Map<String, DeviceAmount>> counters) {
    enum State {
        USABLE,
        /** Some of its slices are missing: it is being updated. */
        INCOMPLETE,
        /** It contradicts itself. */
        INVALID
    }

    private record Key(String driver, String name) {
        static Key of(ResourceSlice slice) {
            return new Key(slice.driver(), slice.pool());
        }
    }

    /** What pools are made of: every slice of the cluster, and what is switched on. */
    record Source(List<ResourceSlice> slices, Set<ClaimFeature> features) {
        /** Returns the pools that a node reaches, in the order in which they are searched. */
        List<Pool> reachedFrom(Node node) {
            Map<Key, List<ResourceSlice>> reached =
                    new TreeMap<>(Comparator.comparing(Key::driver).thenComparing(Key::name));
            for (ResourceSlice slice : slices) {
                // most slices are of other nodes, and not read any further
                if (reaches(slice, node) && isReadable(slice)) {
                    addNewest(reached.computeIfAbsent(Key.of(slice), key -> new ArrayList<>()), slice);
                }
            }
            List<Pool> pools = new ArrayList<>();
            reached.forEach((key, found) -> pool(key, found).ifPresent(pools::add));
            pools.sort(Comparator.comparing(Pool::hasBindingConditions));
            return pools;
        }

        private boolean isReadable(ResourceSlice slice) {
            boolean partitions = features.contains(ClaimFeature.PARTITIONABLE_DEVICES);
            boolean needsPartitions = slice.scope() instanceof NodeScope.PerDevice
                    || !slice.counterSets().isEmpty();
            return (partitions || !needsPartitions) && hasKnownGroups(slice);
        }

        private boolean hasKnownGroups(ResourceSlice slice) {
            return features.contains(ClaimFeature.COMPATIBILITY_GROUPS)
                    || slice.devices().stream()
                            .allMatch(device -> device.groups().isEmpty());
        }

        private static boolean reaches(ResourceSlice slice, Node node) {
            return slice.scope() instanceof NodeScope.PerDevice
                    ? slice.devices().stream().anyMatch(device -> Pool.reaches(device, node))
                    : slice.scope().reaches(node);
        }

        private static void addNewest(List<ResourceSlice> found, ResourceSlice slice) {
            if (!found.isEmpty() && slice.generation() < found.get(0).generation()) {
                return;
            }
            if (!found.isEmpty() && slice.generation() > found.get(0).generation()) {
                found.clear();
            }
            found.add(slice);
        }

        private Optional<Pool> pool(Key key, List<ResourceSlice> found) {
            long count = found.get(0).poolSliceCount();
            long generation = found.get(0).generation();
            if (found.size() == count) {
                return Optional.of(build(key, found, List.of()));
            }
            List<ResourceSlice> all = new ArrayList<>();
            for (ResourceSlice slice : slices) {
                if (Key.of(slice).equals(key)) {
                    if (slice.generation() > generation) {
                        return Optional.empty();
                    }
                    if (slice.generation() == generation && hasKnownGroups(slice)) {
                        all.add(slice);
                    }
                }
            }
            return Optional.of(
                    all.size() == count
                            ? build(key, found, all)
                            : new Pool(key.driver(), key.name(), State.INCOMPLETE, List.of(), List.of(), Map.of()));
        }

        private Pool build(Key key, List<ResourceSlice> found, List<ResourceSlice> all) {
            boolean partitions = features.contains(ClaimFeature.PARTITIONABLE_DEVICES);
            List<ResourceSlice> here = new ArrayList<>(found);
            here.sort(Comparator.comparing(ResourceSlice::name));
            List<ResourceSlice> others = new ArrayList<>(all);
            Set<String> names = new HashSet<>();
            found.forEach(slice -> names.add(slice.name()));
            others.removeIf(slice -> names.contains(slice.name()));
            Map<String, Map<String, DeviceAmount>> counters = new HashMap<>();
            boolean valid = true;
            if (partitions) {
                boolean unique = addCounters(here, counters);
                valid = addCounters(others, counters) && unique;
                here.removeIf(slice -> !slice.counterSets().isEmpty());
                others.removeIf(slice -> !slice.counterSets().isEmpty());
                valid = valid && knowsCounters(here, counters) && knowsCounters(others, counters);
            }
            valid = valid && hasUniqueNames(here);
            return new Pool(
                    key.driver(),
                    key.name(),
                    valid ? State.USABLE : State.INVALID,
                    here,
                    others,
                    partitions ? counters : Map.of());
        }

        private static boolean addCounters(
                List<ResourceSlice> slices, Map<String, Map<String, DeviceAmount>> counters) {
            boolean unique = true;
            for (ResourceSlice slice : slices) {
                for (ResourceSlice.CounterSet set : slice.counterSets()) {
                    unique &= counters.put(set.name(), set.counters()) == null;
                }
            }
            return unique;
        }

        private static boolean knowsCounters(
                List<ResourceSlice> slices, Map<String, Map<String, DeviceAmount>> counters) {
            return slices.stream()
                    .flatMap(slice -> slice.devices().stream())
                    .flatMap(device -> device.consumes().stream())
                    .allMatch(use -> counters.containsKey(use.counterSet())
                            && counters.get(use.counterSet())
                                    .keySet()
                                    .containsAll(use.counters().keySet()));
        }

        private static boolean hasUniqueNames(List<ResourceSlice> slices) {
            Set<String> names = new HashSet<>();
            return slices.stream()
                    .flatMap(slice -> slice.devices().stream())
                    .allMatch(device -> names.add(device.name()));
        }
    }

    /** Returns whether a device that says so itself can be reached from a node. */
    static boolean reaches(Device device, Node node) {
        return device.scope().isPresent() && device.scope().get().reaches(node);
    }

    private boolean hasBindingConditions() {
        return slices.stream()
                .flatMap(slice -> slice.devices().stream())
                .anyMatch(device -> !device.bindingConditions().isEmpty());
    }

    @Override
    public String toString() {
        return driver + "/" + name;
    }
}
