package io.gpusched.claim;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Features of dynamic resource allocation that a cluster may have switched on. */
public enum ClaimFeature {
    /** Requests for devices in use. */
    ADMIN_ACCESS,
    /** Devices that become usable only when conditions are met. */
    BINDING_CONDITIONS,
    /** Devices that several claims have parts of. */
    CONSUMABLE_CAPACITY,
    /** Taints of devices. */
    DEVICE_TAINTS,
    /** Parts in thousandths. */
    FRACTIONAL_CAPACITY,
    /** Devices that draw on shared counters. */
    PARTITIONABLE_DEVICES,
    /** Requests with alternatives. */
    PRIORITIZED_LIST,
    /** Alpha: groups of devices that may be used side by side. */
    COMPATIBILITY_GROUPS,
    /** Alpha: attributes that a request computes. */
    DERIVED_ATTRIBUTES,
    /** Alpha: attributes that are lists. */
    LIST_ATTRIBUTES,
    /** Alpha: slices that leave out operations on the node. */
    OPTIONAL_NODE_OPERATIONS;

    /** What every cluster of Kubernetes 1.38 has; alpha features are not among it, and refused by name. */
    public static final Set<ClaimFeature> KUBERNETES_1_38 =
            Collections.unmodifiableSet(EnumSet.range(ADMIN_ACCESS, PRIORITIZED_LIST));
}
