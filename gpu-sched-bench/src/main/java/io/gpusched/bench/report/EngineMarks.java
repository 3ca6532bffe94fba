package io.gpusched.bench.report;

import io.gpusched.bench.load.Cliff;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What was aimed at for unlike nodes, changes of nodes and many shapes: costs relative to others of the same run. */
final class EngineMarks {
    private static final String CHANGE = "NodeChangeBenchmark.";
    private static final int BATCH = 1_000;

    private final Results results;
    private final List<Row> rows = new ArrayList<>();

    /**
     * A cost, in terms of another one.
     *
     * @param mark the most it may be
     */
    record Row(String what, double mark, OptionalDouble value) {}

    EngineMarks(Results results) {
        this.results = results;
        for (String policy : List.of("binPack", "lookAhead")) {
            for (String nodes : List.of("10000", "100000")) {
                cliffs(policy, nodes);
            }
        }
        nodeChanges();
        shapes();
    }

    List<Row> rows() {
        return rows;
    }

    private void cliffs(String policy, String nodes) {
        OptionalDouble plain = cliff(Cliff.PLAIN, policy, nodes);
        for (Cliff cliff : Cliff.values()) {
            if (cliff != Cliff.PLAIN) {
                String what = "%s, %,d nodes, %s, times the cost with equal nodes"
                        .formatted(policy, Integer.parseInt(nodes), cliff);
                add(what, 3, quotient(cliff(cliff, policy, nodes), plain));
            }
        }
    }

    private OptionalDouble cliff(Cliff cliff, String policy, String nodes) {
        return results.micros("CliffBenchmark.placeAndRelease", "cliff=" + cliff, "policy=" + policy, "nodes=" + nodes);
    }

    private void nodeChanges() {
        OptionalDouble place = change("placeAndRelease", "binPack");
        OptionalDouble relabel = difference(change("relabelThenPlaceAndRelease", "binPack"), place);
        add("a node's labels change, 100,000 nodes, times a placement", 20, quotient(relabel, place));
        OptionalDouble add = difference(change("addThenPlaceAndReleaseThenRemove", "binPack"), place);
        add("a node comes or goes, 100,000 nodes, times a placement", 20, quotient(add, place));
        OptionalDouble decision = difference(change("relabelThenPlaceAndRelease", "lookAhead"), relabel);
        add(
                "look-ahead after a node's change, 100,000 nodes, times the usual",
                2,
                quotient(decision, change("placeAndRelease", "lookAhead")));
        OptionalDouble each = scaled(change("addThousandNodes", "binPack"), 1.0 / BATCH);
        OptionalDouble built = scaled(results.micros("SnapshotBenchmark.build", "nodes=100000"), 1e-5);
        add("a node of a thousand added in one batch, times one that is built", 3, quotient(each, built));
    }

    private OptionalDouble change(String what, String policy) {
        return results.micros(CHANGE + what, "policy=" + policy, "nodes=100000");
    }

    private void shapes() {
        OptionalDouble few = shapes("lookAhead", "35");
        add("look-ahead, 200 shapes, 100,000 nodes, times 35 shapes", 3, quotient(shapes("lookAhead", "200"), few));
        add(
                "random, 35 shapes, 100,000 nodes, times bin-pack",
                4,
                quotient(shapes("random", "35"), shapes("binPack", "35")));
        OptionalDouble large = lookAhead("100000");
        add("look-ahead, 100,000 nodes, times 1,213 nodes", 4, quotient(large, lookAhead("1213")));
        OptionalDouble binPack =
                results.micros("PlacementBenchmark.placeAndRelease", "mix=mixedTrace", "fill=0.9", "nodes=100000");
        add("look-ahead, 100,000 nodes, times bin-pack", 140.0 / 30, quotient(large, binPack));
    }

    private OptionalDouble shapes(String policy, String shapes) {
        return results.micros(
                "ShapesBenchmark.placeAndRelease", "policy=" + policy, "shapes=" + shapes, "nodes=100000");
    }

    private OptionalDouble lookAhead(String nodes) {
        return results.micros("FragmentationGradientBenchmark.placeAndRelease", "policy=lookAhead", "nodes=" + nodes);
    }

    private void add(String what, double mark, OptionalDouble value) {
        rows.add(new Row(what, mark, value));
    }

    private static OptionalDouble quotient(OptionalDouble above, OptionalDouble below) {
        return above.isPresent() && below.isPresent()
                ? OptionalDouble.of(above.getAsDouble() / below.getAsDouble())
                : OptionalDouble.empty();
    }

    private static OptionalDouble difference(OptionalDouble all, OptionalDouble part) {
        return all.isPresent() && part.isPresent()
                ? OptionalDouble.of(all.getAsDouble() - part.getAsDouble())
                : OptionalDouble.empty();
    }

    private static OptionalDouble scaled(OptionalDouble value, double factor) {
        return value.isPresent() ? OptionalDouble.of(value.getAsDouble() * factor) : value;
    }
}
