package io.gpusched.verify;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Which partitions one device may hold together ({@link PartitionGeometry}). */
final class PartitionLaws {
    private PartitionLaws() {}

    /** The profile of a partition on a device: of this name and mode, with this start. */
    static Optional<PartitionProfile> profile(Gpu gpu, GpuPartition partition) {
        return gpu.partitions().profiles().stream()
                .filter(profile -> profile.name().equals(partition.profile()))
                .filter(profile -> profile.mode().equals(partition.mode()))
                .filter(profile -> profile.starts().contains(partition.start()))
                .findFirst();
    }

    static void check(String subject, Gpu gpu, List<GpuPartition> partitions, List<Violation> broken) {
        List<PartitionProfile> profiles = new ArrayList<>();
        for (GpuPartition partition : partitions) {
            Optional<PartitionProfile> profile = profile(gpu, partition);
            if (profile.isEmpty()) {
                broken.add(Violation.of(Law.PARTITION, subject, "there is no place " + partition));
                return;
            }
            profiles.add(profile.get());
        }
        overlaps(subject, partitions, profiles, broken);
        for (PartitionProfile profile : Set.copyOf(profiles)) {
            long instances = profiles.stream().filter(profile::equals).count();
            if (instances > profile.max()) {
                broken.add(Violation.above(
                        Law.PARTITION, subject, "instances of " + profile.name(), instances, profile.max()));
            }
        }
        totals(subject, gpu.partitions(), profiles, broken);
        long modes = profiles.stream()
                .map(PartitionProfile::mode)
                .filter(mode -> !mode.isEmpty())
                .distinct()
                .count();
        if (modes > 1) {
            broken.add(Violation.above(Law.PARTITION, subject, "modes", modes, 1));
        }
    }

    private static void overlaps(
            String subject, List<GpuPartition> partitions, List<PartitionProfile> profiles, List<Violation> broken) {
        for (int i = 0; i < partitions.size(); i++) {
            for (int j = 0; j < i; j++) {
                int start =
                        Math.max(partitions.get(i).start(), partitions.get(j).start());
                int end = Math.min(
                        partitions.get(i).start() + profiles.get(i).size(),
                        partitions.get(j).start() + profiles.get(j).size());
                if (start < end) {
                    broken.add(Violation.of(
                            Law.PARTITION, subject, partitions.get(j) + " and " + partitions.get(i) + " overlap"));
                }
            }
        }
    }

    private static void totals(
            String subject, PartitionGeometry geometry, List<PartitionProfile> profiles, List<Violation> broken) {
        TreeSet<String> names = new TreeSet<>();
        profiles.forEach(profile -> names.addAll(profile.counters().names()));
        for (String name : names) {
            long sum = profiles.stream()
                    .mapToLong(profile -> profile.counters().amount(name))
                    .sum();
            if (sum > geometry.totals().amount(name)) {
                broken.add(Violation.above(
                        Law.PARTITION, subject, name, sum, geometry.totals().amount(name)));
            }
        }
    }

    /** All partitions of a node whose profiles name a mode of the node are of one such mode. */
    static void nodeModes(Node node, List<Placement> placements, List<Violation> broken) {
        Set<String> modes = new TreeSet<>();
        for (Placement placement : placements) {
            for (ContainerGrant container : placement.containers()) {
                if (container.gpus() instanceof GpuGrant.Partitions cut) {
                    for (GpuPartition partition : cut.partitions()) {
                        profile(node.gpus().get(partition.gpu()), partition)
                                .map(PartitionProfile::nodeMode)
                                .filter(mode -> !mode.isEmpty())
                                .ifPresent(modes::add);
                    }
                }
            }
        }
        if (modes.size() > 1) {
            broken.add(Violation.of(Law.PARTITION, "node \"" + node.name() + "\"", "it is in several modes: " + modes));
        }
    }
}
