package io.gpusched.kubernetes.command;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import org.junit.jupiter.api.Test;

class ServingTest {
    @Test
    void clusterThatNothingNames_isRefusedInsteadOfAskedForEver() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Serving.requireFound(Config.empty()))
                .withMessageStartingWith("no cluster found")
                .withMessageContaining("Maybe set KUBECONFIG");
    }

    @Test
    void clusterWithAnAddressOrAToken_isTaken() {
        Config remote = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://10.96.0.1:443")
                .build();
        Config inPod =
                new ConfigBuilder(Config.empty()).withAutoOAuthToken("token").build();
        assertThatCode(() -> Serving.requireFound(remote)).doesNotThrowAnyException();
        assertThatCode(() -> Serving.requireFound(inPod)).doesNotThrowAnyException();
    }
}
