package io.gpusched.bench.load;

import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.Taint;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Ways in which nodes differ from one another and pods choose among them: what a scheduler that groups equal nodes may
 * stumble over.
 */
public enum Cliff {
    /** Equal nodes, and pods that take any: what the others are compared with. */
    PLAIN,
    /** Each pod selects one node by the label {@code kubernetes.io/hostname}. */
    HOSTNAME,
    /** A thousand pools of nodes, and each pod selects one by a label. */
    POOLS,
    /** A thousand taints, one on each node, and each pod tolerates ten of them. */
    TAINTS,
    /** Each node has a taint of its own, and each pod tolerates any. */
    OWN_TAINT,
    /** Each node has an amount of GPU memory and of CPU of its own. */
    OWN_HARDWARE,
    /** Each node has a number, and each pod wants one within a range that half of them are in. */
    GT_LT,
    /** A thousand pools, and each pod keeps out of ten of them. */
    NOT_IN,
    /** Twenty labels of ten values on each node, and each pod selects by two of them. */
    LABELS,
    /** Every tenth node has a taint that is only to be avoided, and no pod tolerates it. */
    AVOIDED,
    /** A thousand pools, and each pod prefers one of them by a label. */
    PREFERRED;

    private static final String HOST = "kubernetes.io/hostname";
    private static final String POOL = "example.com/pool";
    private static final String GROUP = "example.com/group";
    private static final String NUMBER = "example.com/number";
    private static final int GROUPS = 1_000;
    private static final int KEYS = 20;
    private static final int VALUES = 10;

    /** Returns these nodes, each with what makes it differ from the others. */
    public List<Node> nodes(List<Node> nodes) {
        SplittableRandom random = new SplittableRandom(7);
        List<Node> changed = new ArrayList<>(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            changed.add(node(nodes.get(i), i, random));
        }
        return changed;
    }

    private Node node(Node node, int number, SplittableRandom random) {
        String group = group(random);
        return switch (this) {
            case PLAIN -> node;
            case HOSTNAME -> node.toBuilder().label(HOST, node.name()).build();
            case POOLS, NOT_IN, PREFERRED -> node.toBuilder().label(POOL, group).build();
            case TAINTS ->
                node.toBuilder().taint(Taint.noSchedule(GROUP, group)).build();
            case OWN_TAINT ->
                node.toBuilder().taint(Taint.noSchedule(GROUP, node.name())).build();
            case AVOIDED ->
                number % 10 > 0
                        ? node
                        : node.toBuilder()
                                .taint(new Taint(GROUP, "", Taint.Effect.PREFER_NO_SCHEDULE))
                                .build();
            case OWN_HARDWARE -> ownHardware(node, number);
            case GT_LT ->
                node.toBuilder()
                        .label(NUMBER, Integer.toString(random.nextInt(GROUPS)))
                        .build();
            case LABELS -> {
                Node.Builder builder = node.toBuilder();
                for (int key = 0; key < KEYS; key++) {
                    builder.label(key(key), value(random));
                }
                yield builder.build();
            }
        };
    }

    private static Node ownHardware(Node node, int number) {
        Node.Builder builder = Node.builder(node.name())
                .topology(node.topology())
                .capacity(
                        node.capacity().cpuMillis() + number % 1_000,
                        node.capacity().memoryMib() + number / 1_000);
        for (Gpu gpu : node.gpus()) {
            builder.gpu(new Gpu(
                    gpu.index(),
                    gpu.uuid(),
                    gpu.model(),
                    gpu.computeMillis(),
                    gpu.memoryMib() + number,
                    gpu.slots(),
                    gpu.numaNode(),
                    gpu.healthy()));
        }
        return builder.build();
    }

    /** Returns this pod, choosing among the nodes. */
    public Pod pod(Pod pod, List<Node> nodes, SplittableRandom random) {
        return switch (this) {
            case PLAIN, OWN_HARDWARE, AVOIDED -> pod;
            case HOSTNAME ->
                selecting(
                        pod,
                        NodeRequirement.in(
                                HOST, nodes.get(random.nextInt(nodes.size())).name()));
            case POOLS -> selecting(pod, NodeRequirement.in(POOL, group(random)));
            case PREFERRED ->
                pod.withRules(PodRules.NONE.withPreferredNodes(new NodePreference(
                        1, new NodeSelector.Term(List.of(NodeRequirement.in(POOL, group(random)))))));
            case NOT_IN ->
                selecting(pod, new NodeRequirement(POOL, NodeRequirement.Operator.NOT_IN, groups(random, 10)));
            case TAINTS ->
                tolerating(
                        pod,
                        groups(random, 10).stream()
                                .map(group -> Toleration.equal(GROUP, group))
                                .toList());
            case OWN_TAINT -> tolerating(pod, List.of(Toleration.exists(GROUP)));
            case GT_LT -> {
                int from = random.nextInt(GROUPS / 2);
                yield selecting(
                        pod,
                        new NodeRequirement(NUMBER, NodeRequirement.Operator.GT, List.of(Integer.toString(from - 1))),
                        new NodeRequirement(
                                NUMBER, NodeRequirement.Operator.LT, List.of(Integer.toString(from + GROUPS / 2))));
            }
            case LABELS -> {
                int key = random.nextInt(KEYS);
                int other = (key + 1 + random.nextInt(KEYS - 1)) % KEYS;
                yield selecting(
                        pod,
                        NodeRequirement.in(key(key), value(random)),
                        NodeRequirement.in(key(other), value(random)));
            }
        };
    }

    private static Pod selecting(Pod pod, NodeRequirement... requirements) {
        return new Pod(pod.id(), pod.containers(), NodeSelector.all(requirements), pod.tolerations());
    }

    private static Pod tolerating(Pod pod, List<Toleration> tolerations) {
        return new Pod(pod.id(), pod.containers(), pod.nodeSelector(), tolerations);
    }

    private static String group(SplittableRandom random) {
        return "g" + random.nextInt(GROUPS);
    }

    private static List<String> groups(SplittableRandom random, int count) {
        int first = random.nextInt(GROUPS);
        List<String> groups = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            groups.add("g" + (first + i) % GROUPS);
        }
        return groups;
    }

    private static String key(int number) {
        return "example.com/key-" + number;
    }

    private static String value(SplittableRandom random) {
        return "v" + random.nextInt(VALUES);
    }
}
