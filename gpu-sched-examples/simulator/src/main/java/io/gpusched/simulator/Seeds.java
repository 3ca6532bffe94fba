package io.gpusched.simulator;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A choice of seeds, as {@code 42..51}, {@code 42}, or {@code 42,45..47}.
 *
 * @param values the seeds, ascending, each once
 */
public record Seeds(List<Long> values) {
    private static final int MOST = 10_000;

    /** Copies the list. */
    public Seeds {
        values = List.copyOf(values);
    }

    /** Returns the seeds as the option takes them. */
    @Override
    public String toString() {
        String all = String.join(",", values.stream().map(String::valueOf).toList());
        boolean isRange = values.size() > 1 && values.get(values.size() - 1) - values.get(0) == values.size() - 1;
        return isRange ? values.get(0) + ".." + values.get(values.size() - 1) : all;
    }

    /** Reads the text of an option. */
    public static final class Converter implements ITypeConverter<Seeds> {
        @Override
        public Seeds convert(String text) {
            TreeSet<Long> values = new TreeSet<>();
            for (String part : text.split(",", -1)) {
                addRange(part.strip(), values, text);
            }
            return new Seeds(List.copyOf(values));
        }

        private static void addRange(String part, Set<Long> values, String text) {
            int dots = part.indexOf("..");
            try {
                long from = Long.parseLong(dots < 0 ? part : part.substring(0, dots));
                long to = dots < 0 ? from : Long.parseLong(part.substring(dots + 2));
                if (from < 0 || to < from || to - from >= MOST) {
                    throw bad(text);
                }
                LongStream.rangeClosed(from, to).forEach(values::add);
            } catch (NumberFormatException e) {
                throw bad(text);
            }
        }

        private static TypeConversionException bad(String text) {
            return new TypeConversionException(
                    "expected seeds such as 42, 42..51 or 42,45..47, each at least 0, got \"" + text + "\"");
        }
    }
}
