package io.gpusched.conformance.emulation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The form of a queue's {@code maxDuration}: {@code 0}, empty, or amounts with units in falling order, {@code 2h45m}. */
public final class T9kDuration {
    private static final Pattern FORM =
            Pattern.compile("0|(?:(\\d+)y)?(?:(\\d+)w)?(?:(\\d+)d)?(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?(?:(\\d+)ms)?");

    private static final long[] UNIT_MILLIS = {
        365L * 86_400_000, 7L * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000, 1
    };

    private T9kDuration() {}

    /** Returns whether a text has the form. */
    public static boolean isValid(String text) {
        return FORM.matcher(text).matches();
    }

    /**
     * Returns the milliseconds of a text; 365 days make a year.
     *
     * @throws IllegalArgumentException if it does not have the form or the amount is too large
     */
    public static long parseMillis(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "maxDuration must be 0 or amounts with the units y w d h m s ms in this order, got \"" + text
                            + "\"");
        }
        long sum = 0;
        try {
            for (int i = 0; i < UNIT_MILLIS.length; i++) {
                String amount = matcher.group(i + 1);
                sum = Math.addExact(
                        sum, amount == null ? 0 : Math.multiplyExact(Long.parseLong(amount), UNIT_MILLIS[i]));
            }
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("maxDuration is too large, got \"" + text + "\"", e);
        }
        return sum;
    }
}
