package io.gpusched.policy;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Lets every policy of the library schedule on a small cluster whose nodes never stay what they were: capacity, model,
 * labels and taints are new with each change. To be run in a small heap, by {@link PolicyMemoryTest}.
 */
final class PolicyMemoryRun {
    private static final int NODES = 8;

    private final GpuScheduler scheduler;
    private final List<Pod> shapes;
    private Cluster cluster = Cluster.of(List.of());
    private final Deque<Placement> running = new ArrayDeque<>();
    private int changes;
    private int placed;

    private PolicyMemoryRun(PlacementPolicy policy, List<Pod> shapes) {
        this.scheduler = GpuScheduler.of(policy);
        this.shapes = shapes;
        for (int node = 0; node < NODES; node++) {
            cluster = cluster.withNode(node(node, node));
        }
    }

    /** Takes the number of node changes and of placements, of each policy. */
    public static void main(String[] arguments) {
        int changes = Integer.parseInt(arguments[0]);
        int placements = Integer.parseInt(arguments[1]);
        List<Pod> shapes = shapes();
        WorkloadProfile profile = WorkloadProfile.of(shapes);
        List<PlacementPolicy> policies = List.of(
                BinPack.of(),
                FirstFit.of(),
                BestFit.of(),
                Spread.of(),
                RandomFit.of(1),
                FragmentationGradient.of(profile),
                LookAhead.of(profile));
        List<PolicyMemoryRun> runs = new ArrayList<>();
        for (PlacementPolicy policy : policies) {
            runs.add(new PolicyMemoryRun(policy, shapes));
            runs.get(runs.size() - 1).run(changes, placements);
        }
        // All schedulers are still in use, so that what they remember counts.
        runs.forEach(run -> System.out.println(
                run.scheduler.policy() + " placed " + run.placed + " pods over " + run.changes + " changes of nodes"));
    }

    private static List<Pod> shapes() {
        List<Pod> shapes = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            GpuRequest request =
                    i % 3 == 0 ? GpuRequest.exclusive(1 + i % 4) : GpuRequest.share(100 + 70 * i, GpuMemory.none());
            shapes.add(Pod.of("shape", Resources.of(500 + 100 * i, 1_000), request));
        }
        return shapes;
    }

    private static Node node(int index, int version) {
        return Node.builder("n" + index)
                .capacity(64_000 + version % 30_000, 256_000)
                .gpus(4, GpuModel.of("nvidia", "model-" + version % 5_000, 16_384))
                .label("version", String.valueOf(version))
                .taint(new Taint("version", String.valueOf(version % 1_000), Taint.Effect.PREFER_NO_SCHEDULE))
                .build();
    }

    private void run(int allChanges, int allPlacements) {
        while (placed < allPlacements) {
            if ((long) changes * allPlacements < (long) placed * allChanges) {
                change();
            }
            place();
        }
    }

    /** Puts a new machine in place of one from which all pods have been taken. */
    private void change() {
        int index = changes % NODES;
        String name = "n" + index;
        for (var placements = running.iterator(); placements.hasNext(); ) {
            Placement placement = placements.next();
            if (placement.node().equals(name)) {
                cluster = cluster.without(placement);
                placements.remove();
            }
        }
        changes++;
        cluster = cluster.withReplaced(node(index, NODES + changes));
    }

    private void place() {
        Pod pod = shapes.get(placed % shapes.size()).withId(PodId.of("p" + placed));
        if (scheduler.schedule(cluster, pod) instanceof Placed found) {
            cluster = cluster.with(found.placement());
            running.add(found.placement());
            placed++;
        } else {
            cluster = cluster.without(running.remove());
        }
        if (running.size() > 2 * NODES) {
            cluster = cluster.without(running.remove());
        }
    }
}
