package io.gpusched.simulator.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.pages.HtmlPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes a report as one HTML page that needs no other file and no network. */
public final class ReportPage {
    private static final String TEMPLATE = "report.html";
    private static final List<String> SCRIPTS = List.of("charts.js", "waste.js", "plan.js", "page.js");
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

    /**
     * Writes the page of curves that are compared, in place of what was there.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(Path file, CurveReport report) throws IOException {
        Files.writeString(
                file,
                HtmlPage.of(ReportPage.class, "curves.html", List.of("charts.js", "curves.js"))
                        .replace(DATA, json(report)));
    }

    /** Returns the page. */
    static String html(Record report) throws IOException {
        return HtmlPage.of(ReportPage.class, TEMPLATE, SCRIPTS).replace(DATA, json(report));
    }

    /** JSON inside a script element must not close it. */
    private static String json(Record report) throws JsonProcessingException {
        return new ObjectMapper().writeValueAsString(report).replace("<", "\\u003c");
    }
}
