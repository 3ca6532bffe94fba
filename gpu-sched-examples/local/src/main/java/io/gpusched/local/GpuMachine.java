package io.gpusched.local;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs of one machine, leased to threads, child processes and, with a {@linkplain Builder#leaseFile lease file}, among several
 * programs.
 *
 * <p>Requests are served strictly in their order: a request for four GPUs that waits is never passed by a later one for one GPU. A
 * request gets all its GPUs at once or none. Which GPUs they are, {@link GpuScheduler} decides: the best connected set where links are
 * known, shares packed tightly. GPUs that {@code CUDA_VISIBLE_DEVICES} (for AMD {@code ROCR_VISIBLE_DEVICES}) hides from this program
 * are not leased. GPUs in MIG mode are not leased either.
 *
 * <p>Thread-safe. A lease or a release costs a decision of the scheduler, some microseconds; with a lease file two small file
 * operations more.
 */
public final class GpuMachine {
    private static final int MOST_LEASES = 1_000_000;

    private final Node node;
    private final Cluster empty;
    private final Set<String> hidden;
    private final LeaseStore store;

    /** Used within transactions of the store alone. */
    private final GpuScheduler scheduler;

    /** The counts below are guarded by it. */
    private final Object counting = new Object();

    private long granted;
    private long abandoned;
    private long waitedNanos;

    private GpuMachine(Builder builder, Node described) {
        VisibleGpus.checkVendor(described);
        this.node = described.toBuilder().maxPods(MOST_LEASES).build();
        this.empty = Cluster.of(List.of(node));
        this.hidden = VisibleGpus.hidden(node, builder.environment);
        this.store = builder.leaseFile == null ? LeaseStore.inMemory() : LeaseStore.of(builder.leaseFile);
        this.scheduler = builder.policy == null ? GpuScheduler.create() : GpuScheduler.of(builder.policy);
        store.update(this::agreeOnMachine);
    }

    private boolean agreeOnMachine(LeaseTable table) {
        Optional<Node> other = table.machine();
        if (other.isPresent() && !other.get().equals(node) && table.heldCount() + table.waitingCount() > 0) {
            throw new IllegalStateException("lease file: programs hold leases of a machine with other gpus: "
                    + other.get().gpus() + ", this program sees " + node.gpus());
        }
        table.setMachine(node);
        return true;
    }

    /**
     * Returns the machine that this program runs on, with what {@code nvidia-smi} says of its GPUs and their links, leases in memory.
     *
     * @throws IllegalStateException if {@code nvidia-smi} cannot be run, or not be understood
     */
    public static GpuMachine detect() {
        return builder().build();
    }

    /**
     * Returns the machine of this description, leases in memory.
     *
     * @param node its GPUs and links; CPU and memory are not looked at
     * @throws IllegalArgumentException if its GPUs are neither all of vendor {@code nvidia} nor all of vendor {@code amd}
     */
    public static GpuMachine of(Node node) {
        return builder().node(node).build();
    }

    /** Starts a machine: detected, with the environment of this program and leases in memory. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the description of the machine. */
    public Node node() {
        return node;
    }

    /** Returns a snapshot of the machine with a pod for each lease, to count free GPUs or to try what fits. */
    public Cluster cluster() {
        return store.update(this::snapshot);
    }

    private Cluster snapshot(LeaseTable table) {
        return Cluster.of(List.of(node), table.placements());
    }

    /** Returns what has been counted. */
    public LeaseCounts counts() {
        int[] sizes = store.update(table -> new int[] {table.heldCount(), table.waitingCount()});
        synchronized (counting) {
            return new LeaseCounts(
                    sizes[0], sizes[1], granted, abandoned, store.recovered(), Duration.ofNanos(waitedNanos));
        }
    }

    /**
     * Leases GPUs, and waits for them if need be.
     *
     * @param timeout how long to wait at most; zero or less: only if they can be had now
     * @throws TimeoutException if they could not be had in time; it says what stands in the way
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws IllegalArgumentException if this machine can never meet the request, even without any lease; it says why
     */
    public Lease lease(GpuRequest request, Duration timeout) throws InterruptedException, TimeoutException {
        Objects.requireNonNull(timeout, "timeout");
        Attempt attempt = new Attempt(request);
        Optional<Lease> lease = attempt.await(nanos(timeout));
        if (lease.isEmpty()) {
            throw new TimeoutException("no lease of " + request + " within " + timeout + ": " + attempt.obstacle);
        }
        return lease.get();
    }

    /**
     * Leases GPUs, and waits for as long as it takes.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws IllegalArgumentException if this machine can never meet the request, even without any lease; it says why
     */
    public Lease lease(GpuRequest request) throws InterruptedException {
        return new Attempt(request).await(Long.MAX_VALUE).orElseThrow();
    }

    /**
     * Leases GPUs if they can be had now: no earlier request waits, and they are free.
     *
     * @throws IllegalArgumentException if this machine can never meet the request, even without any lease; it says why
     */
    public Optional<Lease> tryLease(GpuRequest request) {
        return new Attempt(request).now();
    }

    private static long nanos(Duration timeout) {
        try {
            return Math.max(0, timeout.toNanos());
        } catch (ArithmeticException e) {
            return timeout.isNegative() ? 0 : Long.MAX_VALUE;
        }
    }

    /** Returns the request without the GPUs that are hidden from this program. */
    private GpuRequest visible(GpuRequest request) {
        List<GpuRequest> alternatives = request.alternatives().stream()
                .map(one -> one.withSelector(hiding(one.selector())))
                .toList();
        return alternatives.size() == 1
                ? alternatives.get(0)
                : GpuRequest.firstOf(alternatives.toArray(GpuRequest[]::new));
    }

    private GpuSelector hiding(GpuSelector selector) {
        Set<String> denied = new TreeSet<>(selector.deniedUuids());
        denied.addAll(hidden);
        return selector.withDeniedUuids(denied);
    }

    private static void check(GpuRequest request) {
        Objects.requireNonNull(request, "request");
        for (GpuRequest one : request.alternatives()) {
            if (one.isNone() || one instanceof GpuRequest.Partition) {
                throw new IllegalArgumentException(
                        "lease: request must be for whole GPUs, shares or the whole node, got \"" + request + "\"");
            }
        }
    }

    /** One request on its way to a lease. */
    private final class Attempt {
        private final GpuRequest request;
        private final long started = System.nanoTime();
        private final long id;
        private String obstacle = "";
        private boolean isDone;

        Attempt(GpuRequest asked) {
            check(asked);
            this.request = visible(asked);
            this.id = store.update(this::enqueue);
        }

        private long enqueue(LeaseTable table) {
            long number = table.nextId();
            Decision ever = scheduler.schedule(empty, pod(number));
            if (ever instanceof Unschedulable no && no.certainty() == Certainty.PROVEN) {
                throw new IllegalArgumentException(
                        "lease: this machine can never meet the request for " + request + ": " + no.diagnosis());
            }
            table.enqueue(number, store.owner(), ProcessHandle.current().pid());
            return number;
        }

        private Pod pod(long number) {
            return Pod.of("lease-" + number, Resources.NONE, request);
        }

        Optional<Lease> now() {
            try {
                return attempt();
            } finally {
                end();
            }
        }

        Optional<Lease> await(long nanos) throws InterruptedException {
            try {
                while (true) {
                    long version = store.version();
                    Optional<Lease> lease = attempt();
                    long left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - started);
                    if (lease.isPresent() || left <= 0) {
                        return lease;
                    }
                    store.awaitChange(version, left);
                }
            } finally {
                end();
            }
        }

        private Optional<Lease> attempt() {
            return store.update(this::grant);
        }

        private Optional<Lease> grant(LeaseTable table) {
            int before = table.before(id);
            if (before > 0) {
                obstacle = before + (before == 1 ? " earlier request waits" : " earlier requests wait");
                return Optional.empty();
            }
            Decision decision = scheduler.schedule(snapshot(table), pod(id));
            if (decision instanceof Placed placed) {
                return Optional.of(grant(table, placed.placement()));
            }
            if (decision instanceof Unschedulable no) {
                obstacle = no.diagnosis().toString();
            }
            return Optional.empty();
        }

        private Lease grant(LeaseTable table, Placement placement) {
            table.grant(id, placement);
            isDone = true;
            synchronized (counting) {
                granted++;
                waitedNanos += System.nanoTime() - started;
            }
            return new Lease(id, placement, LeaseEnvironment.of(node, placement), store);
        }

        /** Takes the request back if no lease came of it. */
        private void end() {
            if (!isDone) {
                store.update(table -> table.abandon(id));
                synchronized (counting) {
                    abandoned++;
                }
            }
        }
    }

    /** Collects what a machine is made of; {@link #build} may be called again. */
    public static final class Builder {
        private @Nullable Node node;
        private Map<String, String> environment = System.getenv();
        private @Nullable Path leaseFile;
        private @Nullable PlacementPolicy policy;
        private String program = "nvidia-smi";

        private Builder() {}

        /** Takes this description instead of asking {@code nvidia-smi}. */
        public Builder node(Node value) {
            this.node = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Asks this program instead of the {@code nvidia-smi} on the path; without effect where a node is given. */
        public Builder nvidiaSmi(String path) {
            this.program = Objects.requireNonNull(path, "path");
            return this;
        }

        /** Takes the variables that hide GPUs from here; without this call from the environment of this program. */
        public Builder environment(Map<String, String> variables) {
            this.environment = Map.copyOf(Objects.requireNonNull(variables, "variables"));
            return this;
        }

        /**
         * Shares leases with all programs that name this file, which is made if it does not exist, on a file system of this machine.
         * A file with {@code .lock} at its end is made beside it; neither may be deleted while a program uses them. Leases of
         * a program that ends, however it ends, are free at once.
         */
        public Builder leaseFile(Path file) {
            this.leaseFile = Objects.requireNonNull(file, "file");
            return this;
        }

        /** Compares what fits by this policy; without this call as {@link GpuScheduler#create()} does. */
        public Builder policy(PlacementPolicy value) {
            this.policy = Objects.requireNonNull(value, "value");
            return this;
        }

        /**
         * Returns the machine.
         *
         * @throws IllegalArgumentException if the GPUs are neither all of vendor {@code nvidia} nor all of vendor {@code amd}, or the
         *     environment names them in a way that is not clear
         * @throws IllegalStateException if {@code nvidia-smi} cannot be run or not be understood, or the lease file is no lease file, or
         *     is in use for other GPUs
         * @throws java.io.UncheckedIOException if the lease file cannot be opened
         */
        public GpuMachine build() {
            return new GpuMachine(this, node == null ? Detection.nvidiaSmi(program) : node);
        }
    }

    @Override
    public String toString() {
        return "machine \"" + node.name() + "\" with " + node.gpus().size() + " gpus";
    }
}
