package io.gpusched.internal.rules;

import io.gpusched.workload.NodeRequirement;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All that a term requires of one label, in one condition: O(1) to test, however many requirements it is made of. */
final class LabelCondition {
    private boolean mustBe;
    private boolean mustNotBe;

    /** The values of which the label must have one; null for any. */
    private @Nullable Set<String> allowed;

    private final Set<String> refused = new HashSet<>();

    /** Whether the value must be a whole number, and of what range, its ends included. */
    private boolean isBounded;

    private long least = Long.MIN_VALUE;
    private long greatest = Long.MAX_VALUE;

    /** Adds a requirement on the same label. */
    void and(NodeRequirement requirement) {
        switch (requirement.operator()) {
            case IN -> allow(requirement);
            case NOT_IN -> refused.addAll(requirement.values());
            case EXISTS -> mustBe = true;
            case DOES_NOT_EXIST -> mustNotBe = true;
            case GT -> bound(requirement, true);
            case LT -> bound(requirement, false);
        }
    }

    private void allow(NodeRequirement requirement) {
        Set<String> values = new HashSet<>(requirement.values());
        if (allowed != null) {
            values.retainAll(allowed);
        }
        allowed = values;
        mustBe = true;
    }

    private void bound(NodeRequirement requirement, boolean above) {
        long bound = Long.parseLong(requirement.values().get(0));
        mustNotBe |= bound == (above ? Long.MAX_VALUE : Long.MIN_VALUE);
        least = above && bound < Long.MAX_VALUE ? Math.max(least, bound + 1) : least;
        greatest = above || bound == Long.MIN_VALUE ? greatest : Math.min(greatest, bound - 1);
        isBounded = true;
        mustBe = true;
    }

    /** Whether nodes without the label do not meet it. */
    boolean mustBe() {
        return mustBe;
    }

    /** The values of which a node must have one, or null for any. */
    @Nullable
    Set<String> allowed() {
        return allowed;
    }

    /** Whether a node with this value meets it; null for a node without the label. */
    boolean accepts(@Nullable String value) {
        if (value == null) {
            return !mustBe;
        }
        return !mustNotBe
                && (allowed == null || allowed.contains(value))
                && !refused.contains(value)
                && (!isBounded || isInBounds(value));
    }

    private boolean isInBounds(String value) {
        try {
            long number = Long.parseLong(value);
            return number >= least && number <= greatest;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
