package io.gpusched.conformance.emulation;

import java.util.regex.Pattern;

/** The form of a queue's {@code maxDuration}: {@code 0}, empty, or amounts with units in falling order, {@code 2h45m}. */
public final class T9kDuration {
    private static final Pattern FORM =
            Pattern.compile("0|(?:\\d+y)?(?:\\d+w)?(?:\\d+d)?(?:\\d+h)?(?:\\d+m)?(?:\\d+s)?(?:\\d+ms)?");

    private T9kDuration() {}

    /** Returns whether a text has the form. */
    public static boolean isValid(String text) {
        return FORM.matcher(text).matches();
    }
}
