package io.gpusched.cli.look;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.analysis.Drain;
import io.gpusched.decision.Unschedulable;
import io.gpusched.manifests.cluster.Evictions;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.PodId;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pods that cannot leave their node, and why. */
final class Obstacles {
    private Obstacles() {}

    /** Prints the pods that have no other place. */
    static void print(SeenCluster seen, List<Drain.Obstacle> obstacles, PrintWriter out, ArrayNode array) {
        for (Drain.Obstacle obstacle : obstacles) {
            ObjectNode one = array.addObject();
            JsonAnswer.pods(one.putArray("pods"), obstacle.pods());
            out.println(Moves.names(obstacle.pods())
                    + (obstacle.refusal().isPresent() ? " has no other place" : " does not say what it requests"));
            obstacle.refusal().map(Unschedulable::diagnosis).ifPresent(diagnosis -> {
                one.set("diagnosis", JsonAnswer.diagnosis(diagnosis));
                // nodes that take no pods have a taint: cordoned nodes are to be drained
                // equal pods are refused alike, in words that name one of them
                String words = PlainWords.of(diagnosis.toString(), seen)
                        .replaceAll("(?m): cordoned$", ": to be drained")
                        .replaceFirst("^pod \"[^\"]*\": ", "");
                out.println(words.indent(2).stripTrailing());
            });
        }
    }

    /** Says which pods may not be evicted: {@code default/web may not be evicted (PodDisruptionBudget web)}. */
    static List<String> words(Collection<PodId> pods, Evictions evictions) {
        Map<String, List<PodId>> byReason = new LinkedHashMap<>();
        for (PodId pod : pods) {
            byReason.computeIfAbsent(evictions.refusal(pod).orElse(""), any -> new ArrayList<>())
                    .add(pod);
        }
        return byReason.entrySet().stream()
                .map(entry -> Moves.names(entry.getValue()) + " may not be evicted"
                        + (entry.getKey().isEmpty() ? "" : " (" + entry.getKey() + ")"))
                .toList();
    }

    static void put(Collection<PodId> pods, Evictions evictions, ArrayNode array) {
        for (PodId pod : pods) {
            array.addObject()
                    .put("pod", pod.toString())
                    .put("reason", evictions.refusal(pod).orElse(""));
        }
    }
}
