package io.gpusched.simulator.trace;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A job list as it was read.
 *
 * @param form what it was taken for, with the units of its times
 * @param jobs its jobs in file order
 * @param leftOut how many rows were left out, by the reason
 */
public record JobList(String form, List<SubmittedJob> jobs, Map<String, Integer> leftOut) {
    /** Copies the collections. */
    public JobList {
        jobs = List.copyOf(jobs);
        leftOut = java.util.Collections.unmodifiableMap(new TreeMap<>(leftOut));
    }

    /** Returns what it was taken for and what was left out, in a line. */
    @Override
    public String toString() {
        return form
                + (leftOut.isEmpty()
                        ? ""
                        : "; rows left out: "
                                + leftOut.entrySet().stream()
                                        .map(reason -> String.format("%,d %s", reason.getValue(), reason.getKey()))
                                        .collect(Collectors.joining(", ")));
    }
}
