package io.gpusched.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OvercommitTest {
    @Test
    void eightSharesAndThreeWholeGpus_gpuSchedPlacesTheSharesOnly() {
        assertThat(Overcommit.acceptedByGpuSched()).isEqualTo(Overcommit.SHARES);
    }

    @Test
    void eightSharesAndThreeWholeGpus_fenzoPlacesThemAll() {
        assertThat(Overcommit.acceptedByFenzo()).isEqualTo(Overcommit.SHARES + Overcommit.WHOLE);
    }
}
