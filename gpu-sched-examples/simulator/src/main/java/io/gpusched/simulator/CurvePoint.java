package io.gpusched.simulator;

/**
 * Where a run stood when so much had arrived.
 *
 * @param arrivedPercent GPU compute asked for so far, refused pods included, in whole percent of the cluster's
 * @param allocatedPercent GPU compute allocated, in percent of the cluster's, to two decimals
 * @param fragPercent fragmented GPU compute, in percent of the cluster's, to two decimals
 * @param fragRatioPercent fragmented GPU compute in percent of what is idle, to four decimals
 * @param placed pods placed so far
 * @param rejected pods refused so far
 */
public record CurvePoint(
        int arrivedPercent,
        double allocatedPercent,
        double fragPercent,
        double fragRatioPercent,
        int placed,
        int rejected) {}
