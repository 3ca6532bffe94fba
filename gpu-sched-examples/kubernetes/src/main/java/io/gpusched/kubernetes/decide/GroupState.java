package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.group.GroupCounts;
import io.gpusched.kubernetes.group.GroupSpec;

/**
 * How far a group is.
 *
 * @param spec what it demands
 * @param counts how far its pods are
 */
public record GroupState(GroupSpec spec, GroupCounts counts) {}
