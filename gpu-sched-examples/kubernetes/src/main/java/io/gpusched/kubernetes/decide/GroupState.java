package io.gpusched.kubernetes.decide;

import io.gpusched.manifests.group.GroupCounts;
import io.gpusched.manifests.group.GroupSpec;

/**
 * How far a group is.
 *
 * @param spec what it demands
 * @param counts how far its pods are
 */
public record GroupState(GroupSpec spec, GroupCounts counts) {}
