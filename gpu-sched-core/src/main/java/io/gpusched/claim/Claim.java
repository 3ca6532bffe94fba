package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Devices that are asked for together, as a Kubernetes ResourceClaim does.
 *
 * @param name unique among the claims that are allocated together
 * @param requests its requests
 * @param constraints what must hold between the devices of its requests
 */
public record Claim(String name, List<Request> requests, List<Constraint> constraints) {
    /** The greatest number of devices in a claim. */
    public static final int MAX_DEVICES = 32;

    /**
     * A request: devices of one kind, or of the first of several kinds that can be had.
     *
     * @param name unique in its claim
     * @param isPrioritized whether the alternatives were listed as such ({@code firstAvailable}); else there is one
     * @param alternatives acceptable forms, the best first
     */
    public record Request(String name, boolean isPrioritized, List<DeviceRequest> alternatives) {
        /**
         * Copies the list.
         *
         * @throws IllegalArgumentException if there is no alternative, or several without being prioritized
         */
        public Request {
            Checks.notBlank("claim request", "name", name);
            alternatives = Checks.list("alternatives", alternatives);
            Checks.inRange(
                    "claim request \"" + name + "\"",
                    "number of alternatives",
                    alternatives.size(),
                    1,
                    isPrioritized ? Integer.MAX_VALUE : 1);
        }

        /** Returns a request of one form. */
        public static Request exactly(DeviceRequest request) {
            Objects.requireNonNull(request, "request");
            return new Request(request.name(), false, List.of(request));
        }

        /** Returns a request for the first form that can be had. */
        public static Request firstAvailable(String name, DeviceRequest... alternatives) {
            Checks.noNulls("alternatives", alternatives);
            return new Request(name, true, List.of(alternatives));
        }

        /** Returns whether another request asks for the same, whatever the names. */
        boolean isLike(Request other) {
            return isPrioritized == other.isPrioritized && nameless(this).equals(nameless(other));
        }

        private static List<DeviceRequest> nameless(Request request) {
            return request.alternatives().stream().map(one -> one.named("x")).toList();
        }
    }

    /**
     * What must hold between devices of a claim.
     *
     * @param kind what must hold
     * @param attribute the qualified name of the attribute that is compared
     * @param requests names of what it is about, such as {@code gpus} for a request and {@code gpus/large} for one of its alternatives; none for all
     */
    public record Constraint(Kind kind, String attribute, Set<String> requests) {
        /** What must hold. */
        public enum Kind {
            /** All devices have the attribute with one value (lists: share one). */
            MATCH,
            /** All devices have the attribute, and no two have one value (lists: share none). */
            DISTINCT,
            /** A kind that this version does not know. */
            UNKNOWN
        }

        /** Copies the set. */
        public Constraint {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(attribute, "attribute");
            Checks.noNulls("requests", requests);
            requests = Set.copyOf(requests);
        }

        /** Returns whether it is about a request, whichever of its alternatives was chosen. */
        boolean concerns(String request, String alternative) {
            return requests.isEmpty()
                    || requests.contains(request)
                    || !alternative.isEmpty() && requests.contains(request + "/" + alternative);
        }
    }

    /** Copies the lists. */
    public Claim {
        Checks.notBlank("claim", "name", name);
        requests = Checks.list("requests", requests);
        constraints = Checks.list("constraints", constraints);
    }

    /** Returns a claim without constraints. */
    public static Claim of(String name, Request... requests) {
        Checks.noNulls("requests", requests);
        return new Claim(name, List.of(requests), List.of());
    }
}
