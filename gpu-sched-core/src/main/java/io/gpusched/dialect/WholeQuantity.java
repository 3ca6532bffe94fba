package io.gpusched.dialect;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads Kubernetes quantities that must be whole numbers: {@code 4096}, {@code 4Ki}, {@code 2k}, {@code 1e3}. */
final class WholeQuantity {
    private static final Pattern FORM =
            Pattern.compile("([+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+))([eE][+-]?\\d{1,3}|[A-Za-z]*)");
    private static final Map<String, BigDecimal> UNITS = Map.ofEntries(
            Map.entry("", BigDecimal.ONE),
            Map.entry("m", new BigDecimal("0.001")),
            Map.entry("k", BigDecimal.TEN.pow(3)),
            Map.entry("M", BigDecimal.TEN.pow(6)),
            Map.entry("G", BigDecimal.TEN.pow(9)),
            Map.entry("T", BigDecimal.TEN.pow(12)),
            Map.entry("P", BigDecimal.TEN.pow(15)),
            Map.entry("E", BigDecimal.TEN.pow(18)),
            Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
            Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
            Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
            Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
            Map.entry("Pi", BigDecimal.valueOf(1L << 50)),
            Map.entry("Ei", BigDecimal.valueOf(1L << 60)));

    private WholeQuantity() {}

    /**
     * Returns the number.
     *
     * @throws IllegalArgumentException if the text is no quantity, or not a whole number in the range of {@code long}
     */
    static long parse(String resource, String text) {
        Matcher form = FORM.matcher(text.trim());
        if (!form.matches()) {
            throw new IllegalArgumentException(resource + ": must be a quantity, got \"" + text + "\"");
        }
        String unit = form.group(2);
        try {
            BigDecimal value = unit.matches("[eE][+-]?\\d+")
                    ? new BigDecimal(form.group(1) + unit)
                    : new BigDecimal(form.group(1)).multiply(factor(resource, text, unit));
            return value.longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(resource + ": must be a whole number, got \"" + text + "\"", e);
        }
    }

    private static BigDecimal factor(String resource, String text, String unit) {
        BigDecimal factor = UNITS.get(unit);
        if (factor == null) {
            throw new IllegalArgumentException(resource + ": unknown unit \"" + unit + "\" in \"" + text + "\"");
        }
        return factor;
    }
}
