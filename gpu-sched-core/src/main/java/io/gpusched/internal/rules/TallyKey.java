package io.gpusched.internal.rules;

import io.gpusched.workload.HostPort;
import io.gpusched.workload.NodeRequirement;
import java.util.List;
import java.util.Map;

/** What is counted by domain. */
sealed interface TallyKey {
    /** The label of nodes whose values are the domains. */
    String topology();

    /** Whose pods it is about: all of these patterns must be matched. */
    List<PodPattern> patterns();

    /** Whether a pod is counted, or a held term is about it. */
    default boolean matches(String namespace, Map<String, String> labels, Map<String, Map<String, String>> namespaces) {
        List<PodPattern> all = patterns();
        for (int i = 0; i < all.size(); i++) {
            if (!all.get(i).matches(namespace, labels, namespaces)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Running pods that match.
     *
     * @param lasting whether pods that are about to end are left out
     */
    record Matching(List<PodPattern> patterns, boolean lasting, String topology) implements TallyKey {}

    /**
     * Running pods that hold a term against others, or for them.
     *
     * @param weight of a preferred term, negative of one to be apart; 0 of a required term to be apart
     */
    record Holding(List<PodPattern> patterns, int weight, String topology) implements TallyKey {
        /** Whether pods that match are kept out of the domain. */
        boolean keepsAway() {
            return weight == 0;
        }
    }

    /**
     * Running pods that take a port of their node.
     *
     * @param ip the address; {@value #ON_ALL} for all addresses together
     */
    record Port(int port, HostPort.Protocol protocol, String ip) implements TallyKey {
        static final String ON_ALL = "*";

        @Override
        public String topology() {
            return NodeRequirement.NAME;
        }

        @Override
        public List<PodPattern> patterns() {
            return List.of();
        }
    }
}
