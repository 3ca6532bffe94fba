package io.gpusched.decision;

import io.gpusched.check.Checks;
import io.gpusched.decision.Amount.Quantity;
import io.gpusched.model.PodId;
import io.gpusched.model.Taint;
import java.util.List;
import java.util.Objects;

/**
 * One step of a {@link Remedy}: something that has to change so that the request fits. {@link Object#toString} says it in words.
 *
 * <p>Nodes are given by name, GPUs by index.
 */
public sealed interface Change {
    /** Let new pods onto the node again. */
    record Uncordon(String node) implements Change {
        /** Checks that nothing is missing. */
        public Uncordon {
            Objects.requireNonNull(node, "node");
        }

        @Override
        public String toString() {
            return "uncordon " + node;
        }
    }

    /** Repair the GPU. */
    record RepairGpu(String node, int gpu) implements Change {
        /** Checks that nothing is missing. */
        public RepairGpu {
            Objects.requireNonNull(node, "node");
        }

        @Override
        public String toString() {
            return "repair GPU " + gpu + " of " + node;
        }
    }

    /**
     * Release pods of the node.
     *
     * @param pods the pods that may be released, by name
     * @param count how many of them have to be, whichever; at least 1
     */
    record ReleasePods(String node, List<PodId> pods, int count) implements Change {
        /**
         * Copies the list.
         *
         * @throws IllegalArgumentException if there are not so many pods
         */
        public ReleasePods {
            Objects.requireNonNull(node, "node");
            pods = Checks.list("pods", pods);
            Checks.inRange("release on node \"" + node + "\"", "count", count, 1, pods.size());
        }

        @Override
        public String toString() {
            return "release "
                    + (count < pods.size() ? count + " of the pods " : pods.size() == 1 ? "pod " : "pods ")
                    + Words.quoted(pods) + " on " + node;
        }
    }

    /**
     * Free this much of what the node has.
     *
     * @param quantity CPU_MILLIS, MEMORY_MIB or RESOURCE
     * @param resource the name of a RESOURCE; otherwise empty
     */
    record FreeOnNode(String node, Quantity quantity, long amount, String resource) implements Change {
        /** Checks that nothing is missing. */
        public FreeOnNode {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(quantity, "quantity");
            Objects.requireNonNull(resource, "resource");
        }

        @Override
        public String toString() {
            return "free " + (resource.isEmpty() ? quantity.inWords(amount) : Amount.words(resource, amount)) + " on "
                    + node;
        }
    }

    /**
     * Free this much of the GPU.
     *
     * @param quantity GPU_COMPUTE_MILLIS, GPU_MEMORY_MIB or GPU_SLOTS
     */
    record FreeOnGpu(String node, int gpu, Quantity quantity, long amount) implements Change {
        /** Checks that nothing is missing. */
        public FreeOnGpu {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(quantity, "quantity");
        }

        @Override
        public String toString() {
            String what = quantity == Quantity.GPU_COMPUTE_MILLIS
                    ? Amount.percent(amount) + " of the compute of"
                    : quantity.inWords(amount) + " on";
            return "free " + what + " GPU " + gpu + " of " + node;
        }
    }

    /**
     * Let more GPUs of the node become idle.
     *
     * @param more how many more
     * @param idle how many of the GPUs that would do are idle
     * @param accepted the indexes of the GPUs that the request accepts; empty if it accepts all of the node
     */
    record FreeIdleGpus(String node, int more, int idle, List<Integer> accepted) implements Change {
        /** Copies the list. */
        public FreeIdleGpus {
            Objects.requireNonNull(node, "node");
            accepted = Checks.list("accepted", accepted);
        }

        @Override
        public String toString() {
            return more + " more idle GPU" + (more == 1 ? "" : "s") + " on " + node + " (has " + idle + " of "
                    + (idle + more) + (accepted.isEmpty() ? "" : ", accepts GPUs " + accepted) + ")";
        }
    }

    /** Let the pod tolerate the taint of the node. */
    record TolerateTaint(String node, Taint taint) implements Change {
        /** Checks that nothing is missing. */
        public TolerateTaint {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(taint, "taint");
        }

        @Override
        public String toString() {
            return "tolerate taint " + taint + " of " + node;
        }
    }

    /** Let the pod accept the labels of the node. */
    record AcceptLabels(String node) implements Change {
        /** Checks that nothing is missing. */
        public AcceptLabels {
            Objects.requireNonNull(node, "node");
        }

        @Override
        public String toString() {
            return "accept the labels of " + node;
        }
    }

    /**
     * Make room for more members of a group, on nodes that there are: by pods that leave, cordons that are lifted, GPUs that are
     * repaired.
     *
     * @param pods how many more, at least 1
     * @param each what each of them needs, and in which domain
     * @param node the node on which they must be; empty if any will do
     */
    record MakeRoom(int pods, NodeTemplate each, String node) implements Change {
        /** Checks that nothing is missing. */
        public MakeRoom {
            Objects.requireNonNull(each, "each");
            Objects.requireNonNull(node, "node");
        }

        @Override
        public String toString() {
            return "make room" + (node.isEmpty() ? "" : " on " + node)
                    + (pods == 1 ? " for a pod of " : " for " + pods + " pods, each of ") + each;
        }
    }

    /**
     * Let the members of the group be in more than one place.
     *
     * @param level the topology level of the places, {@code node} for nodes
     */
    record SpreadGroup(String level) implements Change {
        /** Checks that nothing is missing. */
        public SpreadGroup {
            Objects.requireNonNull(level, "level");
        }

        @Override
        public String toString() {
            return "let the group use more than one " + level;
        }
    }

    /**
     * Add nodes.
     *
     * @param count how many, at least 1
     * @param each what each of them must be
     */
    record AddNodes(int count, NodeTemplate each) implements Change {
        /** Checks that nothing is missing. */
        public AddNodes {
            Objects.requireNonNull(each, "each");
        }

        @Override
        public String toString() {
            return count == 1 ? "add a node with " + each : "add " + count + " nodes, each with " + each;
        }
    }

    /**
     * Ask for what nodes know by name.
     *
     * @param kind what was asked for
     * @param asked its name
     * @param known the names that nodes know, in order; empty if there are none, so that nodes have to be given the one that was asked for
     */
    record ChooseKnown(Fact.Unknown.Kind kind, String asked, List<String> known) implements Change {
        /** Copies the list. */
        public ChooseKnown {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(asked, "asked");
            known = Checks.list("known", known);
        }

        @Override
        public String toString() {
            return known.isEmpty()
                    ? "give nodes the " + kind + " \"" + asked + "\""
                    : "ask for a " + kind + " that nodes have: " + Words.some(known);
        }
    }

    /** Change a quota of the system that the request comes from, as these words say. */
    record RaiseQuota(String words) implements Change {
        /** Checks that nothing is missing. */
        public RaiseQuota {
            Objects.requireNonNull(words, "words");
        }

        @Override
        public String toString() {
            return words;
        }
    }
}
