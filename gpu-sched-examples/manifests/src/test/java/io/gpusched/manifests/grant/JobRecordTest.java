package io.gpusched.manifests.grant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobRecordTest {
    private static Optional<JobRecord> read(String text) {
        return JobRecord.of("default", Map.of(JobRecord.ANNOTATION, text));
    }

    @Test
    void whatIsWritten_isReadAgain() {
        JobRecord plain = new JobRecord("q", Optional.empty(), true, 7);
        assertThat(read(plain.write())).contains(plain);
    }
}
