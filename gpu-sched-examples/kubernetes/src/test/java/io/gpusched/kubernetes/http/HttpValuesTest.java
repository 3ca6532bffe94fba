package io.gpusched.kubernetes.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HttpValuesTest {
    @Test
    void limits_outOfRangeAreRefusedByName() {
        HttpLimits limits = HttpLimits.DEFAULT;

        assertThatThrownBy(() -> limits.withBodyBytes(0))
                .hasMessage("limits: bodyBytes must be in 1..1073741824, got 0");
        assertThatThrownBy(() -> limits.withConnections(65_537))
                .hasMessage("limits: connections must be in 1..65536, got 65537");
        assertThatThrownBy(() -> limits.withRequests(0)).hasMessage("limits: requests must be in 1..65536, got 0");
        assertThatThrownBy(() -> limits.withTimes(Duration.ZERO, Duration.ofSeconds(1)))
                .hasMessage("limits: arrival must be at least 1 ms, got PT0S");
        assertThatThrownBy(() -> new HttpLimits(2, 1, 1, 1, Duration.ofSeconds(1), Duration.ofSeconds(1), 1))
                .hasMessage("limits: bodyBytesTogether must be at least bodyBytes, 2, got 1");
    }

    @Test
    void aGreaterBody_makesRoomForSeveralTogether() {
        assertThat(HttpLimits.DEFAULT.withBodyBytes(64 << 20).bodyBytesTogether())
                .isEqualTo(512L << 20);
    }

    @Test
    void aReply_needsAStatusThatHttpHas() {
        assertThatThrownBy(() -> Reply.text(99, "")).hasMessage("reply: status must be in 200..599, got 99");
    }

    @Test
    void aReplyInJson_isWhatTheValueIs() {
        assertThat(Reply.json(Map.of("a", 1)).body().toString()).isEqualTo("{\"a\":1}");
    }

    @Test
    void aNumberInARequest_isReadExactly() {
        assertThat(Request.of("/", "0.10000000000000000000001").json().decimalValue())
                .isEqualByComparingTo("0.10000000000000000000001");
    }

    @Test
    void aNumberBeyondAllRange_isABadRequest() {
        assertThatThrownBy(() -> Request.of("/", "1e10000100000").json())
                .isInstanceOf(HttpProblem.class)
                .hasMessageContaining("must be JSON");
    }

    @Test
    void aKey_isNeverPrinted() {
        assertThat(new PemKey("certificate", "secret").toString()).doesNotContain("secret");
    }
}
