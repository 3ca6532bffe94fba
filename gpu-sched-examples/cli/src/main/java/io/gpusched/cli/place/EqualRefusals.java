package io.gpusched.cli.place;

import io.gpusched.decision.Amount;
import io.gpusched.decision.Reason;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Pods or groups that wait for the same reasons.
 *
 * @param first the first of them
 * @param count how many they are
 */
record EqualRefusals(Answer.NoRoom first, int count) {
    /** Returns the refusals, equal ones but for the name as one, in the order of the first of each. */
    static List<EqualRefusals> of(List<Answer> answers) {
        Map<String, EqualRefusals> equal = new LinkedHashMap<>();
        for (Answer answer : answers) {
            if (answer instanceof Answer.NoRoom none) {
                equal.merge(
                        reasons(none) + none.words(),
                        new EqualRefusals(none, 1),
                        (had, more) -> new EqualRefusals(had.first(), had.count() + 1));
            }
        }
        return List.copyOf(equal.values());
    }

    /** What a diagnosis says after the name. */
    private static String reasons(Answer.NoRoom none) {
        return none.diagnosis().toString().substring(none.diagnosis().subject().length());
    }

    /** Returns a line such as {@code 4 of 40 placed; 36 wait for 1 whole GPU}. */
    static String summary(List<Answer> answers, List<EqualRefusals> refusals) {
        long placed = answers.stream().filter(Answer.Found.class::isInstance).count();
        long refused = answers.stream().filter(Answer.Refused.class::isInstance).count();
        List<String> parts = new ArrayList<>();
        parts.add(placed + " of " + answers.size() + " placed");
        refusals.forEach(equal ->
                parts.add(equal.count() + (equal.count() == 1 ? " waits" : " wait") + " for " + equal.awaited()));
        if (refused > 0) {
            parts.add(refused + " refused by a rule");
        }
        return String.join("; ", parts);
    }

    /** What keeps them from most nodes. */
    private String awaited() {
        if (first.diagnosis().reasons().isEmpty()) {
            return "a node";
        }
        Reason reason = first.diagnosis().reasons().get(0);
        return switch (reason.code()) {
            case CPU, MEMORY, RESOURCE, NODE_TOO_SMALL -> {
                String lacking = reason.amounts().stream()
                        .filter(amount -> amount.greatest() < amount.asked())
                        .map(EqualRefusals::asked)
                        .collect(Collectors.joining(" and "));
                yield lacking.isEmpty() ? "a larger node" : lacking;
            }
            case IDLE_GPUS,
                    GPU_SHARE,
                    PARTITION,
                    GPU_LAYOUT,
                    TOO_FEW_GPUS,
                    GPU_TOO_SMALL,
                    GPU_SELECTOR,
                    GPU_UNHEALTHY ->
                reason.gpus().stream().map(GpuRequest::toString).collect(Collectors.joining(" and "));
            default -> "a node that takes them (" + reason.detail() + ")";
        };
    }

    private static String asked(Amount amount) {
        return amount.quantity().inWords(amount.asked()) + (amount.name().isEmpty() ? "" : " " + amount.name());
    }

    /** Returns the reasons of all of them, under the name of the first. */
    @Override
    public String toString() {
        return first.diagnosis().subject() + (count == 1 ? "" : " and " + (count - 1) + " more") + reasons(first);
    }
}
