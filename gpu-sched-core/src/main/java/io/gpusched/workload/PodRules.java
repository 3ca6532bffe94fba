package io.gpusched.workload;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a pod shows to other pods, and what it demands and prefers of the pods and nodes around it beyond room, labels and
 * taints. Schedulers honour it as kube-scheduler does, both ways: what a running pod demands keeps others away too. The
 * placements of schedulers carry it, so a snapshot knows it of what runs.
 *
 * <p>What is required holds at the moment of placing, not later: a snapshot takes placements that break it, as Kubernetes
 * ignores it of what runs.
 *
 * <p>Preferences decide before the policy does, among all places that are legal, and by kube-scheduler's own scores. Each of
 * taints of effect {@code PREFER_NO_SCHEDULE} (weight 3), preferred node affinity, preferred spread and preferred pod affinity
 * (weight 2 each) gives a node 0..100, and the node with the highest weighted sum wins; the policy decides among equal ones. A
 * pod without preferences, in a cluster where no running pod prefers it near or away, is left to the policy alone.
 *
 * <p>Immutable and thread-safe.
 *
 * @param labels its labels, by which the rules of pods find it, in key order
 * @param affinity near which pods it must or would like to be
 * @param antiAffinity away from which pods it must or would like to be; others like this are kept away from it in turn
 * @param spread how it is to be spread with its like, in order
 * @param hostPorts the ports of its node that it takes
 * @param preferredNodes which nodes it prefers
 * @param nodeName the only node it may go to; nothing for any
 * @param terminating whether it is about to end: it still holds what it holds, but is not counted by spreading
 */
public record PodRules(
        Map<String, String> labels,
        PodAffinity affinity,
        PodAffinity antiAffinity,
        List<TopologySpread> spread,
        List<HostPort> hostPorts,
        List<NodePreference> preferredNodes,
        Optional<String> nodeName,
        boolean terminating) {
    /** No labels, no demands, no preferences. */
    public static final PodRules NONE = new PodRules(
            Map.of(), PodAffinity.NONE, PodAffinity.NONE, List.of(), List.of(), List.of(), Optional.empty(), false);

    /**
     * Copies the collections.
     *
     * @throws IllegalArgumentException if a label has a blank key, the name of a node is blank, or there are more than 100
     *     constraints of spread or preferred terms of node affinity
     */
    public PodRules {
        Objects.requireNonNull(affinity, "affinity");
        Objects.requireNonNull(antiAffinity, "antiAffinity");
        Objects.requireNonNull(nodeName, "nodeName");
        labels = Checks.ascending("labels", labels);
        labels.keySet().forEach(key -> Checks.notBlank("pod", "label key", key));
        spread = Checks.list("spread", spread);
        Checks.inRange("pod", "number of spread constraints", spread.size(), 0, PodAffinity.MOST_TERMS);
        hostPorts = Checks.list("hostPorts", hostPorts);
        preferredNodes = Checks.list("preferredNodes", preferredNodes);
        Checks.inRange("pod", "number of preferred nodes", preferredNodes.size(), 0, PodAffinity.MOST_TERMS);
        nodeName.ifPresent(name -> Checks.notBlank("pod", "nodeName", name));
    }

    /** Returns these rules with other labels. */
    public PodRules withLabels(Map<String, String> value) {
        Checks.noNulls("value", value);
        return new PodRules(value, affinity, antiAffinity, spread, hostPorts, preferredNodes, nodeName, terminating);
    }

    /** Returns these rules with another affinity. */
    public PodRules withAffinity(PodAffinity value) {
        Objects.requireNonNull(value, "value");
        return new PodRules(labels, value, antiAffinity, spread, hostPorts, preferredNodes, nodeName, terminating);
    }

    /** Returns these rules with another anti-affinity. */
    public PodRules withAntiAffinity(PodAffinity value) {
        Objects.requireNonNull(value, "value");
        return new PodRules(labels, affinity, value, spread, hostPorts, preferredNodes, nodeName, terminating);
    }

    /** Returns these rules with other constraints on how the pod is spread. */
    public PodRules withSpread(TopologySpread... value) {
        Checks.noNulls("value", value);
        return new PodRules(
                labels, affinity, antiAffinity, List.of(value), hostPorts, preferredNodes, nodeName, terminating);
    }

    /** Returns these rules with other ports. */
    public PodRules withHostPorts(HostPort... value) {
        Checks.noNulls("value", value);
        return new PodRules(
                labels, affinity, antiAffinity, spread, List.of(value), preferredNodes, nodeName, terminating);
    }

    /** Returns these rules with other preferred nodes. */
    public PodRules withPreferredNodes(NodePreference... value) {
        Checks.noNulls("value", value);
        return new PodRules(labels, affinity, antiAffinity, spread, hostPorts, List.of(value), nodeName, terminating);
    }

    /**
     * Returns these rules for one node only.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public PodRules withNodeName(String value) {
        Objects.requireNonNull(value, "value");
        return new PodRules(
                labels, affinity, antiAffinity, spread, hostPorts, preferredNodes, Optional.of(value), terminating);
    }

    /** Returns these rules of a pod that is about to end, or not. */
    public PodRules withTerminating(boolean value) {
        return new PodRules(labels, affinity, antiAffinity, spread, hostPorts, preferredNodes, nodeName, value);
    }

    /** Returns whether a pod that runs under these rules has a say in where others go, or in how pods are counted. */
    public boolean concernsOthers() {
        return !(affinity.isNone() && antiAffinity.isNone() && spread.isEmpty() && hostPorts.isEmpty());
    }
}
