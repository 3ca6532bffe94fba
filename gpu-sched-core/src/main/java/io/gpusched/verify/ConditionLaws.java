package io.gpusched.verify;

import io.gpusched.model.Node;
import io.gpusched.model.Taint;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a node asks of a new pod, and the pod of its node, whatever runs there: kube-scheduler's NodeName, NodeUnschedulable,
 * TaintToleration and NodeAffinity.
 */
final class ConditionLaws {
    private static final Taint CORDON = Taint.noSchedule("node.kubernetes.io/unschedulable", "");

    private ConditionLaws() {}

    static List<Violation> check(Pod pod, Node node) {
        List<Violation> broken = new ArrayList<>();
        String subject = "pod \"" + pod.id() + "\"";
        if (node.cordoned() && !isTolerated(pod, CORDON)) {
            broken.add(Violation.of(Law.CORDON, subject, "node \"" + node.name() + "\" is cordoned"));
        }
        for (Taint taint : node.taints()) {
            if (taint.effect() != Taint.Effect.PREFER_NO_SCHEDULE && !isTolerated(pod, taint)) {
                broken.add(Violation.of(
                        Law.TAINT,
                        subject,
                        "it does not tolerate taint " + taint + " of node \"" + node.name() + "\""));
            }
        }
        if (!isSelected(pod.nodeSelector(), node)) {
            broken.add(Violation.of(
                    Law.NODE_SELECTOR, subject, "node \"" + node.name() + "\" is not one with " + pod.nodeSelector()));
        }
        String only = pod.rules().nodeName().orElse(node.name());
        if (!only.equals(node.name())) {
            broken.add(Violation.of(
                    Law.NODE_NAME, subject, "it may go to \"" + only + "\" only, got \"" + node.name() + "\""));
        }
        return broken;
    }

    /** Whether a pod tolerates a taint: an empty key means every key, no value every value, no effect every effect. */
    static boolean isTolerated(Pod pod, Taint taint) {
        return pod.tolerations().stream()
                .anyMatch(toleration ->
                        (toleration.key().isEmpty() || toleration.key().equals(taint.key()))
                                && toleration.value().orElse(taint.value()).equals(taint.value())
                                && toleration.effect().orElse(taint.effect()) == taint.effect());
    }

    /** Whether any term holds; without terms every node is accepted. */
    static boolean isSelected(NodeSelector selector, Node node) {
        return selector.terms().isEmpty()
                || selector.terms().stream()
                        .anyMatch(
                                term -> term.requirements().stream().allMatch(requirement -> isMet(requirement, node)));
    }

    private static boolean isMet(NodeRequirement requirement, Node node) {
        Map<String, String> labels = node.labels();
        boolean isName = requirement.key().equals(NodeRequirement.NAME);
        boolean has = isName || labels.containsKey(requirement.key());
        String value = isName ? node.name() : labels.getOrDefault(requirement.key(), "");
        return switch (requirement.operator()) {
            case IN -> has && requirement.values().contains(value);
            case NOT_IN -> !has || !requirement.values().contains(value);
            case EXISTS -> has;
            case DOES_NOT_EXIST -> !has;
            case GT ->
                has
                        && isWhole(value)
                        && Long.parseLong(value)
                                > Long.parseLong(requirement.values().get(0));
            case LT ->
                has
                        && isWhole(value)
                        && Long.parseLong(value)
                                < Long.parseLong(requirement.values().get(0));
        };
    }

    private static boolean isWhole(String text) {
        try {
            Long.parseLong(text);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
