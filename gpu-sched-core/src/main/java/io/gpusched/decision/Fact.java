package io.gpusched.decision;

import io.gpusched.internal.check.Checks;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeMode;
import io.gpusched.model.PodId;
import io.gpusched.model.Taint;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.NodeSelector;
import java.util.List;
import java.util.Objects;

/**
 * What belongs to a {@link Reason} besides amounts, such as a taint or a rule between pods. {@link Object#toString} says it in
 * words.
 */
public sealed interface Fact {
    /** The only node that the pod may go to. */
    record OnlyNode(String node) implements Fact {
        /** Checks that nothing is missing. */
        public OnlyNode {
            Objects.requireNonNull(node, "node");
        }

        @Override
        public String toString() {
            return node;
        }
    }

    /** A taint that is not tolerated. */
    record Tainted(Taint taint) implements Fact {
        /** Checks that nothing is missing. */
        public Tainted {
            Objects.requireNonNull(taint, "taint");
        }

        @Override
        public String toString() {
            return taint.toString();
        }
    }

    /** The labels that were asked for. */
    record Labels(NodeSelector asked) implements Fact {
        /** Checks that nothing is missing. */
        public Labels {
            Objects.requireNonNull(asked, "asked");
        }

        @Override
        public String toString() {
            return asked.toString();
        }
    }

    /** A port that another pod on the node takes. */
    record TakenPort(HostPort port) implements Fact {
        /** Checks that nothing is missing. */
        public TakenPort {
            Objects.requireNonNull(port, "port");
        }

        @Override
        public String toString() {
            return port.toString();
        }
    }

    /** The mode of nodes that do not admit the request. */
    record Mode(NodeMode mode) implements Fact {
        /** Checks that nothing is missing. */
        public Mode {
            Objects.requireNonNull(mode, "mode");
        }

        @Override
        public String toString() {
            return mode.toString();
        }
    }

    /** Some of the nodes take no pods at all; amounts are those of the others. */
    record NoPods() implements Fact {
        @Override
        public String toString() {
            return "maxPods is 0";
        }
    }

    /**
     * Pods are to be spread.
     *
     * @param topologyKey the label of nodes that names a domain
     * @param maxSkew how many more of the pods than the fewest a domain may have
     * @param fewest how many the domain with the fewest has
     */
    record Spread(String topologyKey, int maxSkew, long fewest) implements Fact {
        /** Checks that nothing is missing. */
        public Spread {
            Objects.requireNonNull(topologyKey, "topologyKey");
        }

        @Override
        public String toString() {
            return topologyKey + " (max skew " + maxSkew + ", the fewest " + fewest + ")";
        }
    }

    /** A pod must be near must run in the same domain, which this label of nodes names. */
    record Near(String topologyKey) implements Fact {
        /** Checks that nothing is missing. */
        public Near {
            Objects.requireNonNull(topologyKey, "topologyKey");
        }

        @Override
        public String toString() {
            return topologyKey;
        }
    }

    /**
     * Pods keep apart from each other.
     *
     * @param topologyKey the label of nodes that names a domain
     * @param ofRunningPods whether it is a rule of pods that run; otherwise it is one of the pod that was refused
     */
    record Apart(String topologyKey, boolean ofRunningPods) implements Fact {
        /** Checks that nothing is missing. */
        public Apart {
            Objects.requireNonNull(topologyKey, "topologyKey");
        }

        @Override
        public String toString() {
            return (ofRunningPods ? "running pods keep it away" : "it stays away from pods") + " in the same "
                    + topologyKey;
        }
    }

    /**
     * A group must stay within one domain of a topology level that these nodes are in none of.
     *
     * @param level the level
     * @param known the levels of the cluster if this is not one of them; otherwise empty
     * @param isKnown whether other nodes are in a domain of it
     */
    record NoDomain(String level, List<String> known, boolean isKnown) implements Fact {
        /** Copies the list. */
        public NoDomain {
            Objects.requireNonNull(level, "level");
            known = Checks.list("known", known);
        }

        @Override
        public String toString() {
            if (isKnown) {
                return "no topology level \"" + level + "\", in one domain of which the group must stay";
            }
            return "no node has the topology level \"" + level + "\"; "
                    + (known.isEmpty() ? "no node says where it stands" : "levels are " + String.join(", ", known));
        }
    }

    /**
     * Too few members of a group have room together.
     *
     * @param member one that has none
     * @param locality where the group must stay
     * @param role its role
     * @param roleLacks how many more of its role have to start; 0 if enough have room
     */
    record Members(PodId member, Locality locality, String role, int roleLacks) implements Fact {
        /** Checks that nothing is missing. */
        public Members {
            Objects.requireNonNull(member, "member");
            Objects.requireNonNull(locality, "locality");
            Objects.requireNonNull(role, "role");
        }

        @Override
        public String toString() {
            return "member \"" + member + "\"" + where()
                    + (roleLacks > 0 ? ", role \"" + role + "\" lacks " + roleLacks : "");
        }

        String where() {
            if (!locality.required() || locality.scope() == Locality.Scope.ANYWHERE) {
                return "";
            }
            return locality.scope() == Locality.Scope.NODE ? " on one node" : " in one " + locality.level();
        }
    }

    /** A limit of the system that the request comes from, in its words. */
    record Quota(String words) implements Fact {
        /** Checks that nothing is missing. */
        public Quota {
            Objects.requireNonNull(words, "words");
        }

        @Override
        public String toString() {
            return words;
        }
    }
}
