package io.gpusched.queue;

import io.gpusched.check.Checks;
import java.util.Comparator;
import java.util.Objects;

/**
 * Something that a queue has a quota of: all GPUs, the GPUs of one model, CPU, memory or a named resource.
 *
 * <p>GPUs are counted in milli of a device: a whole one is 1,000, a share or a partition is the greater of the part of compute and
 * the part of memory that it takes of its device, rounded up. CPU is counted in milli, memory in MiB, a named resource in its own unit.
 *
 * @param kind what it is
 * @param name the name of a GPU model or of a named resource, empty for the others
 */
public record QueueResource(Kind kind, String name) implements Comparable<QueueResource> {
    /** What a queue can have a quota of. */
    public enum Kind {
        /** All GPUs, in milli of a device. */
        GPU,
        /** CPU, in milli. */
        CPU,
        /** Memory, in MiB. */
        MEMORY,
        /** The GPUs of one model, in milli of a device. */
        GPU_MODEL,
        /** A named resource, in its own unit. */
        NAMED
    }

    /** All GPUs, in milli of a device. */
    public static final QueueResource GPU = new QueueResource(Kind.GPU, "");

    /** CPU, in milli. */
    public static final QueueResource CPU = new QueueResource(Kind.CPU, "");

    /** Memory, in MiB. */
    public static final QueueResource MEMORY = new QueueResource(Kind.MEMORY, "");

    private static final Comparator<QueueResource> ORDER =
            Comparator.comparing(QueueResource::kind).thenComparing(QueueResource::name);

    /**
     * Checks the combination.
     *
     * @throws IllegalArgumentException if a name is missing or not expected
     */
    public QueueResource {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        boolean isNamed = kind == Kind.GPU_MODEL || kind == Kind.NAMED;
        if (isNamed) {
            Checks.notBlank("queue resource", "name", name);
        } else if (!name.isEmpty()) {
            throw new IllegalArgumentException("queue resource " + kind + ": name must be empty, got \"" + name + "\"");
        }
    }

    /** Returns the GPUs of one model, by its name such as {@code A100}, in milli of a device. */
    public static QueueResource gpuModel(String name) {
        return new QueueResource(Kind.GPU_MODEL, name);
    }

    /** Returns a named resource. */
    public static QueueResource named(String name) {
        return new QueueResource(Kind.NAMED, name);
    }

    /** Returns the amount that fair shares are rounded down to: a whole GPU, a core, or one of the unit. */
    public long unit() {
        return switch (kind) {
            case GPU, GPU_MODEL, CPU -> 1_000;
            case MEMORY, NAMED -> 1;
        };
    }

    @Override
    public int compareTo(QueueResource other) {
        return ORDER.compare(this, Objects.requireNonNull(other, "other"));
    }

    @Override
    public String toString() {
        return switch (kind) {
            case GPU -> "gpu";
            case CPU -> "cpu";
            case MEMORY -> "memory";
            case GPU_MODEL -> "gpu " + name;
            case NAMED -> name;
        };
    }
}
