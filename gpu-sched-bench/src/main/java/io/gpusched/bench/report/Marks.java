package io.gpusched.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** What was aimed at, next to what was measured. */
final class Marks {
    private static final String PLACE = "PlacementBenchmark.placeAndRelease";

    /** What the array loop makes a second at 100,000 nodes on the machine for which the rates were set. */
    private static final double PACE_OF_MARKS = 480;

    private final Results results;
    private final OptionalDouble pace;
    private final List<String> rows = new ArrayList<>();

    /** The rates once more, in terms of the pace of this machine. */
    private final List<String> paced = new ArrayList<>();

    Marks(Results results) {
        this.results = results;
        this.pace = results.peer("arrayLoop", "exclusive1", "100000", "1");
        placements();
        peers();
        others();
        new EngineMarks(results).rows().forEach(row -> atMost(row.what(), row.mark(), row.value()));
    }

    private void placements() {
        for (String mix : List.of("exclusive1", "percent30", "wholeNode", "mixedTrace")) {
            for (String fill : List.of("0.5", "0.9", "0.99")) {
                OptionalDouble large = results.placements(mix, fill, "100000");
                boolean mixed = mix.equals("mixedTrace");
                atLeastASecond(mix + ", 100,000 nodes, fill " + fill, mixed ? 200_000 : 500_000, large);
                OptionalDouble small = results.placements(mix, fill, "1000");
                if (!mixed) {
                    atMost(mix + ", fill " + fill + ", cost at 100,000 / 1,000 nodes", 2.5, quotient(small, large));
                }
            }
        }
        String[] mixed = {"mix=mixedTrace", "nodes=100000", "fill=0.9"};
        OptionalDouble decision = results.bytes("PlacementBenchmark.decide", mixed);
        atMost("allocated for a decision, mixedTrace, 100,000 nodes, B", 4_096, decision);
        OptionalDouble all = results.bytes(PLACE, mixed);
        atMost("allocated for decision, next snapshot and release, B", 4_096, all);
    }

    private void peers() {
        arrayLoop("100000", "1", 1_000);
        arrayLoop("10000", "16", 100);
        arrayLoop("1000", "1", 10);
        arrayLoop("1000", "16", 10);
        for (String nodes : List.of("1000", "5000")) {
            OptionalDouble fenzo = results.fenzo(nodes);
            String what = "times Fenzo, batches of 100, at " + nodes + " nodes";
            atLeast(
                    what,
                    nodes.equals("1000") ? 100 : 1_500,
                    quotient(results.peer("gpuSched", "exclusive1", nodes, "16"), fenzo));
        }
    }

    private void arrayLoop(String nodes, String clusters, double mark) {
        OptionalDouble theirs = results.peer("arrayLoop", "exclusive1", nodes, clusters);
        String what = "times the array loop at " + nodes + " nodes" + (clusters.equals("1") ? "" : ", 16 in turn");
        atLeast(what, mark, quotient(results.peer("gpuSched", "exclusive1", nodes, clusters), theirs));
    }

    private void others() {
        valuesOfNodes("1213", 50_000);
        valuesOfNodes("100000", 20_000);
        gang("anywhere", 1_000);
        gang("rack", 2_000);
        for (String request : List.of("exclusive8", "wholeNode", "share", "cpu", "cpuOrMemory")) {
            OptionalDouble micros = results.micros("RefusalBenchmark.refuse", "request=" + request, "nodes=100000");
            atMost("refusal of " + request + ", 100,000 nodes, us", 10, micros);
        }
        OptionalDouble diagnosis = results.micros("DiagnosisBenchmark.diagnose", "nodes=100000", "request=exclusive8");
        atMost("refusal with its diagnosis, 100,000 nodes, us", 10_000, diagnosis);
        OptionalDouble terms = results.micros("DiagnosisBenchmark.diagnose", "nodes=10000", "request=terms");
        atMost("refusal of 2,000 terms with its diagnosis, 10,000 nodes, us", 50_000, terms);
        OptionalDouble tail =
                results.micros99("LatencyBenchmark.decide", "nodes=100000", "mix=mixedTrace", "policy=binPack");
        atMost("decision, 99th percentile, mixedTrace, 100,000 nodes, us", 20, tail);
        atMost("building 100,000 nodes, us", 1_000_000, results.micros("SnapshotBenchmark.build", "nodes=100000"));
        devices();
    }

