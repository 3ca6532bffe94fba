package io.gpusched.internal.search;

import io.gpusched.internal.access.ClusterAccess;
import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.ClusterStore;
import io.gpusched.internal.rules.RuleIndex;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;

/** What the rules between pods, and cordons that are tolerated, make of a request at one snapshot. */
public final class RuledDemand {
    private RuledDemand() {}

    /**
     * Returns a request with what its rules and those of running pods come to; the same request if there are none. O(domains)
     * for each rule that a running pod has too; O(nodes + pods) for others.
     */
    public static PodDemand of(Cluster cluster, PodDemand demand) {
        ClusterStore store = ClusterAccess.store(cluster);
        RuleSet rules = RuleSet.of(demand.pod(), store.rules(), store.size(), store::nodes);
        return rules == null ? demand : demand.with(rules);
    }

    /** Whether rules may keep a request away from nodes, now or once a pod like it was placed. */
    public static boolean isAffected(Cluster cluster, PodDemand demand) {
        RuleIndex index = ClusterAccess.store(cluster).rules();
        PodRules own = demand.pod().rules();
        return !index.isIdle() || own.concernsOthers() || own.nodeName().isPresent();
    }

    /** Returns how many rules a request has of its own; to apply them, and to place it, costs in proportion. */
    public static int countRules(PodDemand demand) {
        PodRules own = demand.pod().rules();
        return countTerms(own.affinity())
                + countTerms(own.antiAffinity())
                + own.spread().size()
                + own.hostPorts().size();
    }

    private static int countTerms(PodAffinity affinity) {
        return affinity.required().size() + affinity.preferred().size();
    }

    /** Whether preferences that do not depend on other pods may decide where a request goes. */
    public static boolean hasLikings(Cluster cluster, PodDemand demand) {
        return ClusterAccess.store(cluster).rules().hasAvoided()
                || !demand.pod().rules().preferredNodes().isEmpty();
    }

    /** Whether any node is cordoned. */
    public static boolean hasCordoned(Cluster cluster) {
        return ClusterAccess.store(cluster).rules().hasCordoned();
    }

    /** Returns a node as a pod sees it that may go to cordoned nodes. */
    public static NodeState opened(NodeState node, PodDemand demand) {
        return node.isCordoned() && Taints.isCordonTolerated(demand.pod().tolerations())
                ? NodeAccess.on(node, node.node().withCordoned(false), node.nodeClass(), NodeAccess.location(node))
                : node;
    }

    /** Returns the snapshot as a pod sees it that may go to cordoned nodes: with none. O(cordoned nodes · log n). */
    public static Cluster opened(Cluster cluster, PodDemand demand) {
        RuleIndex index = ClusterAccess.store(cluster).rules();
        if (!index.hasCordoned() || !Taints.isCordonTolerated(demand.pod().tolerations())) {
            return cluster;
        }
        Cluster open = cluster;
        for (String name : index.cordoned()) {
            open = open.withCordoned(name, false);
        }
        return open;
    }
}
