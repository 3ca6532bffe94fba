package io.gpusched.examples.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Writes a report as one HTML page that needs no other file and no network. */
public final class ReportPage {
    private static final String TEMPLATE = "report.html";
    private static final String STYLE = "/*REPORT-STYLE*/";
    private static final String SCRIPT = "/*REPORT-SCRIPT*/";
    private static final List<String> SCRIPTS = List.of("charts.js", "map.js", "page.js");
    private static final String DATA = "\"REPORT-DATA\"";

    private ReportPage() {}

    /**
     * Writes the page, in place of what was there.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(Path file, Report report) throws IOException {
        Files.writeString(file, html(report));
    }

    /**
     * Writes the page of a replay, in place of what was there.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(Path file, ReplayReport report) throws IOException {
        Files.writeString(file, html(report));
    }

    /** Returns the page. */
    static String html(Record report) throws IOException {
        StringBuilder script = new StringBuilder();
        for (String name : SCRIPTS) {
            script.append(resource(name)).append('\n');
        }
        return resource(TEMPLATE)
                .replace(STYLE, resource("report.css"))
                .replace(SCRIPT, script)
                .replace(DATA, json(report));
    }

    static String resource(String name) throws IOException {
        try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** JSON inside a script element must not close it. */
    private static String json(Record report) throws JsonProcessingException {
        return new ObjectMapper().writeValueAsString(report).replace("<", "\\u003c");
    }
}
