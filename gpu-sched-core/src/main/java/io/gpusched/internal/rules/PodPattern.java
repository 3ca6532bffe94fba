package io.gpusched.internal.rules;

import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.PodAffinity;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which pods a rule is about, its owner's namespace filled in.
 *
 * @param namespaces whose pods
 * @param namespaceSelector in addition the pods of namespaces with such labels
 * @param pods which of their pods
 */
record PodPattern(Set<String> namespaces, Optional<LabelSelector> namespaceSelector, LabelSelector pods) {
    static PodPattern of(PodAffinity.Term term, String owner) {
        boolean own = term.namespaces().isEmpty() && term.namespaceSelector().isEmpty();
        return new PodPattern(own ? Set.of(owner) : term.namespaces(), term.namespaceSelector(), term.pods());
    }

    static PodPattern within(String namespace, LabelSelector pods) {
        return new PodPattern(Set.of(namespace), Optional.empty(), pods);
    }

    /**
     * Whether a pod is one of these.
     *
     * @param known the labels of namespaces; one that is not known has none
     */
    boolean matches(String namespace, Map<String, String> labels, Map<String, Map<String, String>> known) {
        return isMeant(namespace, known) && pods.matches(labels);
    }

    private boolean isMeant(String namespace, Map<String, Map<String, String>> known) {
        return namespaces.contains(namespace)
                || namespaceSelector.isPresent()
                        && namespaceSelector.get().matches(known.getOrDefault(namespace, Map.of()));
    }

    /** Whether labels of namespaces decide. */
    boolean looksAtNamespaces() {
        return namespaceSelector.isPresent();
    }
}
