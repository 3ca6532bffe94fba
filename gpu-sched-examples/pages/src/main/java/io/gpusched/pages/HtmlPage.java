package io.gpusched.pages;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * An HTML page that needs no other file: a template with the common style and some scripts in it. Templates and scripts are resources
 * beside a class; {@code elements.js} and {@code map.js} are common to all pages.
 */
public final class HtmlPage {
    private static final String STYLE = "/*REPORT-STYLE*/";
    private static final String SCRIPT = "/*REPORT-SCRIPT*/";
    private static final List<String> COMMON = List.of("elements.js", "map.js");

    private HtmlPage() {}

    /**
     * Returns a page without its data.
     *
     * @param owner the class beside which the template and the scripts of the page's own lie
     * @param template the name of the template
     * @param scripts the names of the scripts of the page's own
     * @throws IOException if a part of it is missing in the jar
     */
    public static String of(Class<?> owner, String template, List<String> scripts) throws IOException {
        StringBuilder script = new StringBuilder();
        for (String name : COMMON) {
            script.append(resource(HtmlPage.class, name)).append('\n');
        }
        for (String name : scripts) {
            script.append(resource(owner, name)).append('\n');
        }
        return resource(owner, template)
                .replace(STYLE, resource(HtmlPage.class, "report.css"))
                .replace(SCRIPT, script);
    }

    static String resource(Class<?> owner, String name) throws IOException {
        try (InputStream in = owner.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
