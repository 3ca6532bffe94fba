package io.gpusched.decision;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Why nothing fits: every node is counted under exactly one reason.
 *
 * @param subject what was refused
 * @param certainty whether infeasibility is proven or the search reached its limit of steps
 * @param nodes how many nodes there are
 * @param reasons the reasons, those with the most nodes first, then in the order of {@link Reason.Code};
 *     the counts add up to {@code nodes}
 * @param couldFitLater whether some node could hold it by this alternative once enough pods leave
 * @param remedy the least that would have to be freed, changed or added
 * @param otherwise the same for each less wanted alternative of the request, in their order; none where it has one only
 */
public record Diagnosis(
        String subject,
        Certainty certainty,
        int nodes,
        List<Reason> reasons,
        boolean couldFitLater,
        Remedy remedy,
        List<Diagnosis> otherwise) {
    /** A diagnosis of a request without alternatives. */
    public Diagnosis(
            String subject,
            Certainty certainty,
            int nodes,
            List<Reason> reasons,
            boolean couldFitLater,
            Remedy remedy) {
        this(subject, certainty, nodes, reasons, couldFitLater, remedy, List.of());
    }

    /**
     * Copies the reasons and checks the counts.
     *
     * @throws IllegalArgumentException if the counts do not add up to the number of nodes
     */
    public Diagnosis {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(certainty, "certainty");
        Objects.requireNonNull(remedy, "remedy");
        reasons = Checks.list("reasons", reasons);
        otherwise = Checks.list("otherwise", otherwise);
        int sum = reasons.stream().mapToInt(Reason::nodes).sum();
        if (sum != nodes) {
            throw new IllegalArgumentException(
                    "diagnosis of " + subject + ": the reasons cover " + sum + " nodes of " + nodes);
        }
    }

    /**
     * Returns the diagnosis for a person, a line for each reason. Alternatives that can never fit are left out where another could fit
     * later, and so are alternatives that the same nodes refuse for the same reasons as the first.
     */
    @Override
    public String toString() {
        boolean couldAny = couldFitLater || otherwise.stream().anyMatch(Diagnosis::couldFitLater);
        List<String> said = new ArrayList<>();
        if (couldFitLater == couldAny) {
            said.add(words());
        }
        otherwise.stream()
                .filter(one -> one.couldFitLater == couldAny && (couldAny || !one.isRefusedAs(this)))
                .forEach(one -> said.add(one.words()));
        return String.join("\n", said);
    }

    /** Whether labels, taints and the like refuse both alternatives on the same nodes, so that the requests make no difference. */
    private boolean isRefusedAs(Diagnosis other) {
        return counts().equals(other.counts());
    }

    private Map<Reason.Code, Integer> counts() {
        return reasons.stream().collect(Collectors.toMap(Reason::code, Reason::nodes, Integer::sum));
    }

    private String words() {
        StringBuilder text = new StringBuilder(subject)
                .append(couldFitLater ? ": no room now on any of " : ": can never fit on any of ")
                .append(nodes)
                .append(nodes == 1 ? " node" : " nodes")
                .append(certainty == Certainty.PROVEN ? "" : " (the search reached its limit)");
        for (Reason reason : reasons) {
            text.append("\n  ").append(reason);
        }
        if (!remedy.changes().isEmpty()) {
            text.append("\n  nearest remedy: ").append(remedy);
        }
        return text.toString();
    }
}
