package io.gpusched.dialect;

import io.gpusched.check.Checks;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.amount.NamedAmounts;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A container as a manifest describes it: resource names and amounts as texts.
 *
 * @param name its name
 * @param kind when it runs
 * @param requests amounts by resource
 * @param limits amounts by resource
 * @param named what it takes of resources that the library counts by name, whatever the dialect
 */
public record ContainerManifest(
        String name, ContainerKind kind, Map<String, String> requests, Map<String, String> limits, NamedAmounts named) {
    /** Copies the maps. */
    public ContainerManifest {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(named, "named");
        requests = Checks.ascending("requests", requests);
        limits = Checks.ascending("limits", limits);
    }

    /** A container without resources counted by name. */
    public ContainerManifest(
            String name, ContainerKind kind, Map<String, String> requests, Map<String, String> limits) {
        this(name, kind, requests, limits, NamedAmounts.NONE);
    }

    /** Returns an ordinary container with these limits and no requests. */
    public static ContainerManifest limits(String name, Map<String, String> limits) {
        return new ContainerManifest(name, ContainerKind.ORDINARY, Map.of(), limits);
    }

    /**
     * Returns a whole amount of an extended resource, as Kubernetes understands it: limits and requests must be equal
     * where both are given, and a request alone is not enough.
     *
     * @throws RefusedException if the amount is no whole number, or breaks that rule
     */
    public Optional<Long> extended(String resource) {
        Objects.requireNonNull(resource, "resource");
        String limit = limits.get(resource);
        String request = requests.get(resource);
        if (limit == null && request == null) {
            return Optional.empty();
        }
        String what = "container \"" + name + "\", resource " + resource;
        if (limit == null) {
            throw new RefusedException(
                    what, "limit must be set for an extended resource, got only the request " + request);
        }
        long amount = whole(what, limit);
        if (request != null && whole(what, request) != amount) {
            throw new RefusedException(
                    what, "request must equal limit, got request " + request + " and limit " + limit);
        }
        return Optional.of(amount);
    }

    /**
     * Returns this container with some of its resources counted by name: its requests, or its limits where no request is
     * given, rounded up to whole numbers.
     *
     * @param counted whether a resource other than CPU and memory is counted
     * @throws IllegalArgumentException if an amount of these is none, or out of range
     */
    public ContainerManifest counting(Predicate<String> counted) {
        Objects.requireNonNull(counted, "counted");
        Map<String, Long> amounts = new TreeMap<>();
        TreeMap<String, String> asked = new TreeMap<>(limits);
        asked.putAll(requests);
        asked.forEach((resource, text) -> {
            if (NodeManifest.isOther(resource) && counted.test(resource)) {
                amounts.put(resource, Quantity.read(what(), resource, text, Quantity::wholeCeiling));
            }
        });
        return new ContainerManifest(name, kind, requests, limits, NamedAmounts.of(amounts));
    }

    /** Returns whether it stands among the ordinary containers, being neither an init container nor a sidecar. */
    public boolean ordinary() {
        return kind == ContainerKind.ORDINARY;
    }

    /** Returns a whole amount, or 0 where the resource is not named; limits are read first, then requests. */
    public long amount(String resource) {
        Objects.requireNonNull(resource, "resource");
        String text = limits.getOrDefault(resource, requests.get(resource));
        return text == null ? 0 : whole("container \"" + name + "\", resource " + resource, text);
    }

    /**
     * Returns an amount that may have a fraction, by request or else by limit; nothing where neither is given.
     *
     * @throws IllegalArgumentException if the text is no amount
     */
    public Optional<Quantity> requested(String resource) {
        Objects.requireNonNull(resource, "resource");
        String text = requests.getOrDefault(resource, limits.get(resource));
        return text == null
                ? Optional.empty()
                : Optional.of(Quantity.read(what(), resource, text, Function.identity()));
    }

    /** As {@link #requested(String)}, in a unit; 0 where neither is given. */
    long requested(String resource, Function<Quantity, Long> as) {
        String text = requests.getOrDefault(resource, limits.get(resource));
        return text == null ? 0 : Quantity.read(what(), resource, text, as);
    }

    private String what() {
        return "container \"" + name + "\"";
    }

    private static long whole(String what, String text) {
        try {
            return Quantity.parse(text).wholeNumber();
        } catch (IllegalArgumentException e) {
            throw new RefusedException(what, String.valueOf(e.getMessage()));
        }
    }
}
