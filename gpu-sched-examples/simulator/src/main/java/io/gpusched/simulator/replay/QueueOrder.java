package io.gpusched.simulator.replay;

import io.gpusched.simulator.trace.TraceJob;
import java.util.Comparator;

/** In which order waiting jobs are tried; one that does not fit is passed over and keeps its place. */
public enum QueueOrder {
    /** First come, first tried. */
    FIFO_SKIP("fifo-skip"),
    /** The shortest run first, as if run times were known; then first come. */
    SHORTEST_FIRST("shortest-first");

    private final String label;

    QueueOrder(String label) {
        this.label = label;
    }

    /** Returns the order; jobs that are equal in it stand by name. */
    Comparator<TraceJob> comparator() {
        Comparator<TraceJob> byArrival =
                Comparator.comparingLong(job -> job.lifetime().arrivalSeconds());
        Comparator<TraceJob> first = switch (this) {
            case FIFO_SKIP -> byArrival;
            case SHORTEST_FIRST ->
                Comparator.<TraceJob>comparingLong(job -> job.lifetime().runSeconds())
                        .thenComparing(byArrival);
        };
        return first.thenComparing(TraceJob::name);
    }

    /** Returns the name by which the command line knows it. */
    @Override
    public String toString() {
        return label;
    }
}
