package io.gpusched.manifests.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.workload.ShapeCell;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobRecordTest {
    private static Optional<JobRecord> read(String text) {
        return JobRecord.of("default", Map.of(JobRecord.ANNOTATION, text));
    }

    @Test
    void whatIsWritten_isReadAgain() {
        JobRecord plain = new JobRecord("q", Optional.empty(), true, 7, List.of());
        JobRecord inCells = new JobRecord(
                "q",
                Optional.empty(),
                false,
                7,
                List.of(new ShapeCell("H100", "rack", "zone=z/rack=r"), new ShapeCell("H100", "node", "n1")));
        assertThat(read(plain.write())).contains(plain);
        assertThat(read(inCells.write())).contains(inCells);
        assertThat(plain.write()).as("as before there were shapes").doesNotContain("cells");
    }

    @Test
    void cellsThatCannotBeRead_areNone() {
        String terms = "{\"queue\":\"q\",\"preemptible\":true,\"time\":7,\"cells\":";
        for (String cells : List.of("3", "{}", "[3]", "[{\"model\":\"H100\"}]", "null")) {
            assertThat(read(terms + cells + "}"))
                    .hasValueSatisfying(record -> assertThat(record.cells()).isEmpty());
        }
    }
}
