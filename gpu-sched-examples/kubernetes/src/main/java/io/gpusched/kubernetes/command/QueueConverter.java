package io.gpusched.kubernetes.command;

import io.gpusched.kubernetes.quota.QueueVocabulary;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads whose queues are meant by their name. */
public final class QueueConverter implements ITypeConverter<QueueVocabulary> {
    @Override
    public QueueVocabulary convert(String value) {
        return QueueVocabulary.find(value)
                .orElseThrow(() -> new TypeConversionException("no queues are named \"" + value + "\". Known: "
                        + Arrays.stream(QueueVocabulary.values())
                                .map(QueueVocabulary::word)
                                .collect(Collectors.joining(", "))));
    }
}
