package io.gpusched.kubernetes.volume;

import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.CSINodeDriver;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * How many volumes of each CSI driver a node can attach, by its {@code CSINode}: as a resource that nodes have and pods take,
 * named as Kubernetes names it where limits stand on nodes, {@code attachable-volumes-csi-} and the driver. A node that states no
 * limit of a driver has none. Not thread-safe.
 */
public final class AttachLimits {
    /** What the names of the resources begin with. */
    public static final String PREFIX = "attachable-volumes-csi-";

    /** What follows a refusal that names such a resource: kube-scheduler's words for it. */
    public static final String WORDS =
            "; NodeVolumeLimits: node(s) exceed max volume count, as CSINode.spec.drivers says";

    private static final long UNLIMITED = 1L << 40;
    private static final int LONGEST_NAME = 63;
    private static final int LONGEST_START = 30;

    private final Map<String, Map<String, Integer>> byNode = new HashMap<>();
    private final Map<String, Integer> nodesByDriver = new TreeMap<>();

    /** Takes note of what a node can attach; returns whether a driver got its first limit or lost its last. */
    boolean put(CSINode node) {
        Map<String, Integer> limits = new TreeMap<>();
        for (CSINodeDriver driver : node.getSpec().getDrivers()) {
            if (driver.getAllocatable() != null && driver.getAllocatable().getCount() != null) {
                limits.put(driver.getName(), Math.max(0, driver.getAllocatable().getCount()));
            }
        }
        return replace(node.getMetadata().getName(), limits);
    }

    /** Takes note that nothing is known of a node any more; returns whether a driver lost its last limit. */
    boolean remove(String node) {
        return replace(node, Map.of());
    }

    private boolean replace(String node, Map<String, Integer> limits) {
        Set<String> before = new TreeSet<>(nodesByDriver.keySet());
        Map<String, Integer> old = limits.isEmpty() ? byNode.remove(node) : byNode.put(node, limits);
        limits.keySet().forEach(driver -> nodesByDriver.merge(driver, 1, Integer::sum));
        if (old != null) {
            old.keySet()
                    .forEach(driver -> nodesByDriver.computeIfPresent(
                            driver, (any, nodes) -> nodes == 1 ? null : Integer.valueOf(nodes - 1)));
        }
        return !before.equals(nodesByDriver.keySet());
    }

    /** Returns whether any node states a limit of a driver. */
    boolean isLimited(String driver) {
        return nodesByDriver.containsKey(driver);
    }

    /** Returns the nodes that state a limit of a driver of any of these volumes, in the order of their names. */
    public Set<String> limiting(Set<CsiVolume> volumes) {
        Set<String> drivers = volumes.stream().map(CsiVolume::driver).collect(Collectors.toSet());
        Set<String> nodes = new TreeSet<>();
        for (String node : byNode.keySet()) {
            if (isLimiting(node, drivers)) {
                nodes.add(node);
            }
        }
        return nodes;
    }

    /** Returns whether a node states a limit of any of these drivers. */
    private boolean isLimiting(String node, Set<String> drivers) {
        return !Collections.disjoint(byNode.getOrDefault(node, Map.of()).keySet(), drivers);
    }

    /** Returns a node with what it can attach of each driver that any node limits. */
    public NodeManifest extend(NodeManifest node) {
        if (nodesByDriver.isEmpty()) {
            return node;
        }
        Map<String, String> amounts = new HashMap<>(node.allocatable());
        Map<String, Integer> own = byNode.getOrDefault(node.name(), Map.of());
        for (String driver : nodesByDriver.keySet()) {
            amounts.put(
                    resource(driver),
                    String.valueOf(own.containsKey(driver) ? own.get(driver) : Long.valueOf(UNLIMITED)));
        }
        return new NodeManifest(
                node.name(), node.labels(), node.annotations(), amounts, node.taints(), node.cordoned(), node.named());
    }

    /** Returns a pod that takes what its volumes take, and nothing of what it was said to take of that before. */
    public static PodManifest with(PodManifest pod, Map<String, Long> attached) {
        NamedAmounts named = with(pod.overhead().named(), attached);
        return named.equals(pod.overhead().named())
                ? pod
                : new PodManifest(
                        pod.id(),
                        pod.labels(),
                        pod.annotations(),
                        pod.containers(),
                        pod.nodeSelector(),
                        pod.tolerations(),
                        new Resources(pod.overhead().cpuMillis(), pod.overhead().memoryMib(), named),
                        pod.rules(),
                        pod.claimed());
    }

    /** Returns a placement that takes what its volumes take; one that holds the whole node has it already. */
    public static Placement with(Placement placement, Map<String, Long> attached) {
        Resources before = placement.resources();
        NamedAmounts named = with(before.named(), attached);
        if (placement.holdsWholeNode() || named.equals(before.named())) {
            return placement;
        }
        Placement changed = new Placement(
                placement.pod(),
                placement.node(),
                new Resources(before.cpuMillis(), before.memoryMib(), named),
                placement.containers());
        return placement.spec().map(changed::withSpec).orElse(changed).withGroup(placement.group());
    }

    private static NamedAmounts with(NamedAmounts before, Map<String, Long> attached) {
        Map<String, Long> amounts = new TreeMap<>();
        before.names().stream()
                .filter(name -> !name.startsWith(PREFIX))
                .forEach(name -> amounts.put(name, before.amount(name)));
        amounts.putAll(attached);
        return NamedAmounts.of(amounts);
    }

    /** Returns the resource of a driver; a long name is cut, as Kubernetes does. */
    static String resource(String driver) {
        String name = PREFIX + driver;
        return name.length() <= LONGEST_NAME
                ? name
                : PREFIX + driver.substring(0, LONGEST_START) + "-" + Integer.toHexString(driver.hashCode());
    }
}
