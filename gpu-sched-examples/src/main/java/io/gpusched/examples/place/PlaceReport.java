package io.gpusched.examples.place;

import java.io.PrintWriter;
import java.util.List;

/** Prints answers for a person. */
final class PlaceReport {
    private PlaceReport() {}

    static void print(PrintWriter out, List<Answer> answers) {
        for (Answer answer : answers) {
            if (answer instanceof Answer.Found found) {
                out.println("placed " + found.subject());
                found.parts().forEach(part -> print(out, part));
                found.waiting().forEach(pod -> out.println("  pod " + pod + " waits"));
            } else if (answer instanceof Answer.NoRoom none) {
                out.println("not placed: " + none.diagnosis());
                none.words().forEach((node, reason) -> out.println("  " + node + ": " + reason));
            } else if (answer instanceof Answer.Refused refused) {
                out.println("refused: " + refused.rule());
            }
        }
    }

    private static void print(PrintWriter out, Answer.Part part) {
        out.println("  pod " + part.placement().pod() + " on "
                + part.placement().node() + ", " + part.placement().resources());
        part.placement().containers().forEach(grant -> out.println("    " + grant));
        part.writing()
                .environment()
                .forEach((container, values) -> values.forEach(
                        (name, value) -> out.println("    environment of " + container + ": " + name + "=" + value)));
        part.writing().annotations().forEach((name, value) -> out.println("    annotation " + name + "=" + value));
        part.writing().labels().forEach((name, value) -> out.println("    label " + name + "=" + value));
    }
}
