package io.gpusched.cookbook;

import io.gpusched.analysis.DefragPlan;
import io.gpusched.analysis.Defragmenter;
import io.gpusched.analysis.MoveLimits;
import io.gpusched.analysis.Repair;
import io.gpusched.analysis.WantedRoom;
import io.gpusched.model.Cluster;
import java.util.List;

/** Empties a GPU that is to be repaired, then a node for a job that needs all of it. */
public final class EmptyThisGpu {
    private EmptyThisGpu() {}

    /** Prints who moves where. */
    public static void main(String... args) {
        Cluster cluster = MapMyCluster.cluster();
        Repair repair = Repair.plan(cluster, "a3", 2, MoveLimits.NONE);
        System.out.println(repair);
        repair.moves().forEach(move -> System.out.println(move.to()));

        MoveLimits limits = MoveLimits.of(5)
                .keeping(held -> held.pod().namespace().equals("serving"))
                .wholeGroups();
        DefragPlan plan = Defragmenter.plan(cluster, List.of(WantedRoom.wholeNodes()), limits);
        plan.stages().forEach(stage -> System.out.println(stage + ": " + stage.moves()));
    }
}
