package io.gpusched.model;

import java.util.Objects;

/**
 * How close together the members of a group must be.
 *
 * @param scope what they share
 * @param level the topology level for {@link Scope#DOMAIN}, empty otherwise
 * @param required whether a placement that is not that close is refused; if false, a close placement is only preferred
 */
public record Locality(Scope scope, String level, boolean required) {
    /** What the members of a group share. */
    public enum Scope {
        /** Nothing. */
        ANYWHERE,
        /** One node. */
        NODE,
        /** One domain of a topology level. */
        DOMAIN
    }

    /** The members may be anywhere. */
    public static final Locality ANYWHERE = new Locality(Scope.ANYWHERE, "", false);

    /**
     * Checks the combination.
     *
     * @throws IllegalArgumentException if a level is missing or not expected
     */
    public Locality {
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(level, "level");
        if (scope == Scope.DOMAIN == level.isBlank()) {
            throw new IllegalArgumentException("locality: a level is given for a domain and only for that, got scope "
                    + scope + " and level \"" + level + "\"");
        }
    }

    /** All members on one node, required. */
    public static Locality oneNode() {
        return new Locality(Scope.NODE, "", true);
    }

    /** All members within one domain of this level, or, where no node has such a level, of the label of this key; required. */
    public static Locality within(String level) {
        Objects.requireNonNull(level, "level");
        return new Locality(Scope.DOMAIN, level, true);
    }

    /** Returns this locality as a preference. */
    public Locality preferred() {
        return new Locality(scope, level, false);
    }

    /** Returns whether it keeps members from any place, so that members that are apart break it. */
    public boolean isBinding() {
        return required && scope != Scope.ANYWHERE;
    }

    /** Returns the locality in words, such as {@code required in one rack} or {@code preferred on one node}. */
    @Override
    public String toString() {
        String where = switch (scope) {
            case ANYWHERE -> "anywhere";
            case NODE -> "on one node";
            case DOMAIN -> "in one " + level;
        };
        return scope == Scope.ANYWHERE ? where : (required ? "required " : "preferred ") + where;
    }
}
