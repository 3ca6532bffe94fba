package io.gpusched.dialect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Slurm's choice of nodes by runs of neighbours, and its notation for lists of nodes. */
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

    /**
     * Returns the names of a list such as {@code n1,n[3-5,8]}, which may keep leading zeros.
     *
     * @throws IllegalArgumentException if a bracket is not closed or a range is no range
     */
    static List<String> expand(String list) {
        List<String> names = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i <= list.length(); i++) {
            char c = i < list.length() ? list.charAt(i) : ',';
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (c == ',' && depth == 0) {
                addNames(list.substring(start, i).trim(), names);
                start = i + 1;
            }
        }
        if (depth != 0) {
            throw new IllegalArgumentException("node list must close its brackets, got \"" + list + "\"");
        }
        return names;
    }

    private static void addNames(String item, List<String> names) {
        int open = item.indexOf('[');
        if (open < 0) {
            if (!item.isEmpty()) {
                names.add(item);
            }
            return;
        }
        int close = item.indexOf(']', open);
        String rest = item.substring(close + 1);
        for (String range : item.substring(open + 1, close).split(",", -1)) {
            for (String number : numbers(range)) {
                names.add(item.substring(0, open) + number + rest);
            }
        }
    }

    /** Returns the numbers of {@code 3} or {@code 03-05}, with as many digits as the first has. */
    private static List<String> numbers(String range) {
        String[] ends = range.split("-", -1);
        try {
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            List<String> numbers = new ArrayList<>();
            for (int i = first; i <= last; i++) {
                String digits = String.valueOf(i);
                numbers.add("0".repeat(Math.max(0, ends[0].length() - digits.length())) + digits);
            }
            return numbers;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "node range must be a number or two with a dash, got \"" + range + "\"", e);
        }
    }
}
