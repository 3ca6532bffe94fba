package io.gpusched.internal.rules;

import io.gpusched.workload.HostPort;
import io.gpusched.workload.NodeRequirement;
import java.util.List;

/** What is counted by domain. */
sealed interface TallyKey {
    /** The label of nodes whose values are the domains. */
    String topology();

    /**
     * Running pods that match.
     *
     * @param patterns all of which they must match
     * @param lasting whether pods that are about to end are left out
     */
    record Matching(List<PodPattern> patterns, boolean lasting, String topology) implements TallyKey {
        @Override
        public int hashCode() {
            return Long.hashCode(TallyHash.of(this));
        }
    }

    /**
     * Running pods that hold a term against others, or for them.
     *
     * @param pattern whom the term means
     * @param weight of a wish, negative of one to be apart; 0 of what is required
     */
    record Holding(Kind kind, PodPattern pattern, int weight, String topology) implements TallyKey {
        @Override
        public int hashCode() {
            return Long.hashCode(TallyHash.of(this));
        }
    }

    /** What a term does to the pods it means. */
    enum Kind {
        /** Keeps them out of the domain. */
        APART,
        /** Demanded to be near them, and likes more of them there. */
        NEAR,
        /** Likes or dislikes them there. */
        WISH
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
        public int hashCode() {
            return Long.hashCode(TallyHash.of(this));
        }
    }
}
