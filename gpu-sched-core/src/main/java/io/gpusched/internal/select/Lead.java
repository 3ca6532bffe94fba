package io.gpusched.internal.select;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nodes among which are all that one part of a pod's requirements admits: those that are in any of some sets, and perhaps in
 * others besides. Just those, if it is exact: then nothing of that part has to be tested.
 */
final class Lead {
    private final List<NodeSet> any;
    private final int size;
    private final List<SlotSet> others = new ArrayList<>(2);
    private boolean isExact = true;

    private Lead(List<NodeSet> any, int size) {
        this.any = any;
        this.size = size;
    }

    /** Returns the nodes that are in any of these sets, for a part of the requirements that admits just those. */
    static Lead of(List<NodeSet> any) {
        int size = 0;
        for (NodeSet set : any) {
            size += set.size();
        }
        return new Lead(any, size);
    }

    /** Returns the nodes that are in any of several leads. */
    static Lead anyOf(List<Lead> leads) {
        if (leads.size() == 1) {
            return leads.get(0);
        }
        List<NodeSet> any = new ArrayList<>();
        boolean exact = true;
        for (Lead lead : leads) {
            any.addAll(lead.any);
            exact &= lead.isExact && lead.others.isEmpty();
        }
        Lead all = of(any);
        all.isExact = exact;
        return all;
    }

    /** Whether no other nodes are in all of its {@linkplain #addTo bitmaps} than the requirements admit. */
    boolean isExact() {
        return isExact;
    }

    /** Takes note that some requirements are left to be tested. */
    void setInexact() {
        isExact = false;
    }

    /** Returns at most how many nodes are left, of which some may count several times. */
    int size() {
        return size;
    }

    /** The nodes are also among those of another lead, if that says so in a single bitmap. */
    void and(Lead other) {
        SlotSet set = other.single();
        if (set != null) {
            others.add(set);
        }
        isExact &= set != null && other.isExact;
    }

    /** Whether nothing has to be joined for it. */
    boolean isBitmap() {
        return single() != null;
    }

    private @Nullable SlotSet single() {
        return any.size() == 1 ? any.get(0).many() : null;
    }

    /** The nodes that are in any of the sets; some perhaps several times. */
    List<NodeSet> any() {
        return any;
    }

    /**
     * Adds bitmaps that have in common all nodes that are meant, and perhaps others.
     *
     * @param scratch may be filled with nodes for this
     */
    void addTo(List<SlotSet> sets, SlotSet scratch) {
        SlotSet single = single();
        if (single == null) {
            scratch.clear();
            any.forEach(set -> set.addTo(scratch));
        }
        sets.add(single == null ? scratch : single);
        sets.addAll(others);
    }
}
