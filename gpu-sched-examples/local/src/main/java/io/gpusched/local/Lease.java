package io.gpusched.local;

import io.gpusched.model.GpuGrant;
import io.gpusched.model.Placement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * GPUs of a {@link GpuMachine}, or parts of them, held until {@link #close}. Thread-safe.
 *
 * <p>A lease that is not closed ends with the program: at once where the machine has a lease file, and with the machine object
 * otherwise.
 */
public final class Lease implements AutoCloseable {
    private final long id;
    private final Placement placement;
    private final Map<String, String> environment;
    private final LeaseStore store;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    Lease(long id, Placement placement, Map<String, String> environment, LeaseStore store) {
        this.id = id;
        this.placement = placement;
        this.environment = environment;
        this.store = store;
    }

    /**
     * Returns the environment variables that let a child process see these GPUs alone, in the order of their indexes:
     * {@code CUDA_VISIBLE_DEVICES} by UUID and {@code CUDA_DEVICE_ORDER}, or {@code ROCR_VISIBLE_DEVICES} by index for AMD; for a share of
     * less than a whole GPU's compute also {@code CUDA_MPS_ACTIVE_THREAD_PERCENTAGE}, which counts where NVIDIA's MPS runs.
     */
    public Map<String, String> environment() {
        return environment;
    }

    /** Returns the indexes of the GPUs, ascending, as {@code nvidia-smi} counts them. */
    public List<Integer> gpus() {
        return placement.gpus();
    }

    /** Returns what is held of each GPU: whole GPUs, or shares with their compute and memory. */
    public GpuGrant grant() {
        return placement.containers().get(0).gpus();
    }

    /**
     * Gives the GPUs back; the first waiting request is tried next. A second call does nothing.
     *
     * @throws java.io.UncheckedIOException if the lease file cannot be written; the lease then ends with the program
     */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            store.update(table -> table.release(id));
        }
    }

    @Override
    public String toString() {
        return "lease " + id + (isClosed.get() ? " (closed)" : "") + ": " + grant();
    }
}
