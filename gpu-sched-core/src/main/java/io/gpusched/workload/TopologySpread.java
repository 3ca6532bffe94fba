package io.gpusched.workload;

import io.gpusched.check.Checks;
import java.util.Objects;

/**
 * How evenly pods are to be spread over domains (nodes with the same value of a label): Kubernetes' topology spread
 * constraint.
 *
 * <p>Pods of the owner's namespace that match are counted, those that are {@linkplain PodRules#terminating terminating}
 * aside. A place is legal if its domain would have at most {@code maxSkew} pods more than the domain with the fewest. Domains
 * are those of the nodes that have the keys of all required constraints of the pod and that the inclusion policies admit;
 * if they are fewer than {@code minDomains}, the fewest counts as 0. As in kube-scheduler, a selector without requirements
 * counts no running pod.
 *
 * <p>Worked example: zones with 3, 2 and 2 pods, maxSkew 1. The next pod may go to the second and the third zone: 2 + 1 - 2
 * = 1; in the first, 3 + 1 - 2 = 2 would be too many.
 *
 * <p>Immutable and thread-safe.
 *
 * @param topologyKey the label of nodes whose values are the domains, not blank
 * @param maxSkew by how many pods a domain may exceed the emptiest, at least 1
 * @param minDomains how many domains there should be at least, from 1
 * @param required whether a place that breaks the rule is illegal ({@code DoNotSchedule}), or only less preferred
 * @param pods which pods are counted; whether the pod itself is depends on whether it matches
 * @param honorsNodeSelector whether only nodes that the pod's node selector accepts are counted (Kubernetes' default)
 * @param honorsTaints whether only nodes whose taints the pod tolerates are counted (not Kubernetes' default)
 */
public record TopologySpread(
        String topologyKey,
        int maxSkew,
        int minDomains,
        boolean required,
        LabelSelector pods,
        boolean honorsNodeSelector,
        boolean honorsTaints) {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if the key is blank or a number is below 1
     */
    public TopologySpread {
        Objects.requireNonNull(topologyKey, "topologyKey");
        Objects.requireNonNull(pods, "pods");
        Checks.notBlank("topology spread", "topologyKey", topologyKey);
        String what = "topology spread over \"" + topologyKey + "\"";
        Checks.inRange(what, "maxSkew", maxSkew, 1, Integer.MAX_VALUE);
        Checks.inRange(what, "minDomains", minDomains, 1, Integer.MAX_VALUE);
    }

    /** Demands a skew of at most so many pods, with Kubernetes' defaults for the rest. */
    public static TopologySpread required(String topologyKey, int maxSkew, LabelSelector pods) {
        Objects.requireNonNull(topologyKey, "topologyKey");
        Objects.requireNonNull(pods, "pods");
        return new TopologySpread(topologyKey, maxSkew, 1, true, pods, true, false);
    }

    /** Prefers the domains with the fewest pods, with Kubernetes' defaults for the rest. */
    public static TopologySpread preferred(String topologyKey, int maxSkew, LabelSelector pods) {
        Objects.requireNonNull(topologyKey, "topologyKey");
        Objects.requireNonNull(pods, "pods");
        return new TopologySpread(topologyKey, maxSkew, 1, false, pods, true, false);
    }
}
