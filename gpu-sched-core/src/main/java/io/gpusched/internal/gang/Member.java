package io.gpusched.internal.gang;

import io.gpusched.internal.fit.PodDemand;

/**
 * One pod of the group.
 *
 * @param index its place in the group's order
 * @param demand what it asks
 * @param kind its kind
 */
public record Member(int index, PodDemand demand, MemberKind kind) {}
