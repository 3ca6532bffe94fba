package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs {@code cross-system} cases: every pair of system and policy that a case names must answer as it says. */
final class CrossSystemKind implements VectorKind {
    private final List<CrossSystemAnswer> answers;

    CrossSystemKind(List<CrossSystemAnswer> answers) {
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
        for (Map.Entry<String, Field> pair : vector.expect().members().entrySet()) {
            CrossSystemAnswer answer = find(pair.getKey());
            if (answer == null) {
                reasons.add(pair.getKey() + " is unknown");
            } else {
                compare(pair.getKey(), pair.getValue(), answer.answer(pair.getKey(), vector), differences, reasons);
            }
        }
        return differences.isEmpty() && !reasons.isEmpty()
                ? Outcome.skipped(String.join("; ", reasons))
                : Outcome.of(differences);
    }

    /** A request that a dialect refuses by rule, though its system takes it, is a documented defect not copied. */
    private static void compare(
            String pair, Field expected, JsonNode answer, List<Difference> differences, List<String> reasons) {
        List<Difference> found = JsonDiff.compare(expected.json(), answer);
        if (!found.isEmpty() && answer.has("refused")) {
            reasons.add(pair + " takes what is refused here: "
                    + answer.get("refused").textValue());
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
