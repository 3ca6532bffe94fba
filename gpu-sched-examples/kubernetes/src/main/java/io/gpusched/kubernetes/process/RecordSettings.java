package io.gpusched.kubernetes.process;

import io.gpusched.replay.RecorderLimits;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Where what is seen and decided is recorded.
 *
 * @param folder where the history is written
 * @param limits how much of it is kept, in milliseconds
 */
public record RecordSettings(Path folder, RecorderLimits limits) {
    /** Refuses null. */
    public RecordSettings {
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(limits, "limits");
    }

    /** Returns settings that keep as much as a recorder usually does. */
    public static RecordSettings of(Path folder) {
        return new RecordSettings(folder, RecorderLimits.USUAL.withUnitsPerSecond(1_000));
    }

    /** Returns these settings with another size of all files together. */
    public RecordSettings withBytes(long value) {
        return new RecordSettings(folder, limits.withBytes(value));
    }
}
