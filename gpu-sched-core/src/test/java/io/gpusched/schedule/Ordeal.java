package io.gpusched.schedule;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.DotProduct;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuCloseness;
import io.gpusched.workload.GpuCloseness.Bond;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

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
record Ordeal(int nodes, int gpus, int use, List<Part> parts, boolean isGroup, int policy) {
    static final List<PlacementPolicy> POLICIES = List.of(BinPack.of(), FirstFit.of(), Spread.of(), DotProduct.of());
    private static final GpuModel MODEL = GpuModel.of("nvidia", "A100", 81_920);

    /**
     * A container, or a member with one.
     *
     * @param kind when it runs
     * @param count GPUs
     * @param computeMillis of each; 1,000 for whole ones
     * @param memoryMib of each
     * @param near whether on one NUMA node
     */
    record Part(ContainerKind kind, int count, int computeMillis, int memoryMib, boolean near) {
        static Part of(Random random, int gpus) {
            ContainerKind kind = ContainerKind.values()[random.nextInt(3)];
            int count = random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(gpus);
            int compute = random.nextInt(12) == 0 ? 1_000 : 1 + random.nextInt(random.nextBoolean() ? 500 : 60);
            return new Part(kind, count, compute, random.nextInt(30_000), random.nextInt(10) == 0);
        }

        GpuRequest request() {
            GpuSelector selector =
                    GpuSelector.ANY.withCloseness(near ? GpuCloseness.requiring(Bond.NUMA_NODE) : GpuCloseness.ANY);
            return computeMillis == 1_000
                    ? GpuRequest.exclusive(count, selector)
                    : GpuRequest.share(computeMillis, GpuMemory.mib(memoryMib))
                            .withCount(count)
                            .withSelector(selector);
        }
    }

    static Ordeal of(Random random) {
        int gpus = random.nextBoolean() ? 8 : 1 + random.nextInt(64);
        boolean isGroup = random.nextInt(3) == 0;
        int size = random.nextInt(20) == 0 && !isGroup ? 1_000 : 2 + random.nextInt(40);
        Part pattern = Part.of(random, gpus);
        boolean alike = random.nextInt(4) == 0;
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            parts.add(alike ? pattern : Part.of(random, gpus));
        }
        int use = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(1_000_000);
        return new Ordeal(1 + random.nextInt(4), gpus, use, parts, isGroup, random.nextInt(POLICIES.size()));
    }

    /** One that differs a little. */
    Ordeal changed(Random random) {
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
                return new Ordeal(
                        nodes, gpus, 1 + random.nextInt(1_000_000), parts, isGroup, random.nextInt(POLICIES.size()));
            }
            default -> {
                for (int i = 0; i < more.size(); i++) {
                    Part part = more.get(i);
                    int compute = part.computeMillis() == 1_000
                            ? 1_000
                            : Math.max(1, Math.min(999, part.computeMillis() * (80 + random.nextInt(41)) / 100));
                    more.set(i, new Part(part.kind(), part.count(), compute, part.memoryMib(), part.near()));
                }
            }
        }
        return new Ordeal(nodes, gpus, use, more, isGroup, policy);
    }

    Cluster cluster() {
        List<Node> machines = new ArrayList<>();
        List<Placement> running = new ArrayList<>();
        Random random = new Random(use);
        for (int n = 0; n < nodes; n++) {
            Node.Builder node =
                    Node.builder("n" + n).capacity(1_000_000, 1_000_000).maxPods(2_000);
            for (int g = 0; g < gpus; g++) {
                node.gpu(Gpu.of(g, "n" + n + "-" + g, MODEL).withNumaNode(2 * g / gpus));
                if (use > 0) {
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

    /** Decides it, and says in a word how. */
    Object decide(Cluster cluster) {
        GpuScheduler scheduler = GpuScheduler.of(POLICIES.get(policy));
        if (isGroup) {
            List<Pod> members = new ArrayList<>();
            for (Part part : parts) {
                members.add(Pod.of("m" + members.size(), Resources.of(100, 100), part.request()));
            }
            return scheduler.schedule(cluster, PodGroup.of("g", members));
        }
        List<Container> containers = new ArrayList<>();
        for (Part part : parts) {
            containers.add(new Container("c" + containers.size(), part.kind(), Resources.NONE, part.request()));
        }
        return scheduler.schedule(cluster, new Pod(PodId.of("p"), containers, NodeSelector.ANY, List.of()));
    }
}
