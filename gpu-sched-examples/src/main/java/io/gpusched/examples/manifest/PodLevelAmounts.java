package io.gpusched.examples.manifest;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Quantity;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Resources;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** What a pod takes of a resource as a whole, and how much of that its containers do not account for. */
final class PodLevelAmounts {
    private static final String CPU = "cpu";
    private static final String MEMORY = "memory";

    private final PodSpec spec;
    private final List<ContainerManifest> containers;

    private PodLevelAmounts(PodSpec spec, List<ContainerManifest> containers) {
        this.spec = spec;
        this.containers = containers;
    }

    /**
     * Returns the amounts that the pod takes beside its containers: its overhead, and what its pod-level requests
     * exceed the containers by. 4 cores asked by the pod, 1 and 2 by its containers, 250m overhead: 1,250m.
     */
    static Resources overhead(PodSpec spec, List<ContainerManifest> containers) {
        PodLevelAmounts amounts = new PodLevelAmounts(spec, containers);
        Resources overhead =
                Resources.of(amounts.beside(CPU, Quantity::millis), amounts.beside(MEMORY, Quantity::mibCeiling));
        for (String resource : amounts.others()) {
            overhead = overhead.with(resource, amounts.beside(resource, Quantity::wholeCeiling));
        }
        return overhead;
    }

    /** Returns all that a pod requests as a whole, its overhead included, by resource; amounts are exact. */
    static Map<String, BigDecimal> whole(PodSpec spec, List<ContainerManifest> containers) {
        PodLevelAmounts amounts = new PodLevelAmounts(spec, containers);
        Set<String> names = new TreeSet<>(amounts.others());
        names.addAll(Set.of(CPU, MEMORY));
        for (ContainerManifest container : containers) {
            names.addAll(container.requests().keySet());
            names.addAll(container.limits().keySet());
        }
        Map<String, BigDecimal> whole = new TreeMap<>();
        for (String name : names) {
            BigDecimal byPod = amounts.byPod(name, amounts.byContainers(name, amount -> amount));
            whole.put(name, byPod.add(amount(ManifestReader.texts(spec.getOverhead()), name)));
        }
        whole.values().removeIf(amount -> amount.signum() == 0);
        return whole;
    }

    /** The resources other than CPU and memory that are asked of the pod as a whole: of its requests those of huge pages. */
    private Set<String> others() {
        Set<String> names = new TreeSet<>();
        if (spec.getResources() != null) {
            names.addAll(ManifestReader.texts(spec.getResources().getRequests()).keySet());
            names.addAll(ManifestReader.texts(spec.getResources().getLimits()).keySet());
            names.removeIf(name -> !name.startsWith("hugepages-"));
        }
        names.addAll(ManifestReader.texts(spec.getOverhead()).keySet());
        names.removeAll(Set.of(CPU, MEMORY));
        return names;
    }

    /** The whole is rounded once; containers count as the library counts them, each rounded up. */
    private long beside(String resource, ToLongFunction<Quantity> units) {
        BigDecimal byPod = byPod(resource, byContainers(resource, amount -> amount));
        BigDecimal overhead = amount(ManifestReader.texts(spec.getOverhead()), resource);
        BigDecimal counted =
                byContainers(resource, amount -> BigDecimal.valueOf(units.applyAsLong(new Quantity(amount))));
        return Math.max(0, units.applyAsLong(new Quantity(byPod.add(overhead))) - counted.longValueExact());
    }

    /** The request of the pod as a whole; its limit where neither it nor a container requests anything. */
    private BigDecimal byPod(String resource, BigDecimal byContainers) {
        if (spec.getResources() == null) {
            return byContainers;
        }
        Map<String, String> requests = ManifestReader.texts(spec.getResources().getRequests());
        if (requests.containsKey(resource)) {
            return amount(requests, resource);
        }
        return byContainers.signum() > 0
                ? byContainers
                : amount(ManifestReader.texts(spec.getResources().getLimits()), resource);
    }

    /** Kubernetes' formula, as in {@link io.gpusched.workload.Pod#resources()}. */
    private BigDecimal byContainers(String resource, UnaryOperator<BigDecimal> units) {
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal sidecars = BigDecimal.ZERO;
        BigDecimal init = BigDecimal.ZERO;
        for (ContainerManifest container : containers) {
            BigDecimal amount = units.apply(
                    container.requested(resource).map(Quantity::value).orElse(BigDecimal.ZERO));
            if (container.kind() == ContainerKind.INIT) {
                init = init.max(sidecars.add(amount));
            } else {
                sum = sum.add(amount);
                sidecars = container.kind() == ContainerKind.SIDECAR ? sidecars.add(amount) : sidecars;
            }
        }
        return sum.max(init);
    }

    private static BigDecimal amount(Map<String, String> amounts, String resource) {
        String text = amounts.get(resource);
        return text == null ? BigDecimal.ZERO : Quantity.parse(text).value();
    }
}
