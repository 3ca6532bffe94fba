package io.gpusched.kubernetes.command;

import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.yaml.InputException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a dialect, and its settings file where the name has one. */
public final class DialectConverter implements ITypeConverter<NamedDialect> {
    @Override
    public NamedDialect convert(String name) {
        try {
            return Dialects.find(name)
                    .orElseThrow(() -> new TypeConversionException(
                            "must be one of " + String.join(", ", Dialects.known()) + ", got \"" + name + "\""));
        } catch (IllegalArgumentException | InputException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
