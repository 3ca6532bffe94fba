package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.analysis.Move;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/** Pods that would go elsewhere, in words. */
final class Moves {
    private static final int MOST_NAMES = 5;

    private Moves() {}

    /** How many pods would go, as the beginning of a sentence. */
    static String count(int nodes, List<Placement> moves) {
        String its = nodes == 1 ? "its " : "their ";
        return switch (moves.size()) {
            case 0 -> nodes == 1 ? "it has no pods to move" : "they have no pods to move";
            case 1 -> its + "1 pod fits elsewhere";
            default -> its + moves.size() + " pods fit elsewhere";
        };
    }

    static void print(SeenCluster seen, List<Placement> moves, PrintWriter out) {
        moves.forEach(move -> out.println("  " + name(move.pod()) + " to " + place(seen, move)));
        warnOfBare(seen, moves, out);
    }

    private static String place(SeenCluster seen, Placement place) {
        return place.node() + (Held.any(place) ? " with " + Held.words(place, seen.countsOnly(place.node())) : "");
    }

    /** Prints a move; pods that move at one time are said to. */
    static void print(SeenCluster seen, Move move, PrintWriter out) {
        boolean isOne = move.pods().size() == 1;
        if (!isOne) {
            out.println("  at one time:");
        }
        for (int i = 0; i < move.pods().size(); i++) {
            out.println((isOne ? "  " : "    ") + name(move.pods().get(i)) + " from "
                    + move.from().get(i).node() + " to " + place(seen, move.to().get(i)));
        }
    }

    static String pods(int count) {
        return count + (count == 1 ? " pod" : " pods");
    }

    /** Says which of the pods would be lost, for nothing makes them anew. */
    static void warnOfBare(SeenCluster seen, List<Placement> moves, PrintWriter out) {
        List<PodId> bare = moves.stream()
                .map(Placement::pod)
                .filter(id -> isBare(seen, id))
                .distinct()
                .toList();
        if (!bare.isEmpty()) {
            out.println("no controller will recreate: " + names(bare));
        }
    }

    private static boolean isBare(SeenCluster seen, PodId id) {
        return seen.pod(id)
                .map(Pod::getMetadata)
                .filter(metadata -> metadata.getOwnerReferences().isEmpty())
                .isPresent();
    }

    static String name(PodId id) {
        return id.namespace() + "/" + id.name();
    }

    static String names(List<PodId> ids) {
        int more = ids.size() - MOST_NAMES;
        return ids.stream().limit(MOST_NAMES).map(Moves::name).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
