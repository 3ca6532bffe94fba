package io.gpusched.simulator.paper;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * The numbers that the authors of the paper published, by trace and policy: means over their ten seeds, from
 * {@code experiments/analysis/expected_results/analysis_allo_discrete.csv} of hkust-adsl/kubernetes-scheduler-simulator
 * (Apache-2.0).
 */
public final class Published {
    private static final String TABLE = "published-means.csv";
    /** The names in the published tables, in the order of {@link PaperPolicies#NAMES}. */
    private static final List<String> NAMES =
            List.of("01-Random", "02-DotProd", "03-GpuClustering", "04-GpuPacking", "05-BestFit", "06-FGD");

    private record Key(String trace, String policy, int arrivedPercent) {}

    private final Map<Key, Double> means = new HashMap<>();

    private Published() {}

    /** Returns the means of the seventeen traces that the paper evaluates. */
    public static Published load() {
        Published published = new Published();
        try (InputStream in = Objects.requireNonNull(Published.class.getResourceAsStream(TABLE), TABLE);
                CsvReader<NamedCsvRecord> rows =
                        CsvReader.builder().ofNamedCsvRecord(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (NamedCsvRecord row : rows) {
                published.add(row, 100);
                published.add(row, 130);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return published;
    }

    private void add(NamedCsvRecord row, int arrivedPercent) {
        String policy = PaperPolicies.NAMES.get(NAMES.indexOf(row.getField("policy")));
        means.put(
                new Key(row.getField("workload"), policy, arrivedPercent),
                Double.valueOf(row.getField("alloc" + arrivedPercent)));
    }

    /** Returns the published mean of allocated GPU compute in percent, over the seeds 42 to 51, where it is known. */
    public OptionalDouble allocatedPercent(String trace, String policy, int arrivedPercent) {
        Double mean = means.get(new Key(trace, policy, arrivedPercent));
        return mean == null ? OptionalDouble.empty() : OptionalDouble.of(mean);
    }
}
