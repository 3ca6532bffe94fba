package io.gpusched.decision;

import io.gpusched.model.amount.NamedAmounts;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * How much of one quantity was asked for, and how much there is on the nodes of a {@link Reason}.
 *
 * @param quantity what is counted
 * @param asked how much was asked for on one node or GPU; 0 if that is not one number
 * @param total how much there is on all these nodes together
 * @param greatest the greatest amount on one node, or on one GPU if the quantity is compute or memory of GPUs
 * @param name the name of a {@link Quantity#RESOURCE}; otherwise empty
 */
public record Amount(Quantity quantity, long asked, long total, long greatest, String name) {
    /** What is counted. */
    public enum Quantity {
        /** Free CPU in milli; of nodes that are too small, all of it. */
        CPU_MILLIS,
        /** Free memory in MiB; of nodes that are too small, all of it. */
        MEMORY_MIB,
        /** A resource that is counted by name: what is free; of nodes that are too small, all of it. */
        RESOURCE,
        /** GPUs: idle, accepted, unhealthy or all, as the reason says. */
        GPUS,
        /** Free compute of GPUs in milli; of GPUs that are too small, all of it. */
        GPU_COMPUTE_MILLIS,
        /** Free memory of GPUs in MiB; of GPUs that are too small, all of it. */
        GPU_MEMORY_MIB,
        /** Free slots of a GPU; each tenant takes some. */
        GPU_SLOTS,
        /** Places that are free for a hardware partition. */
        PARTITIONS,
        /** Pods that run. */
        PODS,
        /** Members of a group that have to start together, and members that have room. */
        MEMBERS;

        /** Returns an amount in words: 1500 milli of CPU are {@code 1.5 cores}, 2048 MiB {@code 2 GiB of memory}, 1 pod {@code 1 pod}. */
        public String inWords(long amount) {
            return switch (this) {
                case CPU_MILLIS -> thousandths(amount) + (amount == 1_000 ? " core" : " cores");
                case MEMORY_MIB -> bytes(amount) + " of memory";
                case RESOURCE -> Long.toString(amount);
                case GPUS -> amount + (amount == 1 ? " GPU" : " GPUs");
                case GPU_COMPUTE_MILLIS -> thousandths(amount) + (amount == 1_000 ? " GPU" : " GPUs");
                case GPU_MEMORY_MIB -> bytes(amount) + " of GPU memory";
                case GPU_SLOTS -> amount + (amount == 1 ? " slot" : " slots");
                case PARTITIONS -> amount + (amount == 1 ? " partition" : " partitions");
                case PODS -> amount + (amount == 1 ? " pod" : " pods");
                case MEMBERS -> amount + (amount == 1 ? " member" : " members");
            };
        }
    }

    /** Checks that nothing is missing. */
    public Amount {
        Objects.requireNonNull(quantity, "quantity");
        Objects.requireNonNull(name, "name");
    }

    /** An amount of anything but a named resource. */
    public Amount(Quantity quantity, long asked, long total, long greatest) {
        this(quantity, asked, total, greatest, "");
    }

    /** Compute of one GPU: 250 milli are {@code 25 %}. */
    static String percent(long millis) {
        return millis / 10 + (millis % 10 == 0 ? "" : "." + millis % 10) + " %";
    }

    /** Thousandths as a decimal number without trailing zeros: 250 is {@code 0.25}. */
    static String thousandths(long millis) {
        String digits = String.format(Locale.ROOT, "%03d", millis % 1_000).replaceAll("0+$", "");
        return millis / 1_000 + (digits.isEmpty() ? "" : "." + digits);
    }

    /** MiB, or from 1024 on GiB with up to two decimals, rounded down. */
    static String bytes(long mib) {
        return mib < 1_024 ? mib + " MiB" : thousandths(mib / 1_024 * 1_000 + mib % 1_024 * 100 / 1_024 * 10) + " GiB";
    }

    /** The same rounded up: what is asked does not read as what is there where that is less. */
    static String bytesAsked(long mib) {
        return mib < 1_024
                ? bytes(mib)
                : thousandths(mib / 1_024 * 1_000 + (mib % 1_024 * 100 + 1_023) / 1_024 * 10) + " GiB";
    }

    /** An amount of a named resource: {@code 2 rdma/hca}, {@code 4 GiB hugepages-2Mi}. */
    static String words(String name, long amount) {
        return amount == 0 ? "0 " + name : NamedAmounts.of(Map.of(name, amount)).toString();
    }

    /** The same without the name. */
    static String number(String name, long amount) {
        String words = words(name, amount);
        return words.substring(0, words.length() - name.length() - 1);
    }

    /** Returns whether less was found in any one place than was asked for. */
    boolean fallsShort() {
        return greatest < asked;
    }

    @Override
    public String toString() {
        return (name.isEmpty() ? quantity.inWords(total) : words(name, total)) + ", at most " + greatest + ", asked "
                + asked;
    }
}
