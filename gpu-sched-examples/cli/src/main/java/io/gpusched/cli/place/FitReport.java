package io.gpusched.cli.place;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.cli.look.JsonAnswer;
import io.gpusched.cli.look.PlainWords;
import io.gpusched.decision.Diagnosis;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.Placement;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Says where things would go, node by node, and why the others would not; equal refusals once. */
final class FitReport {
    private static final int MOST_NAMES = 4;

    private final PrintWriter out;
    private final List<Answer> answers;
    private final SeenCluster seen;

    FitReport(PrintWriter out, List<Answer> answers, SeenCluster seen) {
        this.seen = seen;
        this.out = out;
        this.answers = answers;
    }

    boolean fitsAll() {
        return answers.stream().allMatch(answer -> answer instanceof Answer.Found);
    }

    void print() {
        Map<String, List<String>> byNode = new TreeMap<>();
        Map<String, List<String>> refused = new LinkedHashMap<>();
        for (Answer answer : answers) {
            if (answer instanceof Answer.Found found) {
                found.parts().forEach(part -> add(byNode, part.placement()));
                found.waiting()
                        .forEach(pod -> refused.computeIfAbsent(
                                        "it is beyond the minimum of " + found.subject() + " and has no room",
                                        any -> new ArrayList<>())
                                .add("pod \"" + pod.pod() + "\""));
            } else if (answer instanceof Answer.NoRoom none) {
                String words = words(none.diagnosis());
                int end = words.indexOf(": ");
                refused.computeIfAbsent(words.substring(end + 2), any -> new ArrayList<>())
                        .add(none.subject());
            }
        }
        out.println(started() + " of " + answers.size() + " would start now");
        byNode.forEach((node, pods) -> out.println("  on " + node + ": " + names(pods)));
        refused.forEach((why, who) -> out.println(names(who) + ": " + why));
    }

    private long started() {
        return answers.stream().filter(Answer.Found.class::isInstance).count();
    }

    private String words(Diagnosis diagnosis) {
        return PlainWords.of(diagnosis.toString(), seen);
    }

    /** Adds the same as values. */
    void put(ObjectNode json) {
        json.put("asked", answers.size());
        json.put("started", started());
        ArrayNode placements = json.putArray("placements");
        ArrayNode waiting = json.putArray("waiting");
        ArrayNode refused = json.putArray("refused");
        for (Answer answer : answers) {
            if (answer instanceof Answer.Found found) {
                found.parts().forEach(part -> placements.add(JsonAnswer.placement(part.placement())));
                for (Answer.Waiting pod : found.waiting()) {
                    ObjectNode one = waiting.addObject().put("pod", pod.pod()).put("of", found.subject());
                    pod.diagnosis().ifPresent(diagnosis -> one.set("diagnosis", JsonAnswer.diagnosis(diagnosis)));
                }
            } else if (answer instanceof Answer.NoRoom none) {
                refused.addObject()
                        .put("subject", none.subject())
                        .put("words", words(none.diagnosis()))
                        .set("diagnosis", JsonAnswer.diagnosis(none.diagnosis()));
            }
        }
    }

    private static void add(Map<String, List<String>> byNode, Placement placement) {
        byNode.computeIfAbsent(placement.node(), any -> new ArrayList<>())
                .add(placement.pod().toString());
    }

    /** The first of some names, and how many more there are. */
    static String names(List<String> names) {
        int more = names.size() - MOST_NAMES;
        return String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
