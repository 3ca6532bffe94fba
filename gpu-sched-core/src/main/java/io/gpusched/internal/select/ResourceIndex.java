package io.gpusched.internal.select;

import io.gpusched.model.NamedAmounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nodes by the resources counted by name of which they have any free, for those names that pods asked for lately: a pod that
 * asks for a rare one, or one that is nearly used up, need not look at the others. Not thread-safe.
 */
final class ResourceIndex {
    /** How many names are followed; each costs a look for every node that changes. */
    private static final int MOST_NAMES = 16;

    /** A name that was asked for among the last so many is not forgotten for another one. */
    private static final int RECENT = 1_024;

    private final NodeTable nodes;

    /** By name, the one asked for last at the end: the nodes that have some of it free. */
    private final Map<String, Followed> byName = new LinkedHashMap<>(16, 0.75f, true);

    /** How many names were asked for so far. */
    private long asked;

    private static final class Followed {
        private final NodeBucket having = new NodeBucket(new TreeCount(), LabelColumn.ABSENT);
        private long lastAsked;
    }

    ResourceIndex(NodeTable nodes) {
        this.nodes = nodes;
    }

    void add(KnownNode node) {
        NamedAmounts free = free(node.spot());
        byName.forEach((name, followed) -> {
            if (free.amount(name) > 0) {
                followed.having.add(node);
            }
        });
    }

    void remove(KnownNode node) {
        NamedAmounts free = free(node.spot());
        byName.forEach((name, followed) -> {
            if (free.amount(name) > 0) {
                followed.having.remove(node);
            }
        });
    }

    /** Takes note of a node that has gone to another state by now. */
    void note(KnownNode node, NodeSpot before) {
        NamedAmounts had = free(before);
        NamedAmounts has = free(node.spot());
        byName.forEach((name, followed) -> {
            NodeBucket bucket = followed.having;
            boolean was = had.amount(name) > 0;
            boolean is = has.amount(name) > 0;
            if (was && is) {
                bucket.note(before, node.spot());
            } else if (was) {
                bucket.remove(node, before);
            } else if (is) {
                bucket.add(node);
            }
        });
    }

    private static NamedAmounts free(NodeSpot spot) {
        return spot.node().freeNamed();
    }

    /**
     * Returns nodes among which are all that have these amounts free: those with any of the rarest.
     *
     * <p>O(n) for a name not asked for lately, else O(names).
     */
    Selection select(NamedAmounts wanted, Selection.Limits limits) {
        Selection best = new Selection(limits).withTooMany();
        List<String> names = wanted.names();
        for (int i = 0; i < names.size(); i++) {
            Followed followed = followed(names.get(i));
            if (followed != null) {
                Selection selection = new Selection(limits);
                selection.add(followed.having);
                best = selection.isBetterThan(best) ? selection : best;
            }
        }
        return best;
    }

    /** Returns the nodes that have some of a name free; null if so many others are in use that this one is not followed. */
    private @Nullable Followed followed(String name) {
        asked++;
        Followed known = byName.get(name);
        if (known == null && (byName.size() < MOST_NAMES || forgetOldest())) {
            Followed fresh = new Followed();
            nodes.forEach(node -> {
                if (free(node.spot()).amount(name) > 0) {
                    fresh.having.add(node);
                }
            });
            byName.put(name, fresh);
            known = fresh;
        }
        if (known != null) {
            known.lastAsked = asked;
        }
        return known;
    }

    private boolean forgetOldest() {
        Map.Entry<String, Followed> oldest = byName.entrySet().iterator().next();
        boolean unused = oldest.getValue().lastAsked < asked - RECENT;
        return unused && byName.remove(oldest.getKey(), oldest.getValue());
    }
}
