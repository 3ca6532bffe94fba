package io.gpusched.manifests.grant;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.aliyun.AliyunGpuShareDialect;
import io.gpusched.dialect.hami.HamiDialect;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The times and phases that device plugins read beside a grant: gpushare's finds the pod that waits longest by its
 * {@code ASSUME_TIME} (nanoseconds), HAMi's the one in the phase {@code allocating} (times in seconds).
 */
public final class BindingStamps {
    private final Clock clock;

    /** Creates stamps by the time of a clock. */
    public BindingStamps(Clock clock) {
        this.clock = clock;
    }

    /**
     * Returns what a dialect writes, with its stamps where it grants anything.
     *
     * @throws IllegalStateException if an annotation is not among the dialect's {@link Dialect#grants}
     */
    public BindingMetadata stamp(Dialect dialect, BindingMetadata written) {
        if (written.annotations().isEmpty()) {
            return written;
        }
        Map<String, String> annotations = new HashMap<>(written.annotations());
        Instant now = clock.instant();
        if (dialect instanceof AliyunGpuShareDialect) {
            long nanos = Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
            annotations.put("ALIYUN_COM_GPU_MEM_ASSUME_TIME", Long.toString(nanos));
        } else if (dialect instanceof HamiDialect) {
            String seconds = Long.toString(now.getEpochSecond());
            annotations.put("hami.io/vgpu-time", seconds);
            annotations.put("hami.io/bind-time", seconds);
            annotations.put("hami.io/bind-phase", "allocating");
        }
        return new BindingMetadata(written.environment(), GrantGuard.checked(dialect, annotations), written.labels());
    }
}
