package io.gpusched.kubebench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** How long the processors of this machine have been busy since it was started. */
final class MachineTime {
    /** Linux counts in hundredths of a second. */
    private static final long MILLIS_PER_TICK = 10;

    private static final Pattern SPACES = Pattern.compile(" +");
    private static final int IDLE = 3;
    private static final int WAITING = 4;
    private static final int GUEST = 8;

    private MachineTime() {}

    /** Returns the time, summed over all processors; nothing where the system does not tell. */
    static Optional<Duration> busy() {
        try {
            long[] ticks = SPACES.splitAsStream(
                            Files.readAllLines(Path.of("/proc/stat")).get(0))
                    .skip(1)
                    .mapToLong(Long::parseLong)
                    .limit(GUEST)
                    .toArray();
            long busy = Arrays.stream(ticks).sum() - ticks[IDLE] - ticks[WAITING];
            return Optional.of(Duration.ofMillis(busy * MILLIS_PER_TICK));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }
}
