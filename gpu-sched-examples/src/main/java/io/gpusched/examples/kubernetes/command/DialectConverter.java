package io.gpusched.examples.kubernetes.command;

import io.gpusched.examples.dialect.Dialects;
import io.gpusched.examples.dialect.NamedDialect;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a dialect. */
public final class DialectConverter implements ITypeConverter<NamedDialect> {
    @Override
    public NamedDialect convert(String name) {
        try {
            return Dialects.find(name)
                    .orElseThrow(() -> new TypeConversionException(
                            "must be one of " + String.join(", ", Dialects.known()) + ", got \"" + name + "\""));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
