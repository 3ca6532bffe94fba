package io.gpusched.simulator.report;

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
    private static final List<String> SCRIPTS = List.of("elements.js", "charts.js", "map.js", "waste.js", "page.js");
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
        return page(TEMPLATE, SCRIPTS).replace(DATA, json(report));
    }

    /** Returns a page without its data: a template with the style and these scripts in it. */
    static String page(String template, List<String> scripts) throws IOException {
        StringBuilder script = new StringBuilder();
        for (String name : scripts) {
            script.append(resource(name)).append('\n');
        }
        return resource(template).replace(STYLE, resource("report.css")).replace(SCRIPT, script);
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
