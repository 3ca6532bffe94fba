package io.gpusched.internal.rules;

import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeRequirement;
import java.util.HashSet;
import java.util.List;
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
            case IN -> allow(requirement.values());
            case NOT_IN -> refused.addAll(requirement.values());
            case EXISTS -> mustBe = true;
            case DOES_NOT_EXIST -> mustNotBe = true;
            case GT -> bound(requirement, true);
            case LT -> bound(requirement, false);
        }
    }

    /** Adds a requirement on the same label of a pod. */
    void and(LabelSelector.Requirement requirement) {
        switch (requirement.operator()) {
            case IN -> allow(requirement.values());
            case NOT_IN -> refused.addAll(requirement.values());
            case EXISTS -> mustBe = true;
            case DOES_NOT_EXIST -> mustNotBe = true;
        }
    }

    private void allow(List<String> some) {
        Set<String> values = new HashSet<>(some);
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

    /** The values of which each may be met or not, whatever holds for the others. */
    Set<String> named() {
        return allowed == null ? refused : allowed;
    }

    /** The numbers from which on it is met, or no longer met, beside other bounds. */
    List<Long> bounds() {
        if (!isBounded) {
            return List.of();
        }
        return greatest < Long.MAX_VALUE ? List.of(least, greatest + 1) : List.of(least);
    }

    /** Whether a node meets it with a value that is none of {@link #named}: this number, or null for what is no number. */
    boolean acceptsUnnamed(@Nullable Long number) {
        return !mustNotBe && allowed == null && (!isBounded || number != null && number >= least && number <= greatest);
    }

    /** Whether a node with this value meets it. */
    boolean accepts(String value) {
        return !mustNotBe
                && (allowed == null || allowed.contains(value))
                && !refused.contains(value)
                && (!isBounded || isInBounds(value));
    }

    private boolean isInBounds(String value) {
        Long number = number(value);
        return number != null && number >= least && number <= greatest;
    }

    /** Returns the number that a label is, or null. */
    static @Nullable Long number(String value) {
        int first = value.startsWith("-") || value.startsWith("+") ? 1 : 0;
        if (first == value.length() || Character.digit(value.charAt(first), 10) < 0) {
            return null; // to let an exception tell would take a hundred times as long
        }
        try {
            return Long.valueOf(value);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
