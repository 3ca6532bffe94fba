package io.gpusched.simulator.capacity;

import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Nodes that go and nodes that come, written {@code -200@V100,+40@8xH100}.
 *
 * @param terms what goes and comes, in this order
 */
public record ClusterChange(List<Term> terms) {
    private static final Pattern TERM = Pattern.compile("([+-])([0-9]{1,6})@(\\S+)");

    /**
     * Nodes of one kind.
     *
     * @param count how many come; negative if they go
     * @param kind their kind
     */
    public record Term(int count, NodeKind kind) {
        @Override
        public String toString() {
            return (count < 0 ? "" : "+") + count + "@" + kind;
        }
    }

    /** Copies the list. */
    public ClusterChange {
        terms = List.copyOf(terms);
    }

    /**
     * Reads a change.
     *
     * @throws IllegalArgumentException if it is not written so
     */
    public static ClusterChange parse(String text) {
        List<Term> terms = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            Matcher term = TERM.matcher(part.strip());
            if (!term.matches()) {
                throw new IllegalArgumentException(
                        "expected a change such as -200@V100,+40@8xH100, got \"" + text + "\"");
            }
            int count = Integer.parseInt(term.group(2));
            terms.add(new Term("-".equals(term.group(1)) ? -count : count, new NodeKind(term.group(3))));
        }
        return new ClusterChange(terms);
    }

    /**
     * Returns the nodes once it is made. The last nodes of a kind go first; new ones come at the end.
     *
     * @throws IllegalArgumentException if more nodes of a kind are to go than there are, or a kind is not known
     */
    public List<Node> of(List<Node> nodes) {
        List<Node> changed = new ArrayList<>(nodes);
        for (Term term : terms) {
            if (term.count() >= 0) {
                changed.addAll(term.kind().nodes(nodes, term.count()));
            } else {
                remove(changed, term);
            }
        }
        return changed;
    }

    private static void remove(List<Node> nodes, Term term) {
        int left = -term.count();
        for (int i = nodes.size() - 1; i >= 0 && left > 0; i--) {
            if (term.kind().isOf(nodes.get(i))) {
                nodes.remove(i);
                left--;
            }
        }
        if (left > 0) {
            throw new IllegalArgumentException(
                    "\"" + term + "\": the cluster has only " + (-term.count() - left) + " nodes of " + term.kind());
        }
    }

    @Override
    public String toString() {
        return String.join(",", terms.stream().map(Term::toString).toList());
    }
}
