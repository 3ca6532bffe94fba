package io.gpusched.workload;

import io.gpusched.check.Checks;
import io.gpusched.model.GpuModel;

/** How much of a device's memory a share takes. */
public sealed interface GpuMemory {
    /**
     * A fixed amount.
     *
     * @param mib memory in MiB, 0..268,435,455
     */
    record Mib(long mib) implements GpuMemory {
        private static final Mib ZERO = new Mib(0);

        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException if the amount is out of range
         */
        public Mib {
            Checks.inRange("gpu memory", "mib", mib, 0, GpuModel.MAX_MEMORY_MIB);
        }

        @Override
        public long on(long capacityMib) {
            return mib;
        }

        @Override
        public String toString() {
            return mib + " MiB";
        }
    }

    /**
     * A percentage of the memory of the device that is chosen, rounded down: 30 percent of 81,559 MiB are 24,467 MiB.
     *
     * @param percent 1..100
     */
    record Percent(int percent) implements GpuMemory {
        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException if the percentage is out of range
         */
        public Percent {
            Checks.inRange("gpu memory", "percent", percent, 1, 100);
        }

        @Override
        public long on(long capacityMib) {
            return capacityMib * percent / 100;
        }

        @Override
        public String toString() {
            return percent + "% of memory";
        }
    }

    /** Returns the amount in MiB on a device with this much memory. */
    long on(long capacityMib);

    /** Returns an amount of zero: no memory is booked. */
    static GpuMemory none() {
        return Mib.ZERO;
    }

    /** Returns this many MiB, 0..268,435,455. */
    static GpuMemory mib(long mib) {
        return new Mib(mib);
    }

    /** Returns this percentage of the chosen device's memory, 1..100. */
    static GpuMemory percent(int percent) {
        return new Percent(percent);
    }
}
