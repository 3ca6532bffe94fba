package io.gpusched.internal.select;

import io.gpusched.model.NamedAmounts;
import io.gpusched.model.NodeState;
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

    private final SlotTable nodes;

    /** By name, the one asked for last at the end: the nodes that have some of it free. */
    private final Map<String, Followed> byName = new LinkedHashMap<>(16, 0.75f, true);

    /** How many names were asked for so far. */
    private long asked;

    private static final class Followed {
        private final NodeSet having = new NodeSet(LabelColumn.ABSENT);
        private long lastAsked;
    }

    ResourceIndex(SlotTable nodes) {
        this.nodes = nodes;
    }

    /** Takes note of a node in another state; null where there was, or is, none. */
    void replace(int slot, @Nullable NodeState before, @Nullable NodeState after) {
        byName.forEach((name, followed) -> {
            boolean was = before != null && before.freeNamed().amount(name) > 0;
            boolean is = after != null && after.freeNamed().amount(name) > 0;
            if (was && !is) {
                followed.having.remove(slot);
            } else if (is && !was) {
                followed.having.add(slot);
            }
        });
    }

    /**
     * Returns nodes among which are all that have these amounts free: those with any of the rarest; null if too many names are
     * in use.
     *
     * <p>O(n) for a name not asked for lately, else O(names).
     */
    @Nullable
    Lead lead(NamedAmounts wanted) {
        NodeSet best = null;
        List<String> names = wanted.names();
        for (int i = 0; i < names.size(); i++) {
            Followed followed = followed(names.get(i));
            best = followed != null && (best == null || followed.having.size() < best.size()) ? followed.having : best;
        }
        return best == null ? null : Lead.of(List.of(best));
    }

    /** Returns the nodes that have some of a name free; null if so many others are in use that this one is not followed. */
    private @Nullable Followed followed(String name) {
        asked++;
        Followed known = byName.get(name);
        if (known == null && (byName.size() < MOST_NAMES || forgetOldest())) {
            Followed fresh = new Followed();
            for (int slot = nodes.next(0); slot >= 0; slot = nodes.next(slot + 1)) {
                if (nodes.state(slot).freeNamed().amount(name) > 0) {
                    fresh.having.add(slot);
                }
            }
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
