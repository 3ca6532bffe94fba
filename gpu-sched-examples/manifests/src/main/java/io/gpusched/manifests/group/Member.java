package io.gpusched.manifests.group;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Selects nodes or other hyper nodes for a hyper node, by name or by labels.
 *
 * @param type {@code Node} or {@code HyperNode}
 * @param exactName the name; empty where none is given
 * @param pattern what is found in the name; empty where none is given
 * @param byLabels whether labels decide, and not the name
 * @param exactLabels values that labels must have
 * @param expressions what else is demanded of labels
 */
record Member(
        String type,
        String exactName,
        String pattern,
        boolean byLabels,
        Map<String, String> exactLabels,
        List<Expression> expressions) {
    /**
     * A demand on one label.
     *
     * @param key the label
     * @param operator {@code In}, {@code NotIn}, {@code Exists} or {@code DoesNotExist}
     * @param values what it is compared with
     */
    record Expression(String key, String operator, List<String> values) {
        boolean isMet(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case "In" -> values.contains(value);
                case "NotIn" -> !values.contains(value);
                case "Exists" -> value != null;
                case "DoesNotExist" -> value == null;
                default -> false;
            };
        }
    }

    /** Reads an entry of {@code spec.members}. */
    static Member of(Fields member) {
        Fields selector = member.at("selector");
        Fields labels = selector.at("labelMatch");
        Map<String, String> exact = new TreeMap<>();
        labels.at("matchLabels").entries().forEach((key, value) -> exact.put(key, value.text()));
        return new Member(
                member.at("type").text(),
                selector.at("exactMatch").at("name").text(),
                selector.at("regexMatch").at("pattern").text(),
                labels.isPresent(),
                exact,
                labels.at("matchExpressions").list().stream()
                        .map(one -> new Expression(
                                one.at("key").text(),
                                one.at("operator").text(),
                                one.at("values").list().stream()
                                        .map(Fields::text)
                                        .toList()))
                        .toList());
    }

    boolean isNode() {
        return "Node".equals(type);
    }

    boolean isHyperNode() {
        return "HyperNode".equals(type);
    }

    /** Whether one name is all that it selects. */
    boolean isOneName() {
        return !byLabels && pattern.isEmpty();
    }

    /** Whether labels meet all that is demanded; what demands nothing selects nothing. */
    boolean selects(Map<String, String> labels) {
        return (!exactLabels.isEmpty() || !expressions.isEmpty())
                && exactLabels.entrySet().stream()
                        .allMatch(one -> one.getValue().equals(labels.get(one.getKey())))
                && expressions.stream().allMatch(one -> one.isMet(labels));
    }

    /** Which names it selects. What is no pattern selects nothing, as with Volcano. */
    Predicate<String> names() {
        Optional<Pattern> compiled = compile(pattern);
        return name -> name.equals(exactName)
                || compiled.filter(one -> one.matcher(name).find()).isPresent();
    }

    private static Optional<Pattern> compile(String pattern) {
        try {
            return pattern.isEmpty() ? Optional.empty() : Optional.of(Pattern.compile(pattern));
        } catch (PatternSyntaxException e) {
            return Optional.empty();
        }
    }
}
