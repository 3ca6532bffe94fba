package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Shows results to a person and writes them for a machine. */
final class ConformanceReport {
    private final List<FileResult> files;

    ConformanceReport(List<FileResult> files) {
        this.files = List.copyOf(files);
    }

    int count(Class<? extends Outcome> type) {
        return files.stream().mapToInt(file -> file.count(type)).sum();
    }

    /** Returns the messages of all cases that cannot be understood. */
    List<String> errors() {
        return files.stream()
                .flatMap(file -> file.cases().stream())
                .flatMap(result -> result.outcome() instanceof Outcome.Malformed malformed
                        ? Stream.of(malformed.error())
                        : Stream.empty())
                .toList();
    }

    void print(PrintWriter out) {
        for (FileResult file : files) {
            out.println(file.file() + ": "
                    + totals(
                            file.count(Outcome.Passed.class),
                            file.count(Outcome.Failed.class),
                            file.count(Outcome.Skipped.class)));
            file.cases().forEach(result -> print(out, result));
        }
        out.println(totals(count(Outcome.Passed.class), count(Outcome.Failed.class), count(Outcome.Skipped.class)));
    }

    private static void print(PrintWriter out, CaseResult result) {
        String name = result.id() + " (" + result.kind() + ")";
        if (result.outcome() instanceof Outcome.Skipped skipped) {
            out.println("  skipped " + name + ": " + skipped.reason());
        } else if (result.outcome() instanceof Outcome.Malformed malformed) {
            out.println("  error   " + name + ": " + malformed.error());
        } else if (result.outcome() instanceof Outcome.Failed failed) {
            out.println("  FAILED  " + name);
            failed.differences().forEach(difference -> out.println("          " + difference));
        }
    }

    private static String totals(int passed, int failed, int skipped) {
        return passed + " passed, " + failed + " failed, " + skipped + " skipped";
    }

    void write(Path target) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode root = mapper.createObjectNode();
        root.put("passed", count(Outcome.Passed.class));
        root.put("failed", count(Outcome.Failed.class));
        root.put("skipped", count(Outcome.Skipped.class));
        ArrayNode cases = root.putArray("cases");
        for (FileResult file : files) {
            file.cases().forEach(result -> describe(cases.addObject().put("file", file.file()), result));
        }
        mapper.writerWithDefaultPrettyPrinter().writeValue(target.toFile(), root);
    }

    private static void describe(ObjectNode json, CaseResult result) {
        json.put("case", result.id()).put("system", result.system()).put("kind", result.kind());
        json.put("advice", result.advice());
        if (result.outcome() instanceof Outcome.Passed passed) {
            json.put("outcome", "passed").put("note", passed.note());
        } else if (result.outcome() instanceof Outcome.Skipped skipped) {
            json.put("outcome", "skipped").put("reason", skipped.reason());
        } else if (result.outcome() instanceof Outcome.Malformed malformed) {
            json.put("outcome", "malformed").put("error", malformed.error());
        } else if (result.outcome() instanceof Outcome.Failed failed) {
            ArrayNode differences = json.put("outcome", "failed").putArray("differences");
            failed.differences()
                    .forEach(difference -> differences
                            .addObject()
                            .put("path", difference.path())
                            .put("expected", difference.expected())
                            .put("actual", difference.actual()));
        }
    }
}
