package io.gpusched.examples.conformance.vgpu;

import io.gpusched.examples.conformance.VectorKind;
import java.util.ArrayList;
import java.util.List;

/** All of HAMi's cases. */
public final class HamiKinds {
    private static final String NOT_BUILT = "partitions of a GPU are not supported yet";

    private HamiKinds() {}

    public static List<VectorKind> all() {
        List<VectorKind> all = new ArrayList<>();
        all.addAll(HamiFitKinds.all());
        all.addAll(HamiOrderKinds.all());
        all.addAll(HamiPodKinds.all());
        all.addAll(HamiRequestKinds.all());
        all.addAll(HamiQuotaKinds.all());
        for (String kind : List.of("mig-feasible", "mig-sequence", "mig-pick", "mig-count", "mig-restore")) {
            all.add(VectorKind.skipping(HamiFitKinds.SYSTEM, kind, NOT_BUILT));
        }
        return all;
    }
}
