package io.gpusched.model;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Where a node stands, from the widest domain to the narrowest, such as zone {@code z1}, rack {@code r7}.
 *
 * <p>A domain is named by its whole path: rack {@code r7} of zone {@code z1} is not rack {@code r7} of {@code z2}.
 * Nodes are ordered by these paths, then by name, and that order settles ties.
 *
 * @param domains the domains from wide to narrow, possibly none; no level twice
 */
public record Topology(List<Domain> domains) implements Comparable<Topology> {
    /** A node that stands nowhere in particular. */
    public static final Topology NONE = new Topology(List.of());

    /**
     * One step of a path.
     *
     * @param level what kind of domain it is, such as {@code rack}; not blank
     * @param name which one it is within the wider domain; not blank
     */
    public record Domain(String level, String name) {
        /**
         * Checks the texts.
         *
         * @throws IllegalArgumentException if either is blank
         */
        public Domain {
            Checks.notBlank("topology", "level", level);
            Checks.notBlank("topology", "name", name);
        }
    }

    /**
     * Copies the path.
     *
     * @throws IllegalArgumentException if a level occurs twice
     */
    public Topology {
        domains = Checks.list("domains", domains);
        long levels = domains.stream().map(Domain::level).distinct().count();
        if (levels != domains.size()) {
            throw new IllegalArgumentException("topology: a level occurs twice in " + domains);
        }
    }

    /**
     * Returns the path with these levels and names, e.g. {@code Topology.of("zone", "z1", "rack", "r7")}.
     *
     * @throws IllegalArgumentException if the number of arguments is odd, a text is blank or a level occurs twice
     */
    public static Topology of(String... levelsAndNames) {
        Checks.noNulls("levelsAndNames", levelsAndNames);
        if (levelsAndNames.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "topology: expected pairs of level and name, got " + levelsAndNames.length + " texts");
        }
        List<Domain> path = new ArrayList<>();
        for (int i = 0; i < levelsAndNames.length; i += 2) {
            path.add(new Domain(levelsAndNames[i], levelsAndNames[i + 1]));
        }
        return new Topology(path);
    }

    /** Returns the path down to and including this level, or {@link #NONE} where this path has no such level. */
    public Topology upTo(String level) {
        Objects.requireNonNull(level, "level");
        for (int i = 0; i < domains.size(); i++) {
            if (domains.get(i).level().equals(level)) {
                return new Topology(domains.subList(0, i + 1));
            }
        }
        return NONE;
    }

    /** Orders by the names along the path; a path comes right before the paths below it. */
    @Override
    public int compareTo(Topology other) {
        Objects.requireNonNull(other, "other");
        int steps = Math.min(domains.size(), other.domains.size());
        for (int i = 0; i < steps; i++) {
            Domain mine = domains.get(i);
            Domain theirs = other.domains.get(i);
            int order = mine.level().compareTo(theirs.level());
            order = order != 0 ? order : mine.name().compareTo(theirs.name());
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(domains.size(), other.domains.size());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Domain domain : domains) {
            text.append(text.isEmpty() ? "" : "/")
                    .append(domain.level())
                    .append('=')
                    .append(domain.name());
        }
        return text.isEmpty() ? "nowhere" : text.toString();
    }
}
