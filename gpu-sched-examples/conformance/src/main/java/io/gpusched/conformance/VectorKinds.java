package io.gpusched.conformance;

import io.gpusched.conformance.aliyun.AliyunKinds;
import io.gpusched.conformance.cross.CrossSystemKind;
import io.gpusched.conformance.cross.CrossSystemSharers;
import io.gpusched.conformance.elasticgpu.ElasticGpuKinds;
import io.gpusched.conformance.extender.ExtenderKinds;
import io.gpusched.conformance.gaia.GaiaKinds;
import io.gpusched.conformance.kai.KaiKinds;
import io.gpusched.conformance.nanogpu.NanoGpuKinds;
import io.gpusched.conformance.t9k.T9kKinds;
import io.gpusched.conformance.vgpu.HamiKinds;
import io.gpusched.conformance.vgpu.VgpuCrossSystem;
import io.gpusched.conformance.vgpu.VolcanoKinds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The kinds of cases that can be run, found by system and kind. */
public final class VectorKinds {
    private final Map<String, VectorKind> kinds = new HashMap<>();

    private VectorKinds(List<VectorKind> all) {
        for (VectorKind kind : all) {
            kind.systems().forEach(system -> kind.kinds().forEach(name -> add(system, name, kind)));
        }
    }

    /** Returns these kinds; two for one system and kind are an error. */
    public static VectorKinds of(List<VectorKind> kinds) {
        return new VectorKinds(kinds);
    }

    /** Returns every kind this module knows. */
    public static VectorKinds standard() {
        List<VectorKind> all = new ArrayList<>();
        all.addAll(T9kKinds.all());
        all.addAll(NanoGpuKinds.all());
        all.addAll(AliyunKinds.all());
        all.addAll(ElasticGpuKinds.all());
        all.addAll(GaiaKinds.all());
        all.addAll(HamiKinds.all());
        all.addAll(VolcanoKinds.all());
        all.addAll(ExtenderKinds.all());
        all.addAll(KaiKinds.all());
        all.add(new CrossSystemKind(List.of(new CrossSystemSharers(), new VgpuCrossSystem())));
        return of(all);
    }

    /** Runs a case, or skips it by name if nothing knows its kind. */
    public Outcome run(VectorCase vector) {
        VectorKind kind = kinds.get(key(vector.system(), vector.kind()));
        if (kind == null) {
            return Outcome.skipped("unknown kind \"" + vector.kind() + "\" of system \"" + vector.system() + "\"");
        }
        return Outcome.attempt(() -> kind.run(vector));
    }

    private void add(String system, String name, VectorKind kind) {
        if (kinds.putIfAbsent(key(system, name), kind) != null) {
            throw new IllegalArgumentException("two runners for kind \"" + name + "\" of system \"" + system + "\"");
        }
    }

    private static String key(String system, String kind) {
        return system + " " + kind;
    }
}
