package io.gpusched.kubebench;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is asked of a scheduler: pods of one GPU each, alone or in groups that start together.
 *
 * @param kind how they belong together
 * @param groups how many groups; pods that stand alone are groups of one
 * @param podsPerGroup how many pods each
 */
public record BenchShape(Kind kind, int groups, int podsPerGroup) {
    private static final int MOST_PODS = 1_000_000;
    private static final Pattern FORM = Pattern.compile("pods:([0-9]{1,7})|(gangs|racks):([0-9]{1,7})x([0-9]{1,7})");

    /** How pods belong together. */
    public enum Kind {
        /** Each alone. */
        PODS,
        /** Groups that start together. */
        GANGS,
        /** Groups that start together, each in one rack. */
        RACKS
    }

    /** Checks the sizes. */
    public BenchShape {
        long pods = (long) groups * podsPerGroup;
        if (groups < 1 || podsPerGroup < 1 || pods > MOST_PODS) {
            throw new IllegalArgumentException("shape: pods in all must be in 1.." + MOST_PODS + ", got " + pods);
        }
    }

    /**
     * Reads a shape: {@code pods:5000}, {@code gangs:1000x3} or {@code racks:750x4}, groups times pods of each.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static BenchShape parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "shape must be pods:N, gangs:GROUPSxPODS or racks:GROUPSxPODS, got \"" + text + "\"");
        }
        return form.group(1) != null
                ? new BenchShape(Kind.PODS, Integer.parseInt(form.group(1)), 1)
                : new BenchShape(
                        Kind.valueOf(form.group(2).toUpperCase(Locale.ROOT)),
                        Integer.parseInt(form.group(3)),
                        Integer.parseInt(form.group(4)));
    }

    int pods() {
        return groups * podsPerGroup;
    }

    boolean isGrouped() {
        return kind != Kind.PODS;
    }

    @Override
    public String toString() {
        String name = kind.name().toLowerCase(Locale.ROOT);
        return isGrouped() ? name + ":" + groups + "x" + podsPerGroup : name + ":" + groups;
    }
}