    /** Partitions, links of GPUs, and gangs that must stay close. */
    private void devices() {
        for (String nodes : List.of("10000", "100000")) {
            OptionalDouble whole = results.placements("exclusive1", "0.9", nodes);
            String what =
                    "MIG partitions, %,d nodes, fill 0.9, of exclusive1's rate".formatted(Integer.parseInt(nodes));
            atLeast(what, 0.33, quotient(results.placements("mig", "0.9", nodes), whole));
        }
        for (String locality : List.of("rack", "slices")) {
            OptionalDouble micros =
                    results.micros("TopologyBenchmark.schedule", "locality=" + locality, "nodes=100000");
            atMost("gang of 512 within one level, " + locality + ", 100,000 nodes, us", 1_000, micros);
        }
        atMost("4 of 16 GPUs by their links, us", 20, results.micros("LinksBenchmark.choose", "count=4"));
    }

    /** The policies that have to look at every state of a node; the look-ahead may take twice as long. */
    private void valuesOfNodes(String nodes, double mark) {
        String shapes = ", 35 shapes, " + nodes + " nodes";
        OptionalDouble gradient = results.perSecond(
                "FragmentationGradientBenchmark.placeAndRelease", "policy=fragmentationGradient", "nodes=" + nodes);
        atLeastASecond("fragmentation gradient" + shapes, mark, gradient);
        OptionalDouble lookAhead = results.perSecond(
                "FragmentationGradientBenchmark.placeAndRelease", "policy=lookAhead", "nodes=" + nodes);
        atLeastASecond("look-ahead" + shapes, mark / 2, lookAhead);
    }

    private void gang(String locality, double mark) {
        OptionalDouble micros =
                results.micros("GangBenchmark.schedule", "members=512", "locality=" + locality, "nodes=100000");
        atMost("gang of 512 whole nodes, " + locality + ", us", mark, micros);
    }

    private static OptionalDouble quotient(OptionalDouble above, OptionalDouble below) {
        return Stream.of(above, below).allMatch(OptionalDouble::isPresent)
                ? OptionalDouble.of(above.getAsDouble() / below.getAsDouble())
                : OptionalDouble.empty();
    }

    private void atLeastASecond(String what, double mark, OptionalDouble value) {
        atLeast(what + ", a second", mark, value);
        if (value.isPresent() && pace.isPresent()) {
            double least = mark / PACE_OF_MARKS;
            double is = value.getAsDouble() / pace.getAsDouble();
            paced.add(row(what, "at least ", least, is, is >= least));
        }
    }

    private void atLeast(String what, double mark, OptionalDouble value) {
        value.ifPresent(is -> rows.add(row(what, "at least ", mark, is, is >= mark)));
    }

    private void atMost(String what, double mark, OptionalDouble value) {
        value.ifPresent(is -> rows.add(row(what, "at most ", mark, is, is <= mark)));
    }

    private static String row(String what, String bound, double mark, double value, boolean reached) {
        return "| %s | %s%s | %s | %s |%n".formatted(what, bound, number(mark), number(value), reached ? "yes" : "no");
    }

    private static String number(double value) {
        return (value < 1 ? "%,.2f" : value < 10 ? "%,.1f" : "%,.0f").formatted(value);
    }

    @Override
    public String toString() {
        return table(rows) + (paced.isEmpty() ? "" : pacing() + table(paced));
    }

    private String pacing() {
        return """

                Rates depend on the machine. Those above were set for one on which the array loop makes %s placements a second at
                100,000 nodes; in this run it made %s. As multiples of the loop:

                """.formatted(number(PACE_OF_MARKS), number(pace.orElseThrow()));
    }

    private static String table(List<String> rows) {
        return "| work | mark | measured | reached |\n|---|---:|---:|---|\n" + String.join("", rows);
    }
}
