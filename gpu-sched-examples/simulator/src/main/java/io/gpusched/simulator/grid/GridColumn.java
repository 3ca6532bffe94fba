package io.gpusched.simulator.grid;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The columns of results, in their order. Where a rule does not tell a number, its field is empty. */
public enum GridColumn {
    /** See {@link Cell#trace}. */
    TRACE(Kind.TEXT),
    /** See {@link Cell#cluster}. */
    CLUSTER(Kind.TEXT),
    /** See {@link Cell#load}. */
    LOAD(Kind.DECIMAL),
    /** See {@link Cell#rule}. */
    RULE(Kind.TEXT),
    /** See {@link Cell#told}. */
    TOLD(Kind.TEXT),
    /** See {@link Cell#seed}. */
    SEED(Kind.WHOLE),
    /** The length of the blocks of arrivals that a seed draws; empty for the arrivals as they were. */
    BLOCK_HOURS(Kind.DECIMAL),
    /** How often a policy tries waiting jobs, 1 for whenever one arrives or ends; empty with a rule of backfill, which does just that. */
    INTERVAL_SECONDS(Kind.WHOLE),
    /** The first 16 digits of the SHA-256 of the job list. */
    TRACE_DIGEST(Kind.TEXT),
    /** The same of the file of the machines; empty for nodes of one kind. */
    CLUSTER_DIGEST(Kind.TEXT),
    /** Which jobs can never run, and why; empty where all can. A row has this or numbers. */
    FAILURE(Kind.TEXT),
    /** Jobs. */
    JOBS(Kind.WHOLE),
    /** Wait before the first start: mean. */
    MEAN_WAIT_MINUTES(Kind.DECIMAL),
    /** Half of the jobs wait no longer. */
    MEDIAN_WAIT_MINUTES(Kind.DECIMAL),
    /** 95 of 100 wait no longer. */
    P95_WAIT_MINUTES(Kind.DECIMAL),
    /** 99 of 100 wait no longer. */
    P99_WAIT_MINUTES(Kind.DECIMAL),
    /** Of a rule of backfill: mean time from submission to end. */
    MEAN_COMPLETION_MINUTES(Kind.DECIMAL),
    /** GPU compute in use, in percent of the cluster's: mean while jobs arrive. */
    USED_PERCENT(Kind.DECIMAL),
    /** Of a policy: {@code true} where the second half of the arrivals was a steady state. */
    STEADY(Kind.TEXT),
    /** Of a rule of backfill: how often jobs were evicted. */
    EVICTIONS(Kind.WHOLE),
    /** Of a rule of backfill: jobs that were told a start while they waited. */
    TOLD_STARTS(Kind.WHOLE),
    /** Those of them that started later. */
    SLIPPED(Kind.WHOLE),
    /** How much later these started: mean. */
    MEAN_SLIP_MINUTES(Kind.DECIMAL),
    /** 99 of 100 of these started no later than this. */
    P99_SLIP_MINUTES(Kind.DECIMAL),
    /** Of a rule of backfill: mean error of the predicted time to completion. */
    PREDICTION_ERROR_PERCENT(Kind.DECIMAL);

    /** What a field holds. */
    public enum Kind {
        /** Any text. */
        TEXT,
        /** A whole number. */
        WHOLE,
        /** A number with decimals, as {@link Double#toString(double)} writes it: read again it is the same to the last digit. */
        DECIMAL
    }

    private final Kind kind;

    GridColumn(Kind kind) {
        this.kind = kind;
    }

    /** Returns what its fields hold. */
    public Kind kind() {
        return kind;
    }

    /** Returns its name in the header, such as {@code mean_wait_minutes}. */
    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the header. */
    static List<String> titles() {
        return Stream.of(values()).map(GridColumn::title).toList();
    }
}
