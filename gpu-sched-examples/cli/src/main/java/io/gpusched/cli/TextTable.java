package io.gpusched.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table for a terminal: the leading columns to the left, the others to the right, two blanks between them. */
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    private final int left;

    /** Starts a table with this many columns to the left. */
    public TextTable(int left, String... header) {
        this.left = left;
        rows.add(List.of(header));
    }

    /** Adds a row; it may be shorter than the header. */
    public TextTable row(String... cells) {
        return row(Arrays.asList(cells));
    }

    /** Adds a row; it may be shorter than the header. */
    public TextTable row(List<String> cells) {
        rows.add(List.copyOf(cells));
        return this;
    }

    @Override
    public String toString() {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String blanks = " ".repeat(widths[column] - row.get(column).length());
                line.append(column == 0 ? "" : "  ");
                line.append(column < left ? row.get(column) + blanks : blanks + row.get(column));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
