package io.gpusched.examples.conformance.extender;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.examples.conformance.Answers;
import io.gpusched.examples.conformance.VectorCase;
import io.gpusched.examples.conformance.emulation.ExtenderClient;
import io.gpusched.examples.yaml.YamlNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Several extenders in a row: filters are asked one after the other, each about the nodes that the one before left; then all that are
 * interested score what is left. A scorer that fails is passed over. Of nodes with equal sums the first is taken, where kube-scheduler
 * leaves it to chance.
 */
final class ExtenderChain {
    private static final String ONLY = "only-";

    private ExtenderChain() {}

    static ObjectNode answer(VectorCase vector) {
        List<String> nodes = vector.given().need("nodes").textList();
        List<YamlNode> asked = vector.request().need("extenders").list().stream()
                .filter(extender -> extender.at("interested").isTrueOr(true))
                .toList();
        List<String> left = nodes;
        for (YamlNode extender : asked) {
            if (left.isEmpty()) {
                break;
            }
            Optional<List<String>> answer = filter(extender, left);
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
        return answer.put("node", best(left, sums(vector, asked)));
    }

    private static Optional<List<String>> filter(YamlNode extender, List<String> nodes) {
        YamlNode filter = extender.at("filter");
        String text = filter.textOr("pass");
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

    private static Map<String, Long> sums(VectorCase vector, List<YamlNode> extenders) {
        Map<String, Long> sums = new HashMap<>();
        vector.given().at("pluginScores").map().forEach((node, score) -> sums.put(node, score.number()));
        for (YamlNode extender : extenders) {
            long weight = extender.at("weight").numberOr(1);
            scores(extender.at("prioritize"))
                    .forEach((node, score) -> sums.merge(node, ExtenderClient.contribution(score, weight), Long::sum));
        }
        return sums;
    }

    /** Scores by node; none of an extender that fails, or that has none. */
    private static Map<String, Long> scores(YamlNode prioritize) {
        Map<String, Long> scores = new HashMap<>();
        if (prioritize.kind() == YamlNode.Kind.LIST) {
            prioritize
                    .list()
                    .forEach(one -> scores.put(
                            one.need("Host").text(), one.need("Score").number()));
        } else if (prioritize.kind() == YamlNode.Kind.MAPPING) {
            prioritize.map().forEach((node, score) -> scores.put(node, score.number()));
        } else if (prioritize.isPresent() && !prioritize.text().equals("error")) {
            throw prioritize.error("must be error, or scores by node");
        }
        return scores;
    }

    private static String best(List<String> nodes, Map<String, Long> sums) {
        List<String> ordered = new ArrayList<>(nodes);
        ordered.sort(Comparator.comparingLong((String node) -> sums.getOrDefault(node, 0L))
                .reversed());
        return ordered.get(0);
    }
}
