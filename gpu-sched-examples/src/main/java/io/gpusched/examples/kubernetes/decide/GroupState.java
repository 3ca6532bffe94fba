package io.gpusched.examples.kubernetes.decide;

import io.gpusched.examples.kubernetes.group.GroupCounts;
import io.gpusched.examples.kubernetes.group.GroupSpec;

/**
 * How far a group is.
 *
 * @param spec what it demands
 * @param counts how far its pods are
 */
public record GroupState(GroupSpec spec, GroupCounts counts) {}
