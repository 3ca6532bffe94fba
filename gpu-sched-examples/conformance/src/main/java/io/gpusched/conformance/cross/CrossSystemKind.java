package io.gpusched.conformance.cross;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.Difference;
import io.gpusched.conformance.JsonDiff;
import io.gpusched.conformance.JsonValues;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs {@code cross-system} cases: every pair of system and policy that a case names must answer as it says. */
public final class CrossSystemKind implements VectorKind {
    private final List<CrossSystemAnswer> answers;

    public CrossSystemKind(List<CrossSystemAnswer> answers) {
        this.answers = List.copyOf(answers);
    }

    @Override
    public Set<String> systems() {
        return Set.of("cross-system");
    }

    @Override
    public Set<String> kinds() {
        return Set.of("cross-system");
    }

    @Override
    public Outcome run(VectorCase vector) {
        List<Difference> differences = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        List<String> emulated = new ArrayList<>();
        for (Map.Entry<String, YamlNode> pair : vector.expect().map().entrySet()) {
            CrossSystemAnswer answer = find(pair.getKey());
            if (answer == null) {
                reasons.add(pair.getKey() + " is unknown");
            } else {
                JsonNode answered = answer.answer(pair.getKey(), vector);
                if (Answers.isEmulated(answered)) {
                    emulated.add(pair.getKey());
                }
                compare(vector, pair.getKey(), pair.getValue(), answered, differences, reasons);
            }
        }
        if (differences.isEmpty() && !reasons.isEmpty()) {
            return Outcome.skipped(String.join("; ", reasons));
        }
        return differences.isEmpty() && !emulated.isEmpty()
                ? Outcome.passed(Outcome.BY_EMULATION + ": " + String.join(", ", emulated))
                : Outcome.of(differences);
    }

    /** A request that a dialect refuses by rule, though its system takes it, is named where the case need not be matched. */
    private static void compare(
            VectorCase vector,
            String pair,
            YamlNode expected,
            JsonNode answer,
            List<Difference> differences,
            List<String> reasons) {
        List<Difference> found = JsonDiff.compare(JsonValues.of(expected), answer);
        if (!found.isEmpty() && answer.has(Answers.DEPARTURE) && !vector.mustMatch()) {
            reasons.add(pair + ": " + answer.get(Answers.DEPARTURE).textValue());
            return;
        }
        found.forEach(difference -> differences.add(new Difference(
                "$." + pair + difference.path().substring(1), difference.expected(), difference.actual())));
    }

    private @Nullable CrossSystemAnswer find(String pair) {
        for (CrossSystemAnswer answer : answers) {
            if (answer.pairs().contains(pair)) {
                return answer;
            }
        }
        return null;
    }
}
