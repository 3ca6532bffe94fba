package io.gpusched.bench.report;

import java.util.OptionalDouble;

/** The tables of the performance page, in Markdown. What was not measured is left out or shown as a dash. */
public final class Tables {
    private static final String PLACE = "PlacementBenchmark.placeAndRelease";
    private static final String[] MIXES = {"exclusive1", "percent30", "wholeNode", "mixedTrace", "mig"};
    private static final String[] FILLS = {"0.5", "0.9", "0.99"};
    private static final String[] SIZES = {"1000", "5000", "10000", "100000"};

    private final Results results;

    /** Makes tables of these results. */
    public Tables(Results results) {
        this.results = results;
    }

    @Override
    public String toString() {
        return placements() + "\n" + peers() + "\n" + new Cycles(results) + "\n" + new Marks(results);
    }

    private String placements() {
        StringBuilder text = new StringBuilder("""
                Decision, next snapshot and release, in a second of CPU time:

                | arrives | fill | 1,000 nodes | 10,000 | 100,000 | cost at 100,000 / 1,000 | B/op at 100,000 |
                |---|---:|---:|---:|---:|---:|---:|
                """);
        for (String mix : MIXES) {
            for (String fill : FILLS) {
                if (results.placements(mix, fill, "1000").isPresent()
                        || results.placements(mix, fill, "100000").isPresent()) {
                    text.append(row(mix, fill));
                }
            }
        }
        return text.toString();
    }

    private String row(String mix, String fill) {
        return "| %s | %s | %s | %s | %s | %s | %s |%n"
                .formatted(
                        mix,
                        fill,
                        whole(results.placements(mix, fill, "1000")),
                        whole(results.placements(mix, fill, "10000")),
                        whole(results.placements(mix, fill, "100000")),
                        ratio(results.placements(mix, fill, "1000"), results.placements(mix, fill, "100000")),
                        whole(results.bytes(PLACE, "mix=" + mix, "fill=" + fill, "nodes=100000")));
    }

    private String peers() {
        StringBuilder text = new StringBuilder("""
                Against what one would have otherwise, half full, in a second of CPU time, and how many times as fast gpu-sched is:

                | arrives | nodes | clusters | gpu-sched | array loop | | object loop | | Fenzo, batches of 100 | |
                |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                """);
        for (String mix : MIXES) {
            for (String nodes : SIZES) {
                text.append(peers(mix, nodes, "1")).append(peers(mix, nodes, "16"));
            }
        }
        return text.toString();
    }

    private String peers(String mix, String nodes, String clusters) {
        OptionalDouble mine = results.peer("gpuSched", mix, nodes, clusters);
        if (mine.isEmpty()) {
            return "";
        }
        return "| %s | %,d | %s | %s |".formatted(mix, Integer.parseInt(nodes), clusters, whole(mine))
                + column(mine, results.peer("arrayLoop", mix, nodes, clusters))
                + column(mine, results.peer("objectLoop", mix, nodes, clusters))
                + column(mine, mix.equals("exclusive1") ? results.fenzo(nodes) : OptionalDouble.empty())
                + "\n";
    }

    private static String column(OptionalDouble mine, OptionalDouble theirs) {
        return " %s | %s |".formatted(whole(theirs), ratio(mine, theirs));
    }

    static String whole(OptionalDouble value) {
        return value.isPresent() ? "%,.0f".formatted(value.getAsDouble()) : "-";
    }

    static String ratio(OptionalDouble above, OptionalDouble below) {
        if (above.isEmpty() || below.isEmpty()) {
            return "-";
        }
        double ratio = above.getAsDouble() / below.getAsDouble();
        return ratio < 10 ? "%.2f".formatted(ratio) : "%,.0f".formatted(ratio);
    }
}
