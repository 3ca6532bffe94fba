package io.gpusched.dialect.slurm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Slurm's choice of nodes by runs of neighbours. */
final class SlurmRuns {
    private SlurmRuns() {}

    /** Returns so many of the fitting nodes, in node order; there must be enough. */
    static List<String> choose(List<String> order, Set<String> fitting, int count) {
        List<List<Integer>> runs = runs(order, fitting);
        Set<Integer> taken = new TreeSet<>();
        while (taken.size() < count) {
            int missing = count - taken.size();
            List<Integer> run = best(runs, missing);
            runs.remove(run);
            taken.addAll(run.subList(0, Math.min(missing, run.size())));
        }
        return taken.stream().map(order::get).toList();
    }

    /** The shortest run that suffices, or else the longest; of equals the first. */
    private static List<Integer> best(List<List<Integer>> runs, int missing) {
        return runs.stream()
                .filter(run -> run.size() >= missing)
                .min(Comparator.comparingInt(List::size))
                .orElseGet(() -> runs.stream()
                        .min(Comparator.<List<Integer>>comparingInt(List::size).reversed())
                        .orElseThrow());
    }

    private static List<List<Integer>> runs(List<String> order, Set<String> fitting) {
        List<List<Integer>> runs = new ArrayList<>();
        boolean open = false;
        for (int i = 0; i < order.size(); i++) {
            boolean fits = fitting.contains(order.get(i));
            if (fits && !open) {
                runs.add(new ArrayList<>());
            }
            if (fits) {
                runs.get(runs.size() - 1).add(i);
            }
            open = fits;
        }
        return runs;
    }
}
