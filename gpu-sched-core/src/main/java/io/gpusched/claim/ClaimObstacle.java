package io.gpusched.claim;

import java.util.Objects;

/** Something without which requests could be served. */
public sealed interface ClaimObstacle {
    /**
     * Fewer devices are acceptable than are asked for, even if none were in use.
     *
     * @param request the request, as {@code claim/request}
     * @param asked how many devices it asks for
     * @param accepted how many devices its class and selectors accept on the node
     */
    record TooFewDevices(String request, long asked, int accepted) implements ClaimObstacle {
        /** Checks that nothing is null. */
        public TooFewDevices {
            Objects.requireNonNull(request, "request");
        }

        @Override
        public String toString() {
            return request + " asks for " + asked + " devices, its class and selectors accept " + accepted;
        }
    }

    /**
     * Devices are in use.
     *
     * @param devices how many devices or shares that the requests could have are in use
     */
    record InUse(int devices) implements ClaimObstacle {
        @Override
        public String toString() {
            return devices + " devices are in use";
        }
    }

    /**
     * A counter is used up.
     *
     * @param driver the driver whose devices share it
     * @param counter its name
     */
    record Counter(String driver, String counter) implements ClaimObstacle {
        /** Checks that nothing is null. */
        public Counter {
            Objects.requireNonNull(driver, "driver");
            Objects.requireNonNull(counter, "counter");
        }

        @Override
        public String toString() {
            return "counter " + counter + " of " + driver + " is used up";
        }
    }

    /**
     * A capacity is too small or used up.
     *
     * @param capacity its full name
     */
    record Capacity(String capacity) implements ClaimObstacle {
        /** Checks that nothing is null. */
        public Capacity {
            Objects.requireNonNull(capacity, "capacity");
        }

        @Override
        public String toString() {
            return "capacity " + capacity + " does not suffice";
        }
    }

    /**
     * Devices have a taint that is not tolerated.
     *
     * @param taint the taint
     */
    record Taint(DeviceTaint taint) implements ClaimObstacle {
        /** Checks that nothing is null. */
        public Taint {
            Objects.requireNonNull(taint, "taint");
        }

        @Override
        public String toString() {
            return "taint " + taint + " is not tolerated";
        }
    }

    /**
     * A constraint between devices of a claim does not hold.
     *
     * @param claim the claim
     * @param constraint the constraint
     */
    record Constraint(String claim, Claim.Constraint constraint) implements ClaimObstacle {
        /** Checks that nothing is null. */
        public Constraint {
            Objects.requireNonNull(claim, "claim");
            Objects.requireNonNull(constraint, "constraint");
        }

        @Override
        public String toString() {
            return "claim " + claim + " demands that "
                    + (constraint.kind() == Claim.Constraint.Kind.MATCH
                            ? "devices have one "
                            : "no two devices have one ")
                    + constraint.attribute();
        }
    }

    /**
     * More pods name a claim than may use it.
     *
     * @param claim the claim
     * @param most how many pods may use it
     */
    record TooManyPods(String claim, int most) implements ClaimObstacle {
        /** Checks that nothing is null. */
        public TooManyPods {
            Objects.requireNonNull(claim, "claim");
        }

        @Override
        public String toString() {
            return "claim " + claim + " may be used by " + most + " pods";
        }
    }
}
