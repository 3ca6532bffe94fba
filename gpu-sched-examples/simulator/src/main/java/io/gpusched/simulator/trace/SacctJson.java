package io.gpusched.simulator.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * What {@code sacct --json} prints, as the lines that {@code sacct -P} would print of it. Numbers are plain, or objects that say whether
 * they are set, as Slurm writes them since 23.02; times are seconds since 1970.
 */
final class SacctJson {
    private static final String HEADER =
            "JobIDRaw|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|NNodes|AllocTRES|Partition";

    private final Path file;

    private SacctJson(Path file) {
        this.file = file;
    }

    /** Returns whether a file that begins with this line may be one. */
    static boolean isOne(String first) {
        return first.stripLeading().startsWith("{");
    }

    /**
     * Returns a line for the names of columns and one for each job.
     *
     * @throws TraceException if the file is not what sacct prints
     */
    static List<String> lines(Path file) {
        JsonNode jobs;
        try (Reader text = TraceText.open(file)) {
            jobs = new ObjectMapper().readTree(text).path("jobs");
        } catch (IOException e) {
            throw TraceException.unreadable(file, e);
        }
        if (!jobs.isArray()) {
            throw new TraceException(
                    "file \"" + file + "\": expected the jobs that sacct --json prints, got no \"jobs\"");
        }
        SacctJson read = new SacctJson(file);
        List<String> lines = new ArrayList<>(List.of(HEADER));
        jobs.forEach(job -> lines.add(read.line(job)));
        return lines;
    }

    private String line(JsonNode job) {
        if (!job.path("job_id").isIntegralNumber() || !job.path("time").isObject()) {
            throw new TraceException("file \"" + file + "\": expected jobs with job_id and time, got "
                    + job.toString().substring(0, Math.min(80, job.toString().length())));
        }
        JsonNode time = job.path("time");
        return String.join(
                "|",
                job.path("job_id").asText(),
                state(job.path("state").path("current")),
                date(time.path("submission")),
                date(time.path("start")),
                date(time.path("end")),
                String.valueOf(number(time.path("elapsed"))),
                limit(time.path("limit")),
                String.valueOf(Math.max(1, number(job.path("allocation_nodes")))),
                tres(job.path("tres")),
                job.path("partition").asText("").replace('|', '/'));
    }

    /** One state, or the states that hold at once. */
    private static String state(JsonNode current) {
        return current.isArray()
                ? StreamSupport.stream(current.spliterator(), false)
                        .map(JsonNode::asText)
                        .collect(Collectors.joining(","))
                : current.asText("");
    }

    private static long number(JsonNode value) {
        return value.isObject()
                ? value.path("set").asBoolean() ? value.path("number").asLong() : 0
                : value.asLong();
    }

    /** A time that has not come is 0. */
    private static String date(JsonNode value) {
        long seconds = number(value);
        return seconds <= 0
                ? "Unknown"
                : LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC).toString();
    }

    private static String limit(JsonNode value) {
        return value.path("infinite").asBoolean() ? "UNLIMITED" : String.valueOf(number(value));
    }

    /** What the job had, or what it asked where it had nothing. */
    private static String tres(JsonNode tres) {
        JsonNode had = tres.path("allocated");
        return StreamSupport.stream((had.isEmpty() ? tres.path("requested") : had).spliterator(), false)
                .map(SacctJson::tresOf)
                .collect(Collectors.joining(","));
    }

    private static String tresOf(JsonNode one) {
        String type = one.path("type").asText();
        String name = one.path("name").asText("");
        return type + (name.isEmpty() ? "" : "/" + name) + "="
                + one.path("count").asLong() + (type.equals("mem") ? "M" : "");
    }
}
