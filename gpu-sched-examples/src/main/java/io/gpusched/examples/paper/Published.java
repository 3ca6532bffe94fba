package io.gpusched.examples.paper;

import io.gpusched.examples.trace.TraceRow;
import io.gpusched.examples.trace.TraceTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The numbers that the authors of the paper published, by trace and policy. */
public final class Published {
    /** The names in the published tables, in the order of {@link PaperPolicies#NAMES}. */
    private static final List<String> NAMES =
            List.of("01-Random", "02-DotProd", "03-GpuClustering", "04-GpuPacking", "05-BestFit", "06-FGD");

    private record Key(String trace, String policy, int arrivedPercent) {}

    private final Map<Key, Double> means = new HashMap<>();

    private Published() {}

    /**
     * Reads {@code expected_means.csv} of a folder (columns {@code workload,policy,alloc100,alloc130,...}); without that
     * file nothing is known.
     *
     * @throws io.gpusched.examples.trace.TraceException if the file is there and cannot be used
     */
    public static Published read(Path folder) {
        Published published = new Published();
        Path file = folder.resolve("expected_means.csv");
        if (Files.isRegularFile(file)) {
            TraceTable.read(file, List.of("workload", "policy", "alloc100", "alloc130"), row -> {
                published.add(row, 100);
                published.add(row, 130);
                return row;
            });
        }
        return published;
    }

    private void add(TraceRow row, int arrivedPercent) {
        int policy = NAMES.indexOf(row.name("policy"));
        if (policy >= 0) {
            means.put(
                    new Key(row.name("workload"), PaperPolicies.NAMES.get(policy), arrivedPercent),
                    row.decimal("alloc" + arrivedPercent));
        }
    }

    /** Returns the published mean of allocated GPU compute in percent, over the seeds 42 to 51, where it is known. */
    public OptionalDouble allocatedPercent(String trace, String policy, int arrivedPercent) {
        Double mean = means.get(new Key(trace, policy, arrivedPercent));
        return mean == null ? OptionalDouble.empty() : OptionalDouble.of(mean);
    }
}
