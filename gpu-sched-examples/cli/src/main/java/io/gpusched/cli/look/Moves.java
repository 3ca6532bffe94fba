package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.Pod;
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
    static String count(List<Placement> moves) {
        return switch (moves.size()) {
            case 0 -> "no pod has to go";
            case 1 -> "1 pod has another place";
            default -> moves.size() + " pods have other places";
        };
    }

    static void print(SeenCluster seen, List<Placement> moves, PrintWriter out) {
        for (Placement move : moves) {
            String to = Held.any(move) ? " with " + Held.words(move, seen.countsOnly(move.node())) : "";
            out.println("  " + name(move.pod()) + " to " + move.node() + to);
        }
        List<PodId> bare = moves.stream()
                .map(Placement::pod)
                .filter(id -> isBare(seen, id))
                .toList();
        if (!bare.isEmpty()) {
            out.println("nobody makes these anew once they are evicted: " + names(bare));
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
