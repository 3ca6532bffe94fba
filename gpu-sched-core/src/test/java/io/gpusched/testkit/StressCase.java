package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A cluster in use and a request to decide on it, made to be hard, all within the documented ranges. Small changes of one
 * make another, so that the hardest can be looked for step by step.
 *
 * @param nodes how many nodes
 * @param gpus GPUs of each
 * @param use the seed of what is held of the GPUs; 0 for nothing
 * @param parts the containers, or the members where it is a group
 * @param isGroup whether it is a group of pods
 * @param policy which of {@link #POLICIES}
 */
public record StressCase(int nodes, int gpus, int use, List<Part> parts, boolean isGroup, int policy) {
    public static final List<PlacementPolicy> POLICIES =
            List.of(BinPack.of(), FirstFit.of(), Spread.of(), new HighestFirst(true), new HighestFirst(false));

    private static final GpuModel MODEL = GpuModel.of("nvidia", "A100", 81_920);
    private static final List<String> PROFILES = List.of("1g.10gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb");
    private static final PartitionGeometry MIG = MigGeometry.A100_80GB.geometry();

    /** Goes through the GPUs from the highest index, and the containers from the last. */
    public record HighestFirst(boolean decides) implements PlacementPolicy, DeviceOrder {
        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return after.freeComputeMillis(0);
        }

        @Override
        public Optional<DeviceOrder> deviceOrder() {
            return Optional.of(this);
        }

        @Override
        public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
            return IntStream.range(0, node.gpuCount())
                    .map(g -> node.gpuCount() - 1 - g)
                    .toArray();
        }

        @Override
        public List<Container> containers(List<Container> containers) {
            List<Container> reversed = new ArrayList<>(containers);
            Collections.reverse(reversed);
            return reversed;
        }
    }

    /**
     * A container, or a member with one.
     *
     * @param kind when it runs
     * @param count GPUs
     * @param computeMillis of each; 1,000 for whole ones
     * @param memoryMib of each
     * @param near whether on one NUMA node
     * @param profile what partitions instead; empty for none
     */
    public record Part(ContainerKind kind, int count, int computeMillis, int memoryMib, boolean near, String profile) {
        static Part of(Random random, int gpus) {
            ContainerKind kind = ContainerKind.values()[random.nextInt(3)];
            int count = random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(gpus);
            int compute = random.nextInt(12) == 0 ? 1_000 : 1 + random.nextInt(random.nextBoolean() ? 500 : 60);
            String profile = random.nextInt(4) == 0 ? PROFILES.get(random.nextInt(PROFILES.size())) : "";
            return new Part(kind, count, compute, random.nextInt(30_000), random.nextInt(10) == 0, profile);
        }

        Part whole() {
            return new Part(kind, count, computeMillis, memoryMib, near, "");
        }

        GpuRequest request() {
            GpuSelector selector =
                    GpuSelector.ANY.withAffinity(near ? GpuAffinity.requiring(Bond.NUMA_NODE) : GpuAffinity.ANY);
            if (!profile.isEmpty()) {
                return GpuRequest.partition(profile, count).withSelector(selector);
            }
            return computeMillis == 1_000
                    ? GpuRequest.exclusive(count, selector)
                    : GpuRequest.share(computeMillis, GpuMemory.mib(memoryMib))
                            .withCount(count)
                            .withSelector(selector);
        }
    }

    public static StressCase of(Random random) {
        int gpus = random.nextBoolean() ? 8 : 1 + random.nextInt(64);
        boolean isGroup = random.nextInt(3) == 0;
        int size = random.nextInt(20) == 0 && !isGroup ? 1_000 : 2 + random.nextInt(40);
        Part pattern = Part.of(random, gpus);
        boolean isCut = random.nextInt(3) == 0;
        boolean alike = random.nextInt(4) == 0;
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Part part = alike ? pattern : Part.of(random, gpus);
            parts.add(isCut ? part : part.whole());
        }
        int use = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(1_000_000);
        return new StressCase(1 + random.nextInt(4), gpus, use, parts, isGroup, random.nextInt(POLICIES.size()));
    }

    /** One that differs a little. */
    public StressCase changed(Random random) {
        List<Part> more = new ArrayList<>(parts);
        switch (random.nextInt(6)) {
            case 0 -> more.set(random.nextInt(more.size()), Part.of(random, gpus));
            case 1 -> more.add(more.size() < 1_000 ? Part.of(random, gpus) : more.remove(0));
            case 2 -> more.add(more.size() < 1_000 ? more.get(random.nextInt(more.size())) : more.remove(0));
            case 3 -> {
                if (more.size() > 1) {
                    more.remove(random.nextInt(more.size()));
                }
            }
            case 4 -> {
                return new StressCase(
                        nodes, gpus, 1 + random.nextInt(1_000_000), parts, isGroup, random.nextInt(POLICIES.size()));
            }
            default -> {
                for (int i = 0; i < more.size(); i++) {
                    Part part = more.get(i);
                    int compute = part.computeMillis() == 1_000
                            ? 1_000
                            : Math.max(1, Math.min(999, part.computeMillis() * (80 + random.nextInt(41)) / 100));
                    more.set(
                            i,
                            new Part(
                                    part.kind(), part.count(), compute, part.memoryMib(), part.near(), part.profile()));
                }
            }
        }
        return new StressCase(nodes, gpus, use, more, isGroup, policy);
    }

    public Cluster cluster() {
        List<Node> machines = new ArrayList<>();
        List<Placement> running = new ArrayList<>();
        Random random = new Random(use);
        for (int n = 0; n < nodes; n++) {
            Node.Builder node =
                    Node.builder("n" + n).capacity(1_000_000, 1_000_000).maxPods(2_000);
            for (int g = 0; g < gpus; g++) {
                boolean isCut = use % 3 == 1 && random.nextBoolean();
                Gpu gpu = Gpu.of(g, "n" + n + "-" + g, MODEL).withNumaNode(2 * g / gpus);
                node.gpu(use % 3 == 0 ? gpu : gpu.withPartitions(MIG));
                if (isCut) {
                    GpuPartition held = new GpuPartition(g, "1g.10gb", random.nextInt(7), "");
                    ContainerGrant grant = ContainerGrant.of("c", new GpuGrant.Partitions(List.of(held)));
                    PodId id = PodId.of("u" + n + "-" + g);
                    running.add(new Placement(id, "n" + n, Resources.NONE, List.of(grant)));
                } else if (use > 0) {
                    GpuShare held = new GpuShare(g, random.nextInt(900), random.nextInt(60_000), 1);
                    ContainerGrant grant = ContainerGrant.of("c", new GpuGrant.Shared(List.of(held)));
                    PodId id = PodId.of("u" + n + "-" + g);
                    running.add(new Placement(id, "n" + n, Resources.NONE, List.of(grant)));
                }
            }
            machines.add(node.build());
        }
        return Cluster.of(machines, running);
    }

    /** Decides it. */
    public Object decide(Cluster cluster, GpuScheduler scheduler) {
        if (isGroup) {
            List<Pod> members = new ArrayList<>();
            for (Part part : parts) {
                members.add(Pod.of("m" + members.size(), Resources.of(100, 100), part.request()));
            }
            return scheduler.schedule(cluster, PodGroup.of("g", members));
        }
        return scheduler.schedule(cluster, pod());
    }

    /** The pod that has each part as a container. */
    public Pod pod() {
        List<Container> containers = new ArrayList<>();
        for (Part part : parts) {
            containers.add(new Container("c" + containers.size(), part.kind(), Resources.NONE, part.request()));
        }
        return new Pod(PodId.of("p"), containers, NodeSelector.ANY, List.of());
    }
}
