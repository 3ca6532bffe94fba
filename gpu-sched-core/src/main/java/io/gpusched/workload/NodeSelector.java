package io.gpusched.workload;

import io.gpusched.check.Checks;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Which nodes a pod accepts by their labels and names: at least one term must hold, and a term holds if all its requirements do
 * (Kubernetes {@code nodeSelector} and required node affinity). No term at all accepts every node.
 *
 * @param terms the alternatives
 */
public record NodeSelector(List<Term> terms) {
    /** Accepts every node. */
    public static final NodeSelector ANY = new NodeSelector(List.of());

    /**
     * Requirements that must hold together.
     *
     * @param requirements the requirements, at least one: as in Kubernetes, an empty term would match nothing
     */
    public record Term(List<NodeRequirement> requirements) {
        /**
         * Copies the list.
         *
         * @throws IllegalArgumentException if it is empty
         */
        public Term {
            requirements = Checks.list("requirements", requirements);
            Checks.inRange("node selector term", "number of requirements", requirements.size(), 1, Integer.MAX_VALUE);
        }

        /** Returns whether a node meets all requirements. */
        public boolean matches(Node node) {
            Objects.requireNonNull(node, "node");
            for (int i = 0; i < requirements.size(); i++) {
                if (!requirements.get(i).matches(node)) {
                    return false;
                }
            }
            return true;
        }

        boolean matches(Map<String, String> labels) {
            Objects.requireNonNull(labels, "labels");
            for (NodeRequirement requirement : requirements) {
                if (!requirement.matches(labels)) {
                    return false;
                }
            }
            return true;
        }

        /** Returns the requirements in words, joined by {@code and}. */
        @Override
        public String toString() {
            return requirements.stream().map(NodeRequirement::toString).collect(Collectors.joining(" and "));
        }
    }

    /** Copies the terms. */
    public NodeSelector {
        terms = Checks.list("terms", terms);
    }

    /** Accepts nodes that meet all these requirements. */
    public static NodeSelector all(NodeRequirement... requirements) {
        Checks.noNulls("requirements", requirements);
        return requirements.length == 0 ? ANY : new NodeSelector(List.of(new Term(List.of(requirements))));
    }

    /** Accepts nodes that have all these labels with these values. */
    public static NodeSelector labels(Map<String, String> labels) {
        Checks.noNulls("labels", labels);
        List<NodeRequirement> requirements = new ArrayList<>();
        labels.forEach((key, value) -> requirements.add(NodeRequirement.in(key, value)));
        return all(requirements.toArray(NodeRequirement[]::new));
    }

    /** Returns the selector that accepts the nodes that both accept. */
    public NodeSelector and(NodeSelector other) {
        Objects.requireNonNull(other, "other");
        if (terms.isEmpty() || other.terms.isEmpty()) {
            return terms.isEmpty() ? other : this;
        }
        List<Term> product = new ArrayList<>();
        for (Term mine : terms) {
            for (Term theirs : other.terms) {
                List<NodeRequirement> both = new ArrayList<>(mine.requirements());
                both.addAll(theirs.requirements());
                product.add(new Term(both));
            }
        }
        return new NodeSelector(product);
    }

    /** Returns whether a node is accepted. */
    public boolean matches(Node node) {
        Objects.requireNonNull(node, "node");
        for (int i = 0; i < terms.size(); i++) {
            if (terms.get(i).matches(node)) {
                return true;
            }
        }
        return terms.isEmpty();
    }

    /** Returns whether these labels, of a node whose name is not known, are accepted. */
    public boolean matches(Map<String, String> labels) {
        Objects.requireNonNull(labels, "labels");
        for (Term term : terms) {
            if (term.matches(labels)) {
                return true;
            }
        }
        return terms.isEmpty();
    }

    /** Returns the terms in words, such as {@code zone in a|b or disk exists}. */
    @Override
    public String toString() {
        return terms.isEmpty()
                ? "any labels"
                : terms.stream().map(Term::toString).collect(Collectors.joining(" or "));
    }
}
