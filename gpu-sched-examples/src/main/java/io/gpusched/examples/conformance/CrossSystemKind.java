package io.gpusched.examples.conformance;

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
        List<String> unknown = new ArrayList<>();
        for (Map.Entry<String, Field> pair : vector.expect().members().entrySet()) {
            CrossSystemAnswer answer = find(pair.getKey());
            if (answer == null) {
                unknown.add(pair.getKey());
            } else {
                JsonDiff.compare(pair.getValue().json(), answer.answer(pair.getKey(), vector))
                        .forEach(found -> differences.add(new Difference(
                                "$." + pair.getKey() + found.path().substring(1), found.expected(), found.actual())));
            }
        }
        if (differences.isEmpty() && !unknown.isEmpty()) {
            return Outcome.skipped("unknown system and policy: " + String.join(", ", unknown));
        }
        return Outcome.of(differences);
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
