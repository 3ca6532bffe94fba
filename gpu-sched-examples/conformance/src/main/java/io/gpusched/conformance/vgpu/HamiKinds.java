package io.gpusched.conformance.vgpu;

import io.gpusched.conformance.VectorKind;
import java.util.ArrayList;
import java.util.List;

/** All of HAMi's cases. */
public final class HamiKinds {
    private HamiKinds() {}

    public static List<VectorKind> all() {
        List<VectorKind> all = new ArrayList<>();
        all.addAll(HamiFitKinds.all());
        all.addAll(HamiOrderKinds.all());
        all.addAll(HamiPodKinds.all());
        all.addAll(HamiRequestKinds.all());
        all.addAll(HamiQuotaKinds.all());
        all.addAll(HamiMigKinds.all());
        return all;
    }
}
