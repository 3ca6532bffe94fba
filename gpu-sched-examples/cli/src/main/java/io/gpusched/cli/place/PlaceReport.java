package io.gpusched.cli.place;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints answers for a person. */
final class PlaceReport {
    private static final int MOST_NAMES = 3;
    private static final int MOST_LINES = 10;

    private PlaceReport() {}

    static void print(PrintWriter out, List<Answer> answers) {
        List<EqualRefusals> refusals = EqualRefusals.of(answers);
        if (answers.size() > 1) {
            out.println(EqualRefusals.summary(answers, refusals));
        }
        for (Answer answer : answers) {
            if (answer instanceof Answer.Found found) {
                out.println("placed " + found.subject());
                found.parts().forEach(part -> print(out, part));
                found.waiting().forEach(pod -> print(out, pod));
                found.warnings().forEach(warning -> out.println("  warning: " + warning));
            } else if (answer instanceof Answer.Refused refused) {
                out.println("refused: " + refused.rule());
            }
        }
        for (EqualRefusals equal : refusals) {
            out.println("not placed: " + equal);
            lines(equal.first().words()).forEach(out::println);
        }
    }

    /** The system's own words: nodes with the same words stand in one line, and only the first such lines are shown. */
    static List<String> lines(Map<String, String> words) {
        Map<String, List<String>> nodes = new LinkedHashMap<>();
        words.forEach((node, text) ->
                nodes.computeIfAbsent(text, any -> new ArrayList<>()).add(node));
        List<String> lines = new ArrayList<>();
        int left = words.size();
        for (Map.Entry<String, List<String>> group : nodes.entrySet()) {
            if (lines.size() == MOST_LINES) {
                lines.add("  (" + left + " more nodes, with other words of the system)");
                break;
            }
            lines.add("  " + names(group.getValue()) + ": " + group.getKey());
            left -= group.getValue().size();
        }
        return lines;
    }

    private static String names(List<String> nodes) {
        int more = nodes.size() - MOST_NAMES;
        String first = String.join(", ", nodes.subList(0, Math.min(MOST_NAMES, nodes.size())));
        return more > 0 ? first + " and " + more + " more" : first;
    }

    private static void print(PrintWriter out, Answer.Waiting member) {
        out.println("  pod " + member.pod() + " waits");
        member.diagnosis().ifPresent(why -> {
            why.reasons().forEach(reason -> out.println("    " + reason));
            if (!why.remedy().changes().isEmpty()) {
                out.println("    nearest remedy: " + why.remedy());
            }
        });
    }

    private static void print(PrintWriter out, Answer.Part part) {
        out.println("  pod " + part.placement().pod() + " on "
                + part.placement().node() + ", " + part.placement().resources());
        part.placement().containers().forEach(grant -> out.println("    " + grant));
        part.metadata()
                .environment()
                .forEach((container, values) -> values.forEach(
                        (name, value) -> out.println("    environment of " + container + ": " + name + "=" + value)));
        part.metadata().annotations().forEach((name, value) -> out.println("    annotation " + name + "=" + value));
        part.metadata().labels().forEach((name, value) -> out.println("    label " + name + "=" + value));
    }
}
