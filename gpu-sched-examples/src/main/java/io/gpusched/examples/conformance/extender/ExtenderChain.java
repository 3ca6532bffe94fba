package io.gpusched.examples.conformance.extender;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.examples.conformance.Answers;
import io.gpusched.examples.conformance.VectorCase;
import io.gpusched.examples.yaml.YamlNode;
import java.util.List;
import java.util.Optional;

/** Several extenders in a row: each is asked about the nodes that the one before left. The first node that is left is taken. */
final class ExtenderChain {
    private static final String ONLY = "only-";

    private ExtenderChain() {}

    static ObjectNode answer(VectorCase vector) {
        List<String> nodes = vector.given().need("nodes").textList();
        List<String> left = nodes;
        for (YamlNode extender : vector.request().need("extenders").list()) {
            if (left.isEmpty()) {
                break;
            }
            Optional<List<String>> answer = filter(extender.need("filter"), left);
            if (answer.isEmpty() && !extender.at("ignorable").isTrueOr(false)) {
                return Answers.object().put("error", true);
            }
            left = answer.orElse(left);
        }
        ObjectNode answer = Answers.object().put("evaluated", nodes.size()).put("feasible", left.size());
        answer.put("fits", !left.isEmpty());
        if (left.isEmpty()) {
            return answer.put("error", true);
        }
        return answer.put("node", left.get(0));
    }

    private static Optional<List<String>> filter(YamlNode filter, List<String> nodes) {
        String text = filter.text();
        if (text.startsWith(ONLY)) {
            return Optional.of(nodes.stream()
                    .filter(node -> node.equals(text.substring(ONLY.length())))
                    .toList());
        }
        return switch (text) {
            case "pass" -> Optional.of(nodes);
            case "none", "fail" -> Optional.of(List.of());
            case "error" -> Optional.empty();
            default -> throw filter.error("must be pass, none, error or only-NODE");
        };
    }
}
