package io.gpusched.decision;

import io.gpusched.check.Checks;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeMode;
import io.gpusched.model.PodId;
import io.gpusched.model.Taint;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.NodeRequirement;
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

    /**
     * Running members of a group that must stay close keep the others near them.
     *
     * @param group the group, and how close its members must be
     * @param domains in how many domains its members run: 1 as a rule; if there are more the one with the most of them counts, if 0
     *     they are in none
     */
    record Elsewhere(GroupMembership group, int domains) implements Fact {
        /** Checks that nothing is missing. */
        public Elsewhere {
            Objects.requireNonNull(group, "group");
        }

        @Override
        public String toString() {
            return "group " + group
                    + switch (domains) {
                        case 0 -> ", runs in none";
                        case 1 -> "";
                        default -> ", runs in " + domains;
                    };
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

    /**
     * A port that other pods take on the nodes.
     *
     * @param pods those pods, by name
     */
    record TakenPort(HostPort port, List<PodId> pods) implements Fact {
        /** Copies the list. */
        public TakenPort {
            Objects.requireNonNull(port, "port");
            pods = Checks.list("pods", pods);
        }

        @Override
        public String toString() {
            return port + named(pods);
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
     * @param pods the pods that run in the domains of these nodes, by name
     */
    record Spread(String topologyKey, int maxSkew, long fewest, List<PodId> pods) implements Fact {
        /** Copies the list. */
        public Spread {
            Objects.requireNonNull(topologyKey, "topologyKey");
            pods = Checks.list("pods", pods);
        }

        @Override
        public String toString() {
            return place(topologyKey) + " (max skew " + maxSkew + ", the fewest " + fewest + ")" + named(pods);
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
            return place(topologyKey);
        }
    }

    /**
     * Pods keep apart from each other.
     *
     * @param topologyKey the label of nodes that names a domain
     * @param ofRunningPods whether it is a rule of pods that run; otherwise it is one of the pod that was refused
     * @param pods the pods that run in the domains of these nodes and exclude it, by name
     */
    record Apart(String topologyKey, boolean ofRunningPods, List<PodId> pods) implements Fact {
        /** Copies the list. */
        public Apart {
            Objects.requireNonNull(topologyKey, "topologyKey");
            pods = Checks.list("pods", pods);
        }

        @Override
        public String toString() {
            return (ofRunningPods ? "running pods keep it away" : "it stays away from pods") + " in the same "
                    + place(topologyKey) + named(pods);
        }
    }

    /** A group must stay within one domain of a topology level that other nodes have, and these not. */
    record NoDomain(String level) implements Fact {
        /** Checks that nothing is missing. */
        public NoDomain {
            Objects.requireNonNull(level, "level");
        }

        @Override
        public String toString() {
            return "no topology level \"" + level + "\"; the group must stay in one of its domains";
        }
    }

    /**
     * Something was asked for by a name that no node of the cluster knows.
     *
     * @param kind what it names
     * @param asked the name
     * @param known the names of this kind that nodes know, in order
     */
    record Unknown(Kind kind, String asked, List<String> known) implements Fact {
        /** What a name stands for. */
        public enum Kind {
            /** A level of the topology. */
            TOPOLOGY_LEVEL("topology level"),
            /** A label of nodes. */
            LABEL_KEY("label"),
            /** A label of nodes or a level of the topology, by which rules between pods tell domains. */
            TOPOLOGY_KEY("label or topology level"),
            /** A model of GPUs. */
            GPU_MODEL("GPU model"),
            /** A profile of hardware partitions. */
            PARTITION_PROFILE("partition profile");

            private final String words;

            Kind(String words) {
                this.words = words;
            }

            @Override
            public String toString() {
                return words;
            }
        }

        /** Copies the list. */
        public Unknown {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(asked, "asked");
            known = Checks.list("known", known);
        }

        @Override
        public String toString() {
            return "no node has the " + kind + " \"" + asked + "\"; "
                    + (known.isEmpty() ? "none is known here" : "known here are " + Words.some(known));
        }
    }

    /**
     * GPUs cannot be cut into partitions of a profile that others can be cut into, or that such models usually have.
     *
     * @param profile the name of the profile
     * @param models the models of these GPUs, in order
     * @param nodes the nodes whose GPUs can be cut so, by name, in node order
     * @param undescribed the {@link io.gpusched.model.partition.MigGeometry geometries} that have the profile, and that some of these GPUs,
     *     described without any, have if they are what their models say
     */
    record CannotBeCut(String profile, List<String> models, List<String> nodes, List<String> undescribed)
            implements Fact {
        /** Copies the lists. */
        public CannotBeCut {
            Objects.requireNonNull(profile, "profile");
            models = Checks.list("models", models);
            nodes = Checks.list("nodes", nodes);
            undescribed = Checks.list("undescribed", undescribed);
        }

        @Override
        public String toString() {
            return "GPUs of model " + String.join(" or ", models) + " have no " + profile
                    + (nodes.isEmpty() ? "" : ", those of " + Words.some(nodes) + " have")
                    + (undescribed.isEmpty()
                            ? ""
                            : ". Maybe say how they can be cut: geometry " + String.join(" or ", undescribed));
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

    private static String place(String topologyKey) {
        return topologyKey.equals(NodeRequirement.NAME) ? "node" : topologyKey;
    }

    private static String named(List<PodId> pods) {
        return pods.isEmpty() ? "" : " (" + Words.some(pods) + ")";
    }
}
