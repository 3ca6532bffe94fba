package io.gpusched.testkit;

import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Geometries of devices that an administrator has cut, made of those that are cut on demand. */
public final class StaticCuts {
    private StaticCuts() {}

    /** Returns the geometry of devices that have these instances and no others, each as in {@code 3g.20gb@4}. */
    public static PartitionGeometry of(PartitionGeometry onDemand, String... instances) {
        return oneOf(onDemand, Map.of("", List.of(instances)));
    }

    /** Returns the geometry of devices that have one of these layouts, by name, and may change it while nothing is held. */
    public static PartitionGeometry oneOf(PartitionGeometry onDemand, Map<String, List<String>> layouts) {
        List<PartitionProfile> profiles = new ArrayList<>();
        new TreeMap<>(layouts).forEach((mode, instances) -> profiles.addAll(profiles(onDemand, mode, instances)));
        return PartitionGeometry.of(onDemand.name(), onDemand.gridUnits(), onDemand.totals(), profiles)
                .withAlwaysCut(true);
    }

    private static Collection<PartitionProfile> profiles(
            PartitionGeometry onDemand, String mode, List<String> instances) {
        Map<String, TreeSet<Integer>> starts = new TreeMap<>();
        for (String instance : instances) {
            int at = instance.indexOf('@');
            starts.computeIfAbsent(instance.substring(0, at), key -> new TreeSet<>())
                    .add(Integer.parseInt(instance.substring(at + 1)));
        }
        return onDemand.profiles().stream()
                .filter(profile -> starts.containsKey(profile.name()))
                .map(profile -> {
                    List<Integer> at = List.copyOf(starts.get(profile.name()));
                    return profile.withStarts(at).withMax(at.size()).withMode(mode);
                })
                .toList();
    }
}
