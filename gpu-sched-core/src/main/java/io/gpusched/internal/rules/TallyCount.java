package io.gpusched.internal.rules;

import io.gpusched.internal.index.NodeLabels;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts what no running pod needed so far, by one look at every pod. */
final class TallyCount {
    private final TallyKey.Matching key;
    private final Map<String, Integer> counts = new HashMap<>();

    private TallyCount(TallyKey.Matching key) {
        this.key = key;
    }

    /** Returns counts of matching pods that nobody needs yet. O(nodes + pods · keys). */
    static List<Tally> of(List<? extends TallyKey> keys, Iterable<NodeState> nodes, Namespaces known) {
        List<TallyCount> all = new ArrayList<>();
        for (TallyKey key : keys) {
            if (key instanceof TallyKey.Matching matching) {
                all.add(new TallyCount(matching));
            }
        }
        for (NodeState node : nodes) {
            for (Placement placement : RuleTerms.pods(node)) {
                for (int i = 0; i < all.size(); i++) {
                    all.get(i).look(placement, node, known);
                }
            }
        }
        return all.stream()
                .map(count -> new Tally(count.key, 0, DomainCounts.of(count.counts)))
                .toList();
    }

    private void look(Placement placement, NodeState node, Namespaces known) {
        PodRules rules = RuleTerms.rules(placement);
        boolean counts = !(key.lasting() && rules.terminating())
                && TallyTable.means(key, placement.pod().namespace(), rules.labels(), known);
        String domain = counts ? NodeLabels.value(key.topology(), node.node()) : null;
        if (domain != null) {
            this.counts.merge(domain, 1, Integer::sum);
        }
    }
}
