package io.gpusched.internal.rules;

import io.gpusched.model.Placement;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.PodRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tells which of many counts a pod belongs to, all of them at a time: O(labels · counts / 64). Not thread-safe. */
final class PodMatcher {
    private final List<TallyKey.Matching> keys;
    private final Namespaces known;

    /** What each demands of the labels of a pod: all its patterns together. */
    private final TermRows rows;

    /** Those that leave out pods which are about to end. */
    private final long[] lasting;

    /** By namespace of a pod: those that mean it. */
    private final Map<String, long[]> byNamespace = new TreeMap<>();

    /**
     * @param keys at least one
     * @param known the labels of namespaces
     */
    PodMatcher(List<TallyKey.Matching> keys, Namespaces known) {
        this.keys = keys;
        this.known = known;
        this.rows = new TermRows(keys.stream().map(PodMatcher::conditions).toList());
        this.lasting = new long[(keys.size() + Long.SIZE - 1) / Long.SIZE];
        for (int key = 0; key < keys.size(); key++) {
            lasting[key / Long.SIZE] |= keys.get(key).lasting() ? 1L << key : 0;
        }
    }

    private static Map<String, LabelCondition> conditions(TallyKey.Matching key) {
        Map<String, LabelCondition> conditions = new HashMap<>();
        for (PodPattern pattern : key.patterns()) {
            for (LabelSelector.Requirement requirement : pattern.pods().requirements()) {
                conditions
                        .computeIfAbsent(requirement.key(), any -> new LabelCondition())
                        .and(requirement);
            }
        }
        return conditions;
    }

    /** Returns the counts that a pod belongs to, a bit for each. */
    long[] met(Placement placement) {
        PodRules rules = RuleTerms.rules(placement);
        long[] met = rows.met(rules.labels(), "", null);
        long[] meant = byNamespace.computeIfAbsent(placement.pod().namespace(), this::meant);
        for (int w = 0; w < met.length; w++) {
            met[w] &= meant[w] & (rules.terminating() ? ~lasting[w] : -1L);
        }
        return met;
    }

    private long[] meant(String namespace) {
        long[] meant = new long[lasting.length];
        for (int key = 0; key < keys.size(); key++) {
            boolean all = keys.get(key).patterns().stream().allMatch(pattern -> pattern.isMeant(namespace, known));
            meant[key / Long.SIZE] |= all ? 1L << key : 0;
        }
        return meant;
    }
}
