package io.gpusched.workload;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Near which running pods a pod must or would like to be; as {@linkplain PodRules#antiAffinity() anti-affinity}, away from
 * which ones. Kubernetes' pod affinity. "Near" is in the same domain: on nodes with the same value of a label.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * // one pod of the database in each zone
 * PodAffinity.required(PodAffinity.Term.of(LabelSelector.label("app", "db"), "topology.kubernetes.io/zone"))
 * }</pre>
 *
 * @param required what must hold where the pod is placed, all of it
 * @param preferred what decides among the places that are legal
 */
public record PodAffinity(List<Term> required, List<Weighted> preferred) {
    /** Each term is counted over all running pods, and kept by domain; a pod is told of each that is about it. */
    static final int MOST_TERMS = 100;

    /** Nothing is demanded and nothing preferred. */
    public static final PodAffinity NONE = new PodAffinity(List.of(), List.of());

    /**
     * Some pods, and how near is near.
     *
     * @param pods which pods by their labels
     * @param namespaces the namespaces whose pods are meant, in order
     * @param namespaceSelector in addition the namespaces whose labels match; nothing for none. Without names and selector
     *     the pods of the owner's own namespace are meant
     * @param topologyKey the label of nodes whose values are the domains, such as {@code kubernetes.io/hostname}, or for nodes without it the
     *     level of the topology of this name, or {@link NodeRequirement#NAME} for the node itself; not blank
     */
    public record Term(
            LabelSelector pods, Set<String> namespaces, Optional<LabelSelector> namespaceSelector, String topologyKey) {
        /**
         * Copies the names.
         *
         * @throws IllegalArgumentException if the topology key is blank
         */
        public Term {
            Objects.requireNonNull(pods, "pods");
            Checks.noNulls("namespaces", namespaces);
            Objects.requireNonNull(namespaceSelector, "namespaceSelector");
            Objects.requireNonNull(topologyKey, "topologyKey");
            Checks.notBlank("pod affinity", "topologyKey", topologyKey);
            namespaces = java.util.Collections.unmodifiableSet(new TreeSet<>(namespaces));
        }

        /** Means pods of the owner's own namespace. */
        public static Term of(LabelSelector pods, String topologyKey) {
            Objects.requireNonNull(pods, "pods");
            Objects.requireNonNull(topologyKey, "topologyKey");
            return new Term(pods, Set.of(), Optional.empty(), topologyKey);
        }
    }

    /**
     * A preferred term.
     *
     * @param weight how much it counts, 1..100
     * @param term which pods
     */
    public record Weighted(int weight, Term term) {
        /**
         * Checks the weight.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public Weighted {
            Checks.inRange("preferred pod affinity", "weight", weight, 1, 100);
            Objects.requireNonNull(term, "term");
        }
    }

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if there are more than 100 terms of a kind
     */
    public PodAffinity {
        required = Checks.list("required", required);
        preferred = Checks.list("preferred", preferred);
        Checks.inRange("pod affinity", "number of required terms", required.size(), 0, MOST_TERMS);
        Checks.inRange("pod affinity", "number of preferred terms", preferred.size(), 0, MOST_TERMS);
    }

    /** Demands all of these. */
    public static PodAffinity required(Term... terms) {
        Checks.noNulls("terms", terms);
        return new PodAffinity(List.of(terms), List.of());
    }

    /** Prefers these. */
    public static PodAffinity preferred(Weighted... terms) {
        Checks.noNulls("terms", terms);
        return new PodAffinity(List.of(), List.of(terms));
    }

    /** Returns whether nothing is demanded and nothing preferred. */
    public boolean isNone() {
        return required.isEmpty() && preferred.isEmpty();
    }
}
