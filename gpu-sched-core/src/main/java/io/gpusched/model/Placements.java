package io.gpusched.model;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The placements on one node, in an array that is never written to once it is made; their order means nothing. */
final class Placements {
    static final Placement[] NONE = {};

    private Placements() {}

    static Placement[] plus(Placement[] placements, Placement added) {
        Placement[] more = Arrays.copyOf(placements, placements.length + 1);
        more[placements.length] = added;
        return more;
    }

    static Placement[] minus(Placement[] placements, int at) {
        if (placements.length == 1) {
            return NONE;
        }
        Placement[] fewer = new Placement[placements.length - 1];
        System.arraycopy(placements, 0, fewer, 0, at);
        System.arraycopy(placements, at + 1, fewer, at, fewer.length - at);
        return fewer;
    }

    /** Whether they are a single one that holds the node as a whole. */
    static boolean holdWholeNode(Placement[] placements) {
        return placements.length == 1 && placements[0].holdsWholeNode();
    }

    /** Whether any of these, or of the residents, has a say about others. */
    static boolean concernOthers(Placement[] placements, List<Placement> residents) {
        return Arrays.stream(placements).anyMatch(Placement::concernsOthers)
                || residents.stream().anyMatch(Placement::concernsOthers);
    }

    /** Where the placement of the same pod stands that holds the same, or -1. */
    @SuppressWarnings("ReferenceEquality") // the same object is found without touching the others
    static int find(Placement[] placements, Placement placement) {
        for (int i = 0; i < placements.length; i++) {
            if (placements[i] == placement) {
                return i;
            }
        }
        for (int i = 0; i < placements.length; i++) {
            if (placements[i].holdsSame(placement)) {
                return i;
            }
        }
        return -1;
    }

    /** What a pod holds, or null if it is not among them. */
    static @Nullable Placement of(Placement[] placements, PodId pod) {
        for (Placement placement : placements) {
            if (placement.isOf(pod)) {
                return placement;
            }
        }
        return null;
    }

    static boolean equal(Placement[] placements, Placement[] others) {
        return placements.length == others.length
                && (Arrays.equals(placements, others)
                        || new HashSet<>(List.of(placements)).equals(new HashSet<>(List.of(others))));
    }

    /** A hash that agrees with {@link #equal}. */
    static int hash(Placement[] placements) {
        int sum = 0;
        for (Placement placement : placements) {
            sum += placement.hashCode();
        }
        return sum;
    }
}
