package io.gpusched.kubernetes.command;

import io.gpusched.queue.Backfill;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a rule of backfill by its name. */
public final class BackfillConverter implements ITypeConverter<Backfill> {
    @Override
    public Backfill convert(String text) {
        return Stream.of(Backfill.values())
                .filter(known -> known.name().equalsIgnoreCase(text.strip()))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "must be anyone, nobody, easy, conservative or promised, got \"" + text + "\""));
    }
}
