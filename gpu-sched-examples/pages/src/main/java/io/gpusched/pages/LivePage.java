package io.gpusched.pages;

import java.io.IOException;
import java.util.List;
import java.util.Objects;

/** The page that shows a cluster as it is now; it reads a {@link LiveReport} as JSON from {@value #DATA} again and again. */
public final class LivePage {
    /** Where the page looks for its data, beside itself. */
    public static final String DATA = "live.json";

    private LivePage() {}

    /**
     * Returns the page: one HTML file that needs no other file, and nothing but its data from the network.
     *
     * @throws IOException if a part of it is missing in the jar
     */
    public static String html() throws IOException {
        return HtmlPage.of(LivePage.class, "live.html", List.of("live.js"));
    }

    /**
     * Returns the page as it shows one moment; it needs nothing from the network.
     *
     * @param json a {@link LiveReport} as JSON
     * @throws IOException if a part of it is missing in the jar
     */
    public static String of(String json) throws IOException {
        return html().replace(
                        "/*SNAPSHOT*/null", Objects.requireNonNull(json, "json").replace("<", "\\u003c"));
    }
}
