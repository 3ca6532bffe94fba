package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What several kinds read alike. */
public final class Fields {
    private static final Set<String> REMARKS = Set.of("note", "reason", "why", "message");

    private Fields() {}

    /** Returns a map of texts, empty where it is absent. */
    public static Map<String, String> texts(Field map) {
        Map<String, String> texts = new LinkedHashMap<>();
        map.members().forEach((key, value) -> texts.put(key, value.scalar()));
        return texts;
    }

    /** Returns a Kubernetes label selector, or a plain map of labels. */
    public static NodeSelector labelSelector(Field field) {
        boolean structured = field.has("matchLabels") || field.has("matchExpressions");
        NodeSelector selector = NodeSelector.labels(texts(structured ? field.at("matchLabels") : field));
        for (Field expression : field.at("matchExpressions").listOrEmpty()) {
            List<String> values = new ArrayList<>();
            expression.at("values").listOrEmpty().forEach(value -> values.add(value.scalar()));
            NodeRequirement requirement =
                    new NodeRequirement(expression.need("key").text(), operator(expression.need("operator")), values);
            selector = selector.and(NodeSelector.all(requirement));
        }
        return selector;
    }

    private static NodeRequirement.Operator operator(Field operator) {
        return switch (operator.text()) {
            case "In" -> NodeRequirement.Operator.IN;
            case "NotIn" -> NodeRequirement.Operator.NOT_IN;
            case "Exists" -> NodeRequirement.Operator.EXISTS;
            case "DoesNotExist" -> NodeRequirement.Operator.DOES_NOT_EXIST;
            default -> throw operator.malformed("must be In, NotIn, Exists or DoesNotExist");
        };
    }

    /**
     * Compares an answer with what a case expects. If all that is answered agrees, but the case expects something of a
     * name that is not known, it is skipped with that name.
     */
    public static Outcome compareKnown(VectorCase vector, ObjectNode answer) {
        ObjectNode known = Answers.object();
        Set<String> unknown = new TreeSet<>();
        vector.expect().members().forEach((name, value) -> {
            if (answer.has(name)) {
                known.set(name, value.json());
            } else if (!REMARKS.contains(name)) {
                unknown.add(name);
            }
        });
        Outcome outcome = VectorKind.compare(vector.expecting(known), answer);
        return outcome instanceof Outcome.Passed && !unknown.isEmpty()
                ? Outcome.skipped("a case that expects " + unknown + " is not known")
                : outcome;
    }
}
