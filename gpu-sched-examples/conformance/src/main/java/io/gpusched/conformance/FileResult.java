package io.gpusched.conformance;

import java.util.List;

/**
 * What became of the cases of one file.
 *
 * @param file the file as it was named
 * @param cases its cases in their order
 */
public record FileResult(String file, List<CaseResult> cases) {
    /** Copies the list. */
    public FileResult {
        cases = List.copyOf(cases);
    }

    /** Returns how many cases passed with a remark that begins so. */
    int noted(String words) {
        return (int) cases.stream()
                .filter(result -> result.outcome() instanceof Outcome.Passed passed
                        && passed.note().startsWith(words))
                .count();
    }

    /** Returns how many cases have an outcome of this type. */
    public int count(Class<? extends Outcome> type) {
        return (int) cases.stream()
                .filter(result -> type.isInstance(result.outcome()))
                .count();
    }
}
