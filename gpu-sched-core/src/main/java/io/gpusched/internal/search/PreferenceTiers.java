package io.gpusched.internal.search;

import io.gpusched.internal.fit.LayoutEffort;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.Preferences;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.NodeClass;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that prefers some nodes, taken apart into requests that prefer none: the first of them that has a place has the
 * best one. So indexes and remembered scores serve it, instead of a look at every node with room. Good for one decision.
 */
final class PreferenceTiers {
    /*
     * A plugin's raw numbers are scaled to 0..100 by the greatest among the nodes with room and rounded down. So a node is
     * liked best by labels if and only if its raw number is the greatest. It is by taints if it has the fewest of them, unless
     * some node has more than 100: only then may rounding make others as good. Where both have a say, how they are
     * weighed depends on which nodes have room; such requests are not taken apart. What pods around make of nodes is taken apart as
     * far as SoftTiers can.
     */

    /** Of so many preferences at most all combinations are asked for. */
    private static final int MOST_PREFERENCES = 5;

    /** Of so many terms at most a request may then consist: those of the pod's own selector times those of all combinations. */
    private static final int MOST_TERMS = 256;

    private final Supplier<@Nullable PodDemand> tiers;
    private final boolean isOfAllNodes;

    private PreferenceTiers(Supplier<@Nullable PodDemand> tiers, boolean isOfAllNodes) {
        this.tiers = tiers;
        this.isOfAllNodes = isOfAllNodes;
    }

    /**
     * Takes a request with rules apart as far as that can be done without a look at the nodes. Labels are made part of its selector, at
     * which only policies that look at occupancy alone do not look. What takes steps to lay out is weighed, so that none are taken
     * twice.
     */
    static PreferenceTiers of(List<NodeClass> classes, PodDemand demand, RuleSet rules, PlacementPolicy policy) {
        Preferences preferences = Objects.requireNonNull(rules.preferences(), "preferences");
        boolean byOccupancy = policy.scope() == PlacementPolicy.Scope.OCCUPANCY;
        List<PodDemand> known = byOccupancy ? byNodes(demand, preferences) : null;
        if (known == null) {
            boolean quick = LayoutEffort.isQuick(demand, classes);
            return new PreferenceTiers(quick ? betweenPods(demand, rules, preferences) : () -> null, false);
        }
        Iterator<PodDemand> all = known.iterator();
        return new PreferenceTiers(() -> all.hasNext() ? all.next() : null, true);
    }

    /** Returns the next of the requests, the most preferred first; null after the last. */
    @Nullable
    PodDemand next() {
        return tiers.get();
    }

    /** Whether the pod has no place if none of the requests has any; otherwise the nodes with room are to be weighed then. */
    boolean isOfAllNodes() {
        return isOfAllNodes;
    }

    private static Supplier<@Nullable PodDemand> betweenPods(PodDemand demand, RuleSet rules, Preferences preferences) {
        PodDemand open = preferences.mostAvoided() == 0 ? demand : demand.withAvoided(0);
        Supplier<@Nullable RuleSet> narrower = rules.tiers();
        return () -> {
            RuleSet tier = narrower.get();
            return tier == null ? null : open.with(tier);
        };
    }

    /** Returns all of the requests where what decides is the nodes alone; null if more decides, or these would be too many. */
    static @Nullable List<PodDemand> byNodes(PodDemand demand, Preferences preferences) {
        if (preferences.isOfTaints()) {
            return byTaints(demand, preferences.mostAvoided());
        }
        return isOfFewTerms(demand.pod()) && preferences.isOfLabels() ? byLabels(demand) : null;
    }

    private static boolean isOfFewTerms(Pod pod) {
        int preferred = pod.rules().preferredNodes().size();
        int own = Math.max(1, pod.nodeSelector().terms().size());
        return preferred <= MOST_PREFERENCES && (long) own << preferred <= MOST_TERMS;
    }

    private static List<PodDemand> byTaints(PodDemand demand, int most) {
        List<PodDemand> tiers = new ArrayList<>();
        for (int taints = 0; taints <= most; taints++) {
            tiers.add(demand.withAvoided(taints));
        }
        return tiers;
    }

    /** Nodes that a better tier had no room on may be in a later one as well. */
    private static List<PodDemand> byLabels(PodDemand demand) {
        List<NodePreference> preferences = demand.pod().rules().preferredNodes();
        TreeMap<Long, List<NodeSelector.Term>> bySum = new TreeMap<>(Comparator.reverseOrder());
        for (int some = 1; some < 1 << preferences.size(); some++) {
            long sum = 0;
            NodeSelector all = NodeSelector.ANY;
            for (int i = 0; i < preferences.size(); i++) {
                if ((some >>> i & 1) != 0) {
                    sum += preferences.get(i).weight();
                    all = all.and(new NodeSelector(List.of(preferences.get(i).term())));
                }
            }
            bySum.computeIfAbsent(sum, any -> new ArrayList<>()).addAll(all.terms());
        }
        List<PodDemand> tiers = new ArrayList<>();
        bySum.values().forEach(terms -> tiers.add(demand.within(new NodeSelector(terms))));
        tiers.add(demand);
        return tiers;
    }
}
