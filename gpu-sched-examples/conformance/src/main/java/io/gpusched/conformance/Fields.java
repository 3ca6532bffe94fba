package io.gpusched.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.Set;
import java.util.TreeSet;

/** What several kinds read alike. */
public final class Fields {
    private static final Set<String> REMARKS = Set.of("note", "reason", "why", "message");

    private Fields() {}

    /** Returns a Kubernetes label selector, or a plain map of labels. */
    public static NodeSelector labelSelector(YamlNode field) {
        boolean structured = field.has("matchLabels") || field.has("matchExpressions");
        NodeSelector selector = NodeSelector.labels((structured ? field.at("matchLabels") : field).texts());
        for (YamlNode expression : field.at("matchExpressions").list()) {
            NodeRequirement requirement = new NodeRequirement(
                    expression.need("key").text(),
                    operator(expression.need("operator")),
                    expression.at("values").textList());
            selector = selector.and(NodeSelector.all(requirement));
        }
        return selector;
    }

    private static NodeRequirement.Operator operator(YamlNode operator) {
        return switch (operator.text()) {
            case "In" -> NodeRequirement.Operator.IN;
            case "NotIn" -> NodeRequirement.Operator.NOT_IN;
            case "Exists" -> NodeRequirement.Operator.EXISTS;
            case "DoesNotExist" -> NodeRequirement.Operator.DOES_NOT_EXIST;
            default -> throw operator.error("must be In, NotIn, Exists or DoesNotExist");
        };
    }

    /**
     * Compares an answer with what a case expects. If all that is answered agrees, but the case expects something of a
     * name that is not known, it is skipped with that name.
     */
    public static Outcome compareKnown(VectorCase vector, ObjectNode answer) {
        ObjectNode known = Answers.object();
        Set<String> unknown = new TreeSet<>();
        vector.expect().map().forEach((name, value) -> {
            if (answer.has(name)) {
                known.set(name, JsonValues.of(value));
            } else if (!REMARKS.contains(name)) {
                unknown.add(name);
            }
        });
        Outcome outcome = VectorKind.compare(vector, known, answer);
        return outcome instanceof Outcome.Passed && !unknown.isEmpty()
                ? Outcome.skipped("a case that expects " + unknown + " is not known")
                : outcome;
    }
}
