package io.gpusched.examples.conformance;

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
        all.addAll(NotYetKinds.all());
        all.add(new CrossSystemKind(List.of(new CrossSystemSharers(), new VgpuCrossSystem())));
        return of(all);
    }

    /**
     * Runs a case, or skips it by name if nothing knows its kind. A documented defect that is answered differently is
     * skipped with what is answered instead.
     */
    public Outcome run(VectorCase vector) {
        VectorKind kind = kinds.get(key(vector.system(), vector.kind()));
        if (kind == null) {
            return Outcome.skipped("unknown kind \"" + vector.kind() + "\" of system \"" + vector.system() + "\"");
        }
        Outcome outcome = run(kind, vector);
        return outcome instanceof Outcome.Failed failed && vector.isDefect()
                ? Outcome.skipped(
                        "documented defect, not copied: " + failed.differences().get(0))
                : outcome;
    }

    /** A case that a runner cannot make sense of must not keep the others from being run. */
    private static Outcome run(VectorKind kind, VectorCase vector) {
        try {
            return kind.run(vector);
        } catch (MalformedVectorException e) {
            return new Outcome.Malformed(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException | IllegalStateException e) {
            return Outcome.failed("$", "an answer", e.toString());
        }
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
