package io.gpusched.dialect.slurm;

import java.util.ArrayList;
import java.util.List;

/** Slurm's notation for lists of nodes and of files. */
final class SlurmNames {
    /** The most names that Slurm takes from one range. */
    private static final int MOST_NAMES = 65_536;

    private SlurmNames() {}

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
            if (depth < 0) {
                break;
            }
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
            if (names.size() > MOST_NAMES) {
                throw new IllegalArgumentException("node list must have at most " + MOST_NAMES + " names");
            }
        }
    }

    /** Returns the numbers of {@code 3} or {@code 03-05}, with as many digits as the first has. */
    private static List<String> numbers(String range) {
        String[] ends = range.split("-", -1);
        try {
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            if (ends.length > 2 || (long) last - first >= MOST_NAMES) {
                throw new IllegalArgumentException("node range must be a number or two with a dash, at most "
                        + MOST_NAMES + " numbers, got \"" + range + "\"");
            }
            List<String> numbers = new ArrayList<>();
            for (long i = first; i <= last; i++) {
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
