package io.gpusched.kubernetes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is wrong with metrics in the text form of Prometheus, by its conventions and the rules of {@code promtool check metrics}. */
public final class PrometheusText {
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{(.*)\\})? (NaN|[+-]?Inf|[-+0-9.eE]+)");
    private static final Pattern LABEL = Pattern.compile("([^=,{]+)=\"((?:[^\"\\\\]|\\\\.)*)\",?");
    private static final Pattern SNAKE = Pattern.compile("[a-z]+[a-z0-9]*(_[a-z0-9]+)*");

    /** Units that have a base unit, and words that a type says already. */
    private static final Pattern OTHER_UNIT = Pattern.compile(
            ".*_(ns|us|ms|nanos|nanoseconds|micros|millis|milliseconds|minutes|hours|days|kib|mib|gib|kb|mb|gb|kilobytes"
                    + "|mebibytes|megabytes|gigabytes|percent|gauge|counter|histogram)(_total)?");

    private final List<String> problems = new ArrayList<>();
    private final Map<String, String> helps = new HashMap<>();
    private final Map<String, String> types = new LinkedHashMap<>();
    private final Set<String> series = new HashSet<>();
    private final Set<String> closed = new HashSet<>();
    private String family = "";

    private PrometheusText() {}

    /**
     * Returns what is wrong.
     *
     * @param prefix that of all metrics but those which the conventions give to every process
     */
    public static List<String> problems(String text, String prefix) {
        PrometheusText check = new PrometheusText();
        if (!text.endsWith("\n")) {
            check.problems.add("the last line does not end");
        }
        text.lines().forEach(check::line);
        check.types.forEach((name, type) -> check.name(name, type, prefix));
        return check.problems;
    }

    private void line(String line) {
        if (line.startsWith("# ")) {
            String[] words = line.split(" ", 4);
            Map<String, String> known = words[1].equals("HELP") ? helps : types;
            if (words.length < 4 || words[3].isBlank()) {
                problems.add(line + ": says nothing");
            } else if (known.put(words[2], words[3]) != null) {
                problems.add(words[2] + ": two of " + words[1]);
            }
            if (!words[2].equals(family)) {
                closed.add(family);
                family = words[2];
            }
        } else {
            sample(line);
        }
    }

    private void sample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (!sample.matches()) {
            problems.add(line + ": is no sample");
            return;
        }
        String name = sample.group(1);
        String suffix = name.startsWith(family) ? name.substring(family.length()) : name;
        boolean isSpread = List.of("histogram", "summary").contains(types.getOrDefault(family, ""));
        if (!suffix.isEmpty()
                && !(isSpread && List.of("_bucket", "_sum", "_count").contains(suffix))) {
            problems.add(name + ": is not of " + family + ", after whose words it stands");
        }
        if (closed.contains(family) || !types.containsKey(family) || !helps.containsKey(family)) {
            problems.add(name + ": HELP, TYPE and samples of a metric stand together");
        }
        if (!series.add(name + labels(name, sample.group(3)))) {
            problems.add(line + ": occurs twice");
        }
    }

    private Set<String> labels(String name, @org.jspecify.annotations.Nullable String text) {
        Set<String> labels = new HashSet<>();
        Set<String> names = new HashSet<>();
        Matcher label = LABEL.matcher(text == null ? "" : text);
        while (label.find()) {
            labels.add(label.group());
            if (!SNAKE.matcher(label.group(1)).matches() || !names.add(label.group(1))) {
                problems.add(name + ": label " + label.group(1));
            }
        }
        return labels;
    }

    private void name(String name, String type, String prefix) {
        boolean isOfEveryProcess = name.startsWith("process_") || name.startsWith("jvm_");
        if (!SNAKE.matcher(name).matches() || !name.startsWith(prefix) && !isOfEveryProcess) {
            problems.add(name + ": must begin with " + prefix);
        }
        if (name.endsWith("_total") != type.equals("counter")) {
            problems.add(name + ": _total is for counters, this is a " + type);
        }
        if (name.matches(".*_(count|sum|bucket)")) {
            problems.add(name + ": this ending belongs to histograms");
        }
        if (OTHER_UNIT.matcher(name).matches()) {
            problems.add(name + ": no base unit");
        }
        if (type.equals("histogram") && !name.matches(".*_(seconds|bytes)")) {
            problems.add(name + ": a histogram says its unit");
        }
    }
}
