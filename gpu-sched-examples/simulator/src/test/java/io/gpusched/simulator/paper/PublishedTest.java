package io.gpusched.simulator.paper;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.gpusched.simulator.trace.SharedTraces;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedTest {
    private final Published published = Published.load();

    @Test
    void means_areThoseOfThePaper() {
        assertThat(published.allocatedPercent("default", "fgd-paper", 100)).hasValue(95.23);
        assertThat(published.allocatedPercent("multigpu50", "random-paper", 100))
                .hasValue(81.28);
        assertThat(published.allocatedPercent("cpu050", "best-fit-paper", 100)).hasValue(93.56);
    }

    @Test
    void means_ofOtherTracesAndPoliciesAreNotKnown() {
        assertThat(published.allocatedPercent("small", "fgd-paper", 100)).isEmpty();
        assertThat(published.allocatedPercent("default", "default", 100)).isEmpty();
        assertThat(published.allocatedPercent("default", "fgd-paper", 110)).isEmpty();
    }

    @Test
    void means_equalThoseComputedApart() throws IOException {
        List<String> names =
                List.of("01-Random", "02-DotProd", "03-GpuClustering", "04-GpuPacking", "05-BestFit", "06-FGD");
        try (CsvReader<NamedCsvRecord> rows =
                CsvReader.builder().ofNamedCsvRecord(SharedTraces.openb().resolve("expected_means.csv"))) {
            for (NamedCsvRecord row : rows) {
                String policy = PaperPolicies.NAMES.get(names.indexOf(row.getField("policy")));
                for (int percent : new int[] {100, 130}) {
                    assertThat(published.allocatedPercent(row.getField("workload"), policy, percent))
                            .hasValue(Double.parseDouble(row.getField("alloc" + percent)));
                }
            }
        }
    }
}
