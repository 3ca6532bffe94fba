package io.gpusched.internal.lookahead;

/** The units in which a look-ahead counts. */
final class CostUnits {
    /** One milli of a GPU in a cost or a penalty. */
    static final int MILLI = 1_024;

    /** The bits of a score below its cost, for the best-fit term, in milli. */
    static final int TIE_BITS = 10;

    private CostUnits() {}
}
