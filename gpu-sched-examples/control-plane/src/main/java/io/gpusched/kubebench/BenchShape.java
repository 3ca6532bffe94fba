package io.gpusched.kubebench;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is asked of a scheduler: pods of one GPU or partition each, alone or in groups that start together.
 *
 * @param kind how they belong together
 * @param groups how many groups; pods that stand alone are groups of one
 * @param podsPerGroup how many pods each
 */
public record BenchShape(Kind kind, int groups, int podsPerGroup) {
    private static final int MOST_PODS = 1_000_000;
    private static final Pattern FORM =
            Pattern.compile("(pods|claims|partitions):([0-9]{1,7})|(gangs|racks):([0-9]{1,7})x([0-9]{1,7})");

    /** How pods belong together. */
    public enum Kind {
        /** Each alone. */
        PODS,
        /** Each alone, with a claim for a GPU. */
        CLAIMS,
        /** Each alone, with a claim for a partition of a GPU. */
        PARTITIONS,
        /** Groups that start together. */
        GANGS,
        /** Groups that start together, each in one rack. */
        RACKS
    }

    /** How nodes offer their GPUs. */
    enum Offer {
        /** As a number, by a device plugin. */
        COUNTED,
        /** By a driver, as devices. */
        WHOLE,
        /** By a driver, as devices beside their partitions. */
        CUT
    }

    /** Checks the sizes. */
    public BenchShape {
        long pods = (long) groups * podsPerGroup;
        if (groups < 1 || podsPerGroup < 1 || pods > MOST_PODS) {
            throw new IllegalArgumentException("shape: pods in all must be in 1.." + MOST_PODS + ", got " + pods);
        }
    }

    /**
     * Reads a shape: {@code pods:5000}, {@code claims:5000}, {@code partitions:5000}, or groups times pods of each,
     * {@code gangs:1000x3} or {@code racks:750x4}.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static BenchShape parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "shape must be pods:N, claims:N, partitions:N, gangs:GROUPSxPODS or racks:GROUPSxPODS, got \""
                            + text + "\"");
        }
        return form.group(1) != null
                ? new BenchShape(kind(form.group(1)), Integer.parseInt(form.group(2)), 1)
                : new BenchShape(kind(form.group(3)), Integer.parseInt(form.group(4)), Integer.parseInt(form.group(5)));
    }

    private static Kind kind(String name) {
        return Kind.valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Returns one pod of this kind, alone. */
    BenchShape one() {
        return new BenchShape(isGrouped() ? Kind.PODS : kind, 1, 1);
    }

    Offer offer() {
        return switch (kind) {
            case CLAIMS -> Offer.WHOLE;
            case PARTITIONS -> Offer.CUT;
            default -> Offer.COUNTED;
        };
    }

    int pods() {
        return groups * podsPerGroup;
    }

    boolean isGrouped() {
        return kind == Kind.GANGS || kind == Kind.RACKS;
    }

    @Override
    public String toString() {
        String name = kind.name().toLowerCase(Locale.ROOT);
        return isGrouped() ? name + ":" + groups + "x" + podsPerGroup : name + ":" + groups;
    }
}
