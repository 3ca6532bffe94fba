package io.gpusched.claim;

import java.util.Objects;

/**
 * Why claims cannot be allocated as they, or the pools that a node reaches, stand, whatever is free.
 *
 * @param kind what is wrong
 * @param message names the claim, the request and what is wrong
 */
public record ClaimError(Kind kind, String message) implements ClaimDecision, GangDecision {
    /** What is wrong. */
    public enum Kind {
        /** A selector's text is no expression. */
        SELECTOR_MALFORMED,
        /** A selector cannot be evaluated on a device. */
        SELECTOR_FAILED,
        /** A selector is of an unknown language. */
        SELECTOR_UNKNOWN,
        /** There is no such class. */
        CLASS_NOT_FOUND,
        /** A request names no class. */
        CLASS_MISSING,
        /** A feature is used that is not switched on. */
        FEATURE_DISABLED,
        /** A claim asks for more devices than a claim may have. */
        TOO_MANY_DEVICES,
        /** All devices are asked for, but a pool is being updated. */
        ALL_FROM_INCOMPLETE_POOL,
        /** All devices are asked for, but a pool contradicts itself. */
        ALL_FROM_INVALID_POOL,
        /** A pool contradicts itself, and the others cannot serve the claims. */
        INVALID_POOL,
        /** All devices are asked for, and a constraint forbids it. */
        ALL_BREAKS_CONSTRAINT,
        /** A constraint is of an unknown kind. */
        CONSTRAINT_UNKNOWN,
        /** A request has an unknown mode. */
        MODE_UNKNOWN,
        /** A derived attribute cannot be computed. */
        DERIVED_ATTRIBUTE,
        /** A constraint reads a value that this version cannot compare. */
        ATTRIBUTE_UNSUPPORTED,
        /** An amount cannot be rounded within 64 bits. */
        CAPACITY_NOT_REPRESENTABLE,
        /** An amount is below zero. */
        CAPACITY_NEGATIVE,
        /** A request names one capacity by its short and by its full name. */
        CAPACITY_NAMED_TWICE
    }

    /** Checks that nothing is null. */
    public ClaimError {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(message, "message");
    }

    /** Returns whether the pools that one node reaches are wrong, so that other nodes may serve the claims. */
    public boolean isOfOneNode() {
        return switch (kind) {
            case ALL_FROM_INCOMPLETE_POOL, ALL_FROM_INVALID_POOL, INVALID_POOL -> true;
            default -> false;
        };
    }

    /** Ends a search; caught by the allocator. */
    static final class Raised extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient ClaimError error;

        Raised(Kind kind, String message) {
            super(message, null, false, false);
            error = new ClaimError(kind, message);
        }

        ClaimError error() {
            return error;
        }
    }

    @Override
    public String toString() {
        return message;
    }
}
