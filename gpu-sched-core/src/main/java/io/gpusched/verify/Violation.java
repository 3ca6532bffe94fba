package io.gpusched.verify;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A law that an answer breaks. Immutable and thread-safe.
 *
 * @param law which one
 * @param subject what breaks it, such as {@code pod "trainer-0"}
 * @param words what is wrong, in a sentence
 * @param numbers the amounts that are compared, by what they are; empty where nothing is counted
 */
public record Violation(Law law, String subject, String words, Map<String, Long> numbers) {
    /** Copies the numbers. */
    public Violation {
        Objects.requireNonNull(law, "law");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(words, "words");
        Objects.requireNonNull(numbers, "numbers").forEach((what, number) -> {
            if (what == null || number == null) {
                throw new NullPointerException("numbers[" + what + "]");
            }
        });
        numbers = Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
    }

    static Violation of(Law law, String subject, String words) {
        return new Violation(law, subject, words, Map.of());
    }

    /** Of more than there is. */
    static Violation above(Law law, String subject, String what, long used, long most) {
        Map<String, Long> numbers = new LinkedHashMap<>();
        numbers.put("used", used);
        numbers.put("available", most);
        return new Violation(law, subject, what + ": " + used + " used of " + most, numbers);
    }

    /** Of fewer than must be. */
    static Violation below(Law law, String subject, String what, long has, long least) {
        Map<String, Long> numbers = new LinkedHashMap<>();
        numbers.put("has", has);
        numbers.put("least", least);
        return new Violation(law, subject, what + ": " + has + " of at least " + least, numbers);
    }

    /** Returns the law, the subject and what is wrong. */
    @Override
    public String toString() {
        return law + ": " + subject + ": " + words;
    }
}
