package io.gpusched.internal.gang;

/** What bounds the work for a group: in steps of its decision, unless the name says what is counted. */
final class GangBounds {
    /** To score a node for a member. */
    static final long STEPS_PER_SCORE = 10;

    /** To place a member where few nodes have changed since the one before it was placed. */
    static final long STEPS_PER_MEMBER = 60;

    /** To assign a member to a node in an exact search. */
    static final long STEPS_PER_ASSIGNMENT = 150;

    /** To find out whether a member fits on a node alone. */
    static final long STEPS_PER_FIT = 20_000;

    /** To look at a domain for a group of groups, and at each pod for each group that it is in. */
    static final long STEPS_PER_DOMAIN = 20;

    /** More GPUs than this are not looked at as bins. */
    static final int MOST_BINS = 256;

    /** No more parts of GPUs than this are looked at as items for bins. */
    static final int MOST_ITEMS = 256;

    /**
     * A member is compared with no more kinds of the same hash than this, as a request may hold thousands. A member that
     * equals none of them gets a kind of its own, which costs time and changes nothing.
     */
    static final int MOST_KINDS_PER_HASH = 32;

    private GangBounds() {}
}
