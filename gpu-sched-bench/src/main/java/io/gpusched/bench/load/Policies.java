package io.gpusched.bench.load;

import io.gpusched.policy.BinPack;
import io.gpusched.policy.FragmentationGradient;
import io.gpusched.policy.RandomFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Schedulers by the name of their policy. */
public final class Policies {
    private Policies() {}

    /**
     * Returns a new scheduler: {@code binPack}, {@code random}, {@code fragmentationGradient} by the typical shapes of the openb trace,
     * or {@code lookAhead}, what the library takes where it is told of these shapes.
     *
     * @throws IllegalArgumentException if there is no such policy
     */
    public static GpuScheduler scheduler(String policy) {
        return switch (policy) {
            case "binPack" -> GpuScheduler.of(BinPack.of());
            case "random" -> GpuScheduler.of(RandomFit.of(42));
            case "fragmentationGradient" -> GpuScheduler.of(FragmentationGradient.of(openb()));
            case "lookAhead" -> GpuScheduler.create(openb());
            default ->
                throw new IllegalArgumentException(
                        "policy: expected binPack, random, fragmentationGradient or lookAhead, got \"" + policy + "\"");
        };
    }

    private static WorkloadProfile openb() {
        List<Pod> pods = new ArrayList<>();
        for (Shape shape : TypicalShapes.OPENB) {
            pods.addAll(Collections.nCopies(shape.weight(), shape.pod("sample")));
        }
        return WorkloadProfile.typical(pods, 100);
    }
}
