package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.gpusched.analysis.Move;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
        warnOfLoss(seen, moves, out);
    }

    private static String place(SeenCluster seen, Placement place) {
        return place.node() + (Held.any(place) ? " with " + Held.words(place, seen) : "");
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

    /** Says what is lost with pods that move: pods that no controller creates again, data that they wrote on their node, and what is not known. */
    static void warnOfLoss(SeenCluster seen, List<Placement> moves, PrintWriter out) {
        List<PodId> moved = moves.stream().map(Placement::pod).distinct().toList();
        List<PodId> bare = moved.stream().filter(id -> isBare(seen, id)).toList();
        if (!bare.isEmpty()) {
            out.println("no controller will recreate: " + names(bare));
        }
        List<PodId> writing = moved.stream()
                .filter(id -> volumes(seen, id)
                        .anyMatch(volume -> volume.getHostPath() != null
                                || volume.getEmptyDir() != null
                                        && !"Memory".equals(volume.getEmptyDir().getMedium())))
                .toList();
        if (!writing.isEmpty()) {
            out.println("what they wrote to an emptyDir or hostPath does not move with: " + names(writing));
        }
        List<PodId> claiming = seen.objects().volumes().isPresent()
                ? List.of()
                : moved.stream()
                        .filter(id -> volumes(seen, id).anyMatch(volume -> volume.getPersistentVolumeClaim() != null))
                        .toList();
        if (!claiming.isEmpty()) {
            out.println("volumes are not among the objects and may keep them on their node: " + names(claiming));
        }
    }

    private static Stream<Volume> volumes(SeenCluster seen, PodId id) {
        return seen.pod(id).stream().flatMap(pod -> pod.getSpec().getVolumes().stream());
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
