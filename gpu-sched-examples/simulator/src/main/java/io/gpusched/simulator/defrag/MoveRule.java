package io.gpusched.simulator.defrag;

import io.gpusched.analysis.DefragPlan;
import io.gpusched.analysis.DefragPlan.Stage;
import io.gpusched.analysis.Defragmenter;
import io.gpusched.analysis.MoveLimits;
import io.gpusched.analysis.WantedRoom;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A rule by which pods move so that nodes with 8 free GPUs come about. */
public enum MoveRule {
    /** {@link Defragmenter}: for the whole cluster, what makes most for a move first. */
    PLAN("defrag") {
        @Override
        List<Gain> play(Cluster cluster, int most) {
            DefragPlan plan = Defragmenter.plan(cluster, List.of(WantedRoom.pods(WHOLE)), MoveLimits.of(most));
            List<Gain> gains = new ArrayList<>();
            for (Stage stage : plan.stages()) {
                long nodes =
                        stage.gains().stream().mapToLong(DefragPlan.Gain::units).sum();
                gains.add(new Gain(stage.pods(), (int) nodes));
            }
            return gains;
        }
    },
    /** For one pending job after the other, by our own consolidation: as few move as have to. */
    ONE_JOB("one job, fewest") {
        @Override
        List<Gain> play(Cluster cluster, int most) {
            return new PendingJobs(CycleSettings.standard().withPasses(PASSES)).play(held(cluster), most);
        }
    },
    /** For one pending job after the other, by KAI's rule: the latest jobs move, until it and all of them find places. */
    KAI("one job, KAI's rule") {
        @Override
        List<Gain> play(Cluster cluster, int most) {
            return new PendingJobs(CycleSettings.kai().withPasses(PASSES)).play(held(cluster), most);
        }
    };

    static final int GPUS = 8;

    /** Asks for all GPUs of a node and nothing beside. */
    static final Pod WHOLE = Pod.of("whole", Resources.NONE, GpuRequest.exclusive(GPUS));

    private static final Set<CyclePass> PASSES = Set.of(CyclePass.ALLOCATE, CyclePass.CONSOLIDATE);

    private final String words;

    MoveRule(String words) {
        this.words = words;
    }

    /**
     * What some moves bought.
     *
     * @param moves how many pods moved
     * @param nodes how many nodes with 8 free GPUs there are more
     */
    record Gain(int moves, int nodes) {}

    /** Returns what is gained, step by step, until so many pods have moved or nothing more is gained. */
    abstract List<Gain> play(Cluster cluster, int most);

    /** The cluster with its free nodes held, so that a job that waits gains another one. */
    private static Cluster held(Cluster cluster) {
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster now = cluster;
        for (NodeState node : cluster.nodes()) {
            NodeState state = node;
            for (int i = 0; state.idleGpus() >= GPUS; i++) {
                Placement place = scheduler
                        .place(state, WHOLE.withId(PodId.of("held-" + node.name() + "-" + i)))
                        .orElse(null);
                if (place == null) {
                    break;
                }
                now = now.with(place);
                state = now.node(node.name()).orElseThrow();
            }
        }
        return now;
    }

    @Override
    public String toString() {
        return words;
    }
}
