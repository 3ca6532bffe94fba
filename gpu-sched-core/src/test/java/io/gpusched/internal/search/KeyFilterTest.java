package io.gpusched.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyFilterTest {
    @Test
    void test_asksAsLongAsItIsGoodFor_thenLetsAllPass() {
        KeyFilter filter = new KeyFilter(key -> key == 7, 3);
        assertThat(filter.test(7)).isTrue();
        assertThat(filter.test(8)).isFalse();
        assertThat(filter.test(9)).isFalse();
        assertThat(filter.isUsedUp()).isFalse();
        assertThat(filter.test(8)).isTrue();
        assertThat(filter.isUsedUp()).isTrue();
    }
}
