package io.gpusched.internal.access;

/**
 * What a policy has worked out of the state of a node, kept with the state so that it goes when the state does. It follows from
 * the state and the policy alone, so a lost one is worked out again, to the same result. Immutable.
 *
 * @param author stands for the policy, without a reference to it: states outlive policies
 * @param value what it thinks of the state, in units of its own
 * @param memorySteps the free memory, as it counts memory
 */
public record StateNote(Object author, long value, int memorySteps) {}
