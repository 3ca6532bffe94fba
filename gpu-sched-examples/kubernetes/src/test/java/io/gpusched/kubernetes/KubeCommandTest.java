package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpusched.kubernetes.process.LeaseSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class KubeCommandTest {
    /** Each would be passed over in silence otherwise. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--record-mib=5 | --record-mib says how --record is done",
                "--defrag-moves=5 | --defrag-moves says how --defrag is done",
                "--defrag-interval=5 | --defrag-interval says how --defrag is done",
                "--no-leader-elect --lease-name=a | --lease-name says how --leader-elect is done",
                "--no-leader-elect --lease-seconds=5 | --lease-seconds says how --leader-elect is done",
                "--health-port=-1 --host=127.0.0.1 | --host says how --health-port is done",
                "--writers=0 | --writers must be at least 1, got 0"
            })
    void anOptionThatCanHaveNoEffect_isRefused_namingTheOneThatIsMissing(String arguments, String words) {
        StringWriter said = new StringWriter();
        CommandLine kube = KubernetesCommands.commandLine();
        kube.setErr(new PrintWriter(said));
        assertThat(kube.execute(("kube " + arguments).split(" "))).isEqualTo(2);
        assertThat(said.toString()).startsWith(words);
    }

    @Test
    void aShorterLease_isRenewedMoreOften_andTheUsualOneAsKubeSchedulerDoes() {
        LeaseSettings usual = LeaseSettings.of("n", "l", "one");
        assertThat(usual.withDuration(LeaseSettings.DURATION)).isEqualTo(usual);
        LeaseSettings shorter = usual.withDuration(Duration.ofSeconds(3));
        assertThat(shorter.renewWithin()).isEqualTo(Duration.ofSeconds(2));
        assertThat(shorter.retry()).isEqualTo(Duration.ofMillis(300));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> usual.withDuration(Duration.ofSeconds(1)))
                .withMessageContaining("at least 2 s");
    }
}
