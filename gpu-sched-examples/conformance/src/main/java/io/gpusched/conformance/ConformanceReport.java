package io.gpusched.conformance;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
                        ? Stream.of("case " + result.id() + ": " + malformed.error())
                        : Stream.empty())
                .toList();
    }

    void print(PrintWriter out) {
        for (FileResult file : files) {
            out.println(file.file() + ": "
                    + totals(
                            file.count(Outcome.Passed.class),
                            file.count(Outcome.Failed.class),
                            file.count(Outcome.Skipped.class))
                    + noted(file, Outcome.BY_EMULATION, " by emulation")
                    + noted(file, Outcome.BETTER, " better than recorded"));
            file.cases().forEach(result -> print(out, result));
        }
        out.println(totals(count(Outcome.Passed.class), count(Outcome.Failed.class), count(Outcome.Skipped.class)));
    }

    private static String noted(FileResult file, String note, String words) {
        return file.noted(note) == 0 ? "" : " (" + file.noted(note) + words + ")";
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
        } else if (result.outcome() instanceof Outcome.Passed passed
                && passed.note().startsWith(Outcome.BETTER)) {
            out.println("  better  " + name + ": " + passed.note().substring(Outcome.BETTER.length()));
        }
    }

    private static String totals(int passed, int failed, int skipped) {
        return passed + " passed, " + failed + " failed, " + skipped + " skipped";
    }

    /** The outcome of every case, as it is written. */
    private record Written(int passed, int failed, int skipped, List<WrittenCase> cases) {}

    /** A case, its outcome in a word, and what belongs to that outcome. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record WrittenCase(
            String file,
            @JsonProperty("case") String id,
            String system,
            String kind,
            String advice,
            String outcome,
            @Nullable String note,
            @Nullable String reason,
            @Nullable String error,
            @Nullable List<Difference> differences) {

        static WrittenCase of(String file, CaseResult result) {
            Outcome outcome = result.outcome();
            return new WrittenCase(
                    file,
                    result.id(),
                    result.system(),
                    result.kind(),
                    result.advice(),
                    outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT),
                    outcome instanceof Outcome.Passed passed ? passed.note() : null,
                    outcome instanceof Outcome.Skipped skipped ? skipped.reason() : null,
                    outcome instanceof Outcome.Malformed malformed ? malformed.error() : null,
                    outcome instanceof Outcome.Failed failed ? failed.differences() : null);
        }
    }

    void write(Path target) throws IOException {
        List<WrittenCase> cases = files.stream()
                .flatMap(file -> file.cases().stream().map(result -> WrittenCase.of(file.file(), result)))
                .toList();
        Written written = new Written(
                count(Outcome.Passed.class), count(Outcome.Failed.class), count(Outcome.Skipped.class), cases);
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(target.toFile(), written);
    }
}
