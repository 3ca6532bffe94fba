package io.gpusched.cli;

import io.gpusched.model.Placement;
import io.gpusched.simulator.RunListener;
import io.gpusched.simulator.trace.TracePod;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A progress bar on the error stream, where there is a terminal; nothing elsewhere. Thread-safe. */
final class Progress implements RunListener, AutoCloseable {
    private static final int STEP = 256;

    private final LongAdder done = new LongAdder();
    private final @Nullable ProgressBar bar;

    private Progress(@Nullable ProgressBar bar) {
        this.bar = bar;
    }

    /** Starts a bar for so many decisions or runs. */
    @SuppressWarnings("SystemConsoleNull") // the start script sets jdk.console so that newer JDKs answer as older ones
    static Progress of(String task, long decisions) {
        if (System.console() == null) {
            return new Progress(null);
        }
        return new Progress(new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(decisions)
                .setStyle(ProgressBarStyle.ASCII)
                .clearDisplayOnFinish()
                .build());
    }

    /** Notes that one of the steps has ended. */
    void ended() {
        if (bar != null) {
            bar.step();
        }
    }

    @Override
    public void decided(TracePod pod, Optional<Placement> placement) {
        if (bar != null) {
            done.increment();
            if (pod.hashCode() % STEP == 0) {
                bar.stepTo(done.sum());
            }
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
