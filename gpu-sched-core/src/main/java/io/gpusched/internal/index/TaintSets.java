package io.gpusched.internal.index;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.NodeState;
import io.gpusched.model.Taint;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Nodes by taints. A pod that is admitted to a node tolerates the first of its taints that forbids; so the taints that a pod may
 * tolerate as a whole are looked up by its tolerations, and only these are tested. If they are many, or taints that are only to be
 * avoided are counted, the nodes are a bitmap, kept for the latest tolerations and changed with the nodes. Not thread-safe.
 */
final class TaintSets {
    /** This many lists of taints are looked up each time. */
    private static final int MOST_LISTS = 16;

    /** For this many lists of tolerations the nodes are kept; each costs a look for every node whose taints change. */
    private static final int MOST_KEPT = 64;

    private static final Toleration EVERYTHING = Toleration.everything();

    private final NodeSlots nodes;

    /** The nodes without taints that forbid. */
    private final Bitmap open;

    /** By each toleration, of any effect, of the first taint that forbids: the lists of taints, and the nodes that have them. */
    private final Map<Toleration, Map<List<Taint>, ValueSlots>> tainted = new HashMap<>();

    private final Map<Asked, Bitmap> kept = new LatestMap<>(MOST_KEPT);

    /** What a pod asks of taints, as {@link Taints#accepts} takes it. */
    private record Asked(List<Toleration> tolerations, int avoided) {
        static Asked of(PodDemand demand) {
            return new Asked(demand.pod().tolerations(), demand.avoided());
        }

        Predicate<List<Taint>> test() {
            Predicate<Taint> tolerated = Taints.tolerated(tolerations);
            return taints -> Taints.accepts(taints, tolerated, avoided);
        }
    }

    TaintSets(NodeSlots nodes) {
        this.nodes = nodes;
        this.open = new Bitmap(nodes.capacity());
    }

    /** Takes note of a node that changed; null where there was, or is, none. */
    void changed(int slot, @Nullable NodeState before, @Nullable NodeState after) {
        List<Taint> had = before == null ? null : before.node().taints();
        List<Taint> has = after == null ? null : after.node().taints();
        if (had != null && had.equals(has)) {
            return;
        }
        if (had != null) {
            remove(slot, had);
        }
        if (has != null) {
            add(slot, has);
        }
        kept.forEach(
                (asked, bitmap) -> bitmap.set(slot, has != null && asked.test().test(has)));
    }

    private void add(int slot, List<Taint> taints) {
        List<Toleration> keys = keys(taints);
        if (keys.isEmpty()) {
            open.add(slot);
            return;
        }
        ValueSlots slots = lists(EVERYTHING).get(taints);
        if (slots == null) {
            slots = new ValueSlots();
            for (Toleration key : keys) {
                tainted.computeIfAbsent(key, any -> new HashMap<>()).put(taints, slots);
            }
        }
        slots.add(slot, nodes.capacity());
    }

    private void remove(int slot, List<Taint> taints) {
        open.remove(slot);
        ValueSlots slots = lists(EVERYTHING).get(taints);
        if (slots == null) {
            return;
        }
        slots.remove(slot);
        if (slots.size() == 0) {
            for (Toleration key : keys(taints)) {
                tainted.computeIfPresent(key, (any, lists) -> {
                    lists.remove(taints);
                    return lists.isEmpty() ? null : lists;
                });
            }
        }
    }

    /** Returns what tolerates the first taint that forbids; nothing if none does. */
    private static List<Toleration> keys(List<Taint> taints) {
        for (Taint taint : taints) {
            if (taint.effect().forbids()) {
                return List.of(
                        EVERYTHING, Toleration.exists(taint.key()), Toleration.equal(taint.key(), taint.value()));
            }
        }
        return List.of();
    }

    private Map<List<Taint>, ValueSlots> lists(Toleration key) {
        return tainted.getOrDefault(key, Map.of());
    }

    /** Returns the nodes whose taints admit any of these pods, or null if those are all. */
    @Nullable
    NodeCondition admitting(Collection<PodDemand> demands) {
        Set<Bitmap> bitmaps = new HashSet<>();
        Set<ValueSlots> values = new HashSet<>();
        for (PodDemand demand : demands) {
            Asked asked = Asked.of(demand);
            if (asked.avoided == PodDemand.ANY && open.size() == nodes.taken().size()) {
                return null;
            }
            List<ValueSlots> some = asked.avoided == PodDemand.ANY ? tolerated(asked) : null;
            if (some == null) {
                bitmaps.add(kept.computeIfAbsent(asked, this::filled));
            } else {
                bitmaps.add(open);
                values.addAll(some);
            }
        }
        return NodeCondition.of(bitmaps, values, true);
    }

    /** Returns the nodes of the lists of taints that are tolerated, or null if too many lists would have to be tested. */
    private @Nullable List<ValueSlots> tolerated(Asked asked) {
        List<ValueSlots> found = new ArrayList<>();
        Predicate<List<Taint>> test = asked.test();
        for (Toleration toleration : asked.tolerations) {
            Map<List<Taint>, ValueSlots> some =
                    lists(new Toleration(toleration.key(), toleration.value(), Optional.empty()));
            if (found.size() + some.size() > MOST_LISTS) {
                return null;
            }
            some.forEach((taints, slots) -> {
                if (test.test(taints)) {
                    found.add(slots);
                }
            });
        }
        return found;
    }

    private Bitmap filled(Asked asked) {
        Predicate<List<Taint>> test = asked.test();
        return nodes.where(node -> test.test(node.node().taints()));
    }
}
