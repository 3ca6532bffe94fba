package io.gpusched.verify;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * All places that a pod might have, legal or not, one after the other: every choice of devices for every container on every node. For small
 * worlds: choices are exponential in the devices of a node.
 */
final class Places {
    private final Pod pod;
    private final Predicate<Placement> found;
    private long tries;

    private Places(Pod pod, long tries, Predicate<Placement> found) {
        this.pod = pod;
        this.tries = tries;
        this.found = found;
    }

    /**
     * Hands places over until one is accepted or the limit is reached.
     *
     * @return the place that was accepted
     */
    static Optional<Placement> first(World world, Pod pod, long tries, Predicate<Placement> accepts) {
        List<Placement> accepted = new ArrayList<>();
        Places places = new Places(pod, tries, place -> accepts.test(place) && accepted.add(place));
        for (Node node : world.nodes().values()) {
            if (ConditionLaws.check(pod, node).isEmpty() && places.choose(node, new ArrayList<>())) {
                break;
            }
        }
        return accepted.stream().findFirst();
    }

    /** Chooses for the next container; returns whether the search is over. */
    private boolean choose(Node node, List<ContainerGrant> chosen) {
        if (chosen.size() == pod.containers().size()) {
            Placement placement = new Placement(pod.id(), node.name(), pod.resources(), chosen)
                    .withSpec(pod.spec())
                    .withGroup(pod.group());
            return --tries < 0 || found.test(placement);
        }
        Container next = pod.containers().get(chosen.size());
        for (GpuRequest request : next.gpu().alternatives()) {
            for (GpuGrant grant : grants(request, node)) {
                List<ContainerGrant> more = new ArrayList<>(chosen);
                more.add(new ContainerGrant(next.name(), next.kind(), grant));
                if (choose(node, more)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<GpuGrant> grants(GpuRequest request, Node node) {
        List<GpuGrant> all = new ArrayList<>();
        List<Gpu> gpus = node.gpus().stream()
                .filter(gpu -> gpu.healthy() && GrantLaws.isAccepted(request.selector(), gpu))
                .toList();
        if (request instanceof GpuRequest.Exclusive exclusive) {
            for (List<Gpu> set : sets(gpus, exclusive.count())) {
                all.add(new GpuGrant.Whole(set.stream().map(Gpu::index).toList()));
            }
        } else if (request instanceof GpuRequest.Share share) {
            for (List<Gpu> set : sets(gpus, share.count())) {
                List<GpuShare> parts =
                        set.stream().map(gpu -> GrantLaws.part(share, gpu)).toList();
                all.add(new GpuGrant.Shared(parts));
            }
        } else if (request instanceof GpuRequest.Partition partition) {
            for (List<GpuPartition> set : multisets(partitions(gpus, partition.profile()), partition.instances())) {
                all.add(new GpuGrant.Partitions(set.stream().sorted().toList()));
            }
        } else if (request instanceof GpuRequest.WholeNode) {
            if (!node.gpus().isEmpty()) {
                all.add(new GpuGrant.WholeNode(node.gpus().size()));
            }
        } else {
            all.add(GpuGrant.none());
        }
        return all;
    }

    private static List<GpuPartition> partitions(List<Gpu> gpus, String name) {
        List<GpuPartition> all = new ArrayList<>();
        for (Gpu gpu : gpus) {
            for (PartitionProfile profile : gpu.partitions().profiles()) {
                if (profile.name().equals(name)) {
                    profile.starts()
                            .forEach(start -> all.add(new GpuPartition(gpu.index(), name, start, profile.mode())));
                }
            }
        }
        return all;
    }

    /** All subsets of a size, in order. */
    private static <T> List<List<T>> sets(List<T> of, int count) {
        List<List<T>> all = new ArrayList<>();
        pick(of, 0, count, 1, new ArrayList<>(), all);
        return all;
    }

    /** The same, where one may be taken several times: a template without a place. */
    private static <T> List<List<T>> multisets(List<T> of, int count) {
        List<List<T>> all = new ArrayList<>();
        pick(of, 0, count, 0, new ArrayList<>(), all);
        return all;
    }

    private static <T> void pick(List<T> of, int from, int count, int step, List<T> taken, List<List<T>> all) {
        if (taken.size() == count) {
            all.add(List.copyOf(taken));
            return;
        }
        for (int i = from; i < of.size(); i++) {
            taken.add(of.get(i));
            pick(of, i + step, count, step, taken, all);
            taken.remove(taken.size() - 1);
        }
    }
}
