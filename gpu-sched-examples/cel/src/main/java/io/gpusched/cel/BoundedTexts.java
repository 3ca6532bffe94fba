package io.gpusched.cel;

import com.google.re2j.Pattern;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Functions of texts that take and make no more than a selector has any use for: their arguments are foreign. */
final class BoundedTexts {
    /** The most characters that a function makes. */
    private static final int MOST_CHARACTERS = 10 * CelSelectors.MOST_CHARACTERS;

    /** The most parts that a regular expression has once its repetitions are written out; Go takes as many repetitions. */
    private static final int MOST_PARTS = 1_000;

    private BoundedTexts() {}

    private static void check(long characters) {
        if (characters > MOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "would make a text of " + characters + " characters, more than " + MOST_CHARACTERS);
        }
    }

    /** Replaces the first of some parts of a text, all if there are to be fewer than none. */
    static String replace(String text, String part, String by, long most) {
        long left = most < 0 ? Long.MAX_VALUE : most;
        if (left == 0 || part.equals(by)) {
            return text;
        }
        StringBuilder made = new StringBuilder();
        int from = 0;
        int at = text.indexOf(part);
        while (at >= 0 && left > 0) {
            made.append(text, from, at).append(by);
            check(made.length());
            from = at + part.length();
            left--;
            if (part.isEmpty()) {
                if (at == text.length()) {
                    return made.toString();
                }
                made.appendCodePoint(text.codePointAt(at));
                from = at + Character.charCount(text.codePointAt(at));
                at = from;
            } else {
                at = text.indexOf(part, from);
            }
        }
        check((long) made.length() + text.length() - from);
        return made.append(text, from, text.length()).toString();
    }

    /** Joins texts. */
    static String join(List<?> texts, String between) {
        StringBuilder made = new StringBuilder();
        for (int i = 0; i < texts.size(); i++) {
            made.append(i == 0 ? "" : between).append((String) texts.get(i));
            check(made.length());
        }
        return made.toString();
    }

    /** Returns a regular expression. */
    static Pattern regex(String regex) {
        long parts = parts(regex);
        if (parts > MOST_PARTS) {
            throw new IllegalArgumentException(
                    "a regular expression repeats its parts " + parts + " times, more than " + MOST_PARTS + " times");
        }
        return Pattern.compile(regex);
    }

    /** The number of parts with each repetition written out, at least. Of what is no expression it is any number. */
    private static long parts(String regex) {
        Deque<Long> outer = new ArrayDeque<>();
        long parts = 0;
        long last = 0;
        int at = 0;
        while (at < regex.length()) {
            char one = regex.charAt(at);
            if (one == '(') {
                outer.push(parts);
                parts = 0;
                last = 0;
            } else if (one == ')' && !outer.isEmpty()) {
                last = parts;
                parts += outer.pop();
            } else if (one == '{') {
                long times = times(regex, at);
                parts += last * (times - 1);
                last *= times;
            } else if (one != '*' && one != '+' && one != '?' && one != '|') {
                at = end(regex, at);
                last = 1;
                parts++;
            }
            if (parts > MOST_PARTS) {
                return parts;
            }
            at++;
        }
        return parts;
    }

    /** How often at most the part before a brace is repeated. */
    private static long times(String regex, int brace) {
        long most = 1;
        int at = brace + 1;
        while (at < regex.length() && (Character.isDigit(regex.charAt(at)) || regex.charAt(at) == ',')) {
            int from = at;
            long number = 0;
            while (at < regex.length() && Character.isDigit(regex.charAt(at))) {
                number = Math.min(MOST_PARTS + 1L, number * 10 + Character.digit(regex.charAt(at), 10));
                at++;
            }
            most = Math.max(most, number);
            at += at == from ? 1 : 0;
        }
        return most;
    }

    /** Where a character, an escape or a class of characters ends. */
    private static int end(String regex, int from) {
        if (regex.charAt(from) == '\\') {
            return from + 1;
        }
        if (regex.charAt(from) != '[') {
            return from;
        }
        int at = from + (regex.startsWith("[^]", from) ? 3 : regex.startsWith("[]", from) ? 2 : 1);
        while (at < regex.length() && regex.charAt(at) != ']') {
            at += regex.charAt(at) == '\\' ? 2 : 1;
        }
        return at;
    }
}
