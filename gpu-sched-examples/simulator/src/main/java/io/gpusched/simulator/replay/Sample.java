package io.gpusched.simulator.replay;

/**
 * Means over one slice of time.
 *
 * @param hours end of the slice, in hours since the start
 * @param usedPercent GPU compute in use, in percent of the cluster's
 * @param fragPercent GPU compute that typical pods cannot use, in percent of the cluster's
 * @param running jobs that run
 * @param waiting jobs that wait
 */
public record Sample(double hours, double usedPercent, double fragPercent, double running, double waiting) {}
