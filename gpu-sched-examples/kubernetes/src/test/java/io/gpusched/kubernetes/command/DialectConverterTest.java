package io.gpusched.kubernetes.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.TypeConversionException;

class DialectConverterTest {
    private final DialectConverter converter = new DialectConverter();

    @Test
    void aKnownName_isItsDialect() {
        assertThat(converter.convert("t9k").dialect().name()).isEqualTo("t9k");
    }

    @Test
    void anUnknownName_isRefusedWithThoseThatAreKnown() {
        assertThatThrownBy(() -> converter.convert("nope"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageStartingWith("must be one of t9k, ")
                .hasMessageEndingWith(", got \"nope\"");
    }

    @Test
    void aSettingsFileThatIsNotThere_isNamed(@TempDir Path folder) {
        Path missing = folder.resolve("device-config.yaml");
        assertThatThrownBy(() -> converter.convert("hami:" + missing))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage(missing + ": no such file");
    }
}
