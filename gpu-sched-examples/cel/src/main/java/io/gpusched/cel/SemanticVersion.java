package io.gpusched.cel;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version as semver 2.0.0 defines it. Build metadata does not count.
 *
 * @param major the first number
 * @param minor the second
 * @param patch the third
 * @param pre identifiers of a pre-release; none for a release
 */
record SemanticVersion(long major, long minor, long patch, List<String> pre) implements Comparable<SemanticVersion> {
    private static final String NUMBER = "(0|[1-9][0-9]*)";
    private static final Pattern STRICT =
            Pattern.compile(NUMBER + "\\." + NUMBER + "\\." + NUMBER + "(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z.-]+)?");
    private static final Pattern NUMERIC = Pattern.compile("[0-9]+");

    static Optional<SemanticVersion> parse(String text) {
        Matcher parts = STRICT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        List<String> pre =
                parts.group(4) == null ? List.of() : List.of(parts.group(4).split("\\.", -1));
        boolean isLegal = pre.stream()
                .allMatch(one ->
                        !one.isEmpty() && !(NUMERIC.matcher(one).matches() && one.length() > 1 && one.startsWith("0")));
        try {
            return isLegal
                    ? Optional.of(new SemanticVersion(number(parts, 1), number(parts, 2), number(parts, 3), pre))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static long number(Matcher parts, int group) {
        return Long.parseLong(Objects.requireNonNull(parts.group(group)));
    }

    /** Reads what people write: a leading v, leading zeros, and one or two numbers missing. */
    static Optional<SemanticVersion> normalized(String text) {
        String plain = text.strip();
        plain = plain.startsWith("v") || plain.startsWith("V") ? plain.substring(1) : plain;
        Matcher parts = Pattern.compile("([0-9]+)(?:\\.([0-9]+))?(?:\\.([0-9]+))?([-+].*)?")
                .matcher(plain);
        if (!parts.matches()) {
            return Optional.empty();
        }
        StringBuilder full = new StringBuilder();
        for (int i = 1; i <= 3; i++) {
            String number = parts.group(i) == null ? "0" : parts.group(i);
            full.append(i > 1 ? "." : "").append(number.replaceFirst("^0+(?=[0-9])", ""));
        }
        return parse(full + (parts.group(4) == null ? "" : parts.group(4)));
    }

    @Override
    public int compareTo(SemanticVersion other) {
        int numbers = Long.compare(major, other.major);
        numbers = numbers != 0 ? numbers : Long.compare(minor, other.minor);
        numbers = numbers != 0 ? numbers : Long.compare(patch, other.patch);
        if (numbers != 0) {
            return numbers;
        }
        if (pre.isEmpty() || other.pre.isEmpty()) {
            return Boolean.compare(pre.isEmpty(), other.pre.isEmpty());
        }
        for (int i = 0; i < Math.min(pre.size(), other.pre.size()); i++) {
            int order = compare(pre.get(i), other.pre.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(pre.size(), other.pre.size());
    }

    /** Numbers come before words. */
    private static int compare(String one, String other) {
        boolean isNumber = NUMERIC.matcher(one).matches();
        boolean isOther = NUMERIC.matcher(other).matches();
        if (isNumber && isOther) {
            return one.length() != other.length()
                    ? Integer.compare(one.length(), other.length())
                    : one.compareTo(other);
        }
        return isNumber == isOther ? one.compareTo(other) : isNumber ? -1 : 1;
    }
}
