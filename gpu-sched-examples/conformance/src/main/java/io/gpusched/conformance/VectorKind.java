package io.gpusched.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.manifests.yaml.InputException;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Runs the cases of some kinds of some systems. Implementations keep no state between cases. */
public interface VectorKind {
    /** Returns the systems whose cases it runs. */
    Set<String> systems();

    /** Returns the kinds it runs. */
    Set<String> kinds();

    /**
     * Runs one case.
     *
     * @throws InputException if the case lacks a field or has one of the wrong type
     */
    Outcome run(VectorCase vector);

    /**
     * Returns a kind whose answer is compared with what the case expects, see {@link Answers#departing}.
     */
    static VectorKind comparing(String system, String kind, Function<VectorCase, JsonNode> answer) {
        return of(system, kind, vector -> compare(vector, answer.apply(vector)));
    }

    /** Compares an answer with what a case expects; a departure is only accepted where a case documents a defect. */
    static Outcome compare(VectorCase vector, JsonNode answer) {
        return compare(vector, JsonValues.of(vector.expect()), answer);
    }

    /** Compares an answer with what is expected in place of what the case says, as {@link #compare(VectorCase, JsonNode)} does. */
    static Outcome compare(VectorCase vector, JsonNode expected, JsonNode answer) {
        List<Difference> differences = JsonDiff.compare(expected, answer);
        Outcome outcome = differences.isEmpty() && Answers.isEmulated(answer)
                ? Outcome.passed(Outcome.BY_EMULATION)
                : Outcome.of(differences);
        return outcome instanceof Outcome.Failed && vector.isDefect() && answer.has(Answers.DEPARTURE)
                ? Outcome.skipped("documented defect, not copied: "
                        + answer.get(Answers.DEPARTURE).textValue())
                : outcome;
    }

    /** Returns a kind whose answers an emulation gives, compared with what the case expects. */
    static VectorKind emulating(String system, String kind, Function<VectorCase, ObjectNode> answer) {
        return of(system, kind, vector -> compare(vector, Answers.emulated(answer.apply(vector))));
    }

    /** Returns a kind that decides the outcome itself. */
    static VectorKind of(String system, String kind, Function<VectorCase, Outcome> runner) {
        return new VectorKind() {
            @Override
            public Set<String> systems() {
                return Set.of(system);
            }

            @Override
            public Set<String> kinds() {
                return Set.of(kind);
            }

            @Override
            public Outcome run(VectorCase vector) {
                return runner.apply(vector);
            }
        };
    }
}
