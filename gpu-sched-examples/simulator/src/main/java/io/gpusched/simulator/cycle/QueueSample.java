package io.gpusched.simulator.cycle;

/**
 * Means of a queue over one slice of time.
 *
 * @param usedPercent the GPUs that it uses, in percent of the cluster's
 * @param fairPercent its fair share, given what all queues ask for, in percent of the cluster's GPUs
 * @param waiting its jobs that wait
 */
public record QueueSample(double usedPercent, double fairPercent, double waiting) {}
