package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.PodManifest;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * How a pod shares MetaX devices: by which policy, and whether it is an online or an offline pod.
 *
 * @param policy one of {@link #POLICIES}, or nothing where it does not matter
 * @param appClass {@link #ONLINE}, {@link #OFFLINE}, or nothing
 */
record MetaxTerms(String policy, String appClass) {
    static final String POLICY = "metax-tech.com/sgpu-qos-policy";
    static final String APP_CLASS = "metax-tech.com/sgpu-app-class";
    static final String ONLINE = "online";
    static final String OFFLINE = "offline";

    /** The policies; the first is MetaX's default. */
    static final List<String> POLICIES = List.of("best-effort", "fixed-share", "burst-share");

    private static final Set<String> CLASSES = Set.of(ONLINE, OFFLINE);

    /** The terms of a pod that states none. */
    static final MetaxTerms DEFAULT = new MetaxTerms(POLICIES.get(0), "");

    /** The terms of pods that run, which are looked at no more. */
    static final MetaxTerms HELD = new MetaxTerms("", "");

    /**
     * Returns the terms of a pod; of an online pod the policy says nothing.
     *
     * @throws IllegalArgumentException if an annotation has an illegal value
     */
    static MetaxTerms of(PodManifest pod) {
        String appClass = pod.annotations().getOrDefault(APP_CLASS, "");
        if (pod.annotations().containsKey(APP_CLASS) && !CLASSES.contains(appClass)) {
            throw new IllegalArgumentException(
                    APP_CLASS + ": must be " + ONLINE + " or " + OFFLINE + ", got \"" + appClass + "\"");
        }
        String policy = pod.annotations().getOrDefault(POLICY, DEFAULT.policy);
        if (appClass.equals(ONLINE)) {
            return new MetaxTerms(DEFAULT.policy, appClass);
        }
        if (!POLICIES.contains(policy)) {
            throw new IllegalArgumentException(POLICY + ": must be one of " + POLICIES + ", got \"" + policy + "\"");
        }
        return new MetaxTerms(policy, appClass);
    }

    boolean isOnline() {
        return appClass.equals(ONLINE);
    }

    boolean hasClass() {
        return !appClass.isEmpty();
    }

    /** Returns the labels by which a running pod's terms are known. */
    Map<String, String> marks() {
        Map<String, String> marks = new HashMap<>(Map.of(POLICY, policy));
        if (hasClass()) {
            marks.put(APP_CLASS, appClass);
        }
        return marks;
    }

    /** Returns the terms of the pods that hold a device, one for each; those of pods that state none are the default. */
    static List<MetaxTerms> ofTenants(NodeState node, int device) {
        List<MetaxTerms> all = new ArrayList<>();
        for (Placement placement : node.placements()) {
            if (placement.containers().stream()
                    .anyMatch(grant -> grant.gpus().indexes().contains(device))) {
                Map<String, String> labels =
                        Pod.of(placement).map(pod -> pod.rules().labels()).orElse(Map.of());
                all.add(new MetaxTerms(
                        labels.getOrDefault(POLICY, DEFAULT.policy), labels.getOrDefault(APP_CLASS, DEFAULT.appClass)));
            }
        }
        return all;
    }

    /**
     * Returns whether the tenants of a device let a pod with these terms in. Two containers of one pod with a class have a device in
     * common only where such a pod is already. Pods with a class share with such pods alone; an
     * online pod joins any of them, an offline pod only offline ones. But for online pods all share by one policy.
     *
     * @param tenants the terms of the pods that hold the device
     * @param earlier what containers of the pod itself hold
     * @param whole whether all compute of the device is asked for, so that policies do not matter
     */
    boolean isWelcome(List<MetaxTerms> tenants, List<ContainerGrant> earlier, int device, boolean whole) {
        Objects.requireNonNull(tenants, "tenants");
        if (equals(HELD)) {
            return true;
        }
        boolean holds =
                earlier.stream().anyMatch(grant -> grant.gpus().indexes().contains(device));
        if (tenants.isEmpty()) {
            return !holds || !hasClass();
        }
        boolean classes = tenants.stream().anyMatch(MetaxTerms::hasClass);
        boolean online = tenants.stream().anyMatch(MetaxTerms::isOnline);
        if (classes != hasClass() || online && appClass.equals(OFFLINE)) {
            return false;
        }
        return isOnline() || whole || tenants.stream().allMatch(tenant -> tenant.policy.equals(policy));
    }
}
