package io.gpusched.dialect.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmNamesTest {
    @Test
    void ranges_areExpandedWithTheDigitsOfTheFirst() {
        assertThat(SlurmNames.expand("n[08-10,3]x,m")).containsExactly("n08x", "n09x", "n10x", "n3x", "m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"n]1[", "n]", "n[1", "n[1]]", "a,]b,[c"})
    void bracketsThatDoNotMatch_areRefused(String list) {
        assertThatThrownBy(() -> SlurmNames.expand(list))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must close its brackets, got \"" + list + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1-2-3", "0-65536", "0-2147483647", "x", "", "1-"})
    void rangesThatAreNone_orTooLong_areRefused(String range) {
        assertThatThrownBy(() -> SlurmNames.expand("n[" + range + "]"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node range must be a number or two with a dash")
                .hasMessageContaining("got \"" + range + "\"");
    }

    @Test
    void theGreatestNumber_isOneName() {
        assertThat(SlurmNames.expand("n[2147483647]")).containsExactly("n2147483647");
    }

    @Test
    void rangesThatAreTooLongTogether_areRefused() {
        assertThatThrownBy(() -> SlurmNames.expand("a[0-65535],b[0-1]"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 65536 names");
    }
}
