package io.gpusched.manifests.objects;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Quantity;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** What a pod takes of a resource as a whole, and how much of that its containers do not account for. */
final class PodLevelAmounts {
    static final String CPU = "cpu";
    static final String MEMORY = "memory";

    private final PodSpec spec;
    private final List<ContainerManifest> containers;

    PodLevelAmounts(PodSpec spec, List<ContainerManifest> containers) {
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

    /** Returns amounts of CPU and memory, rounded up once, beside others. */
    static Resources resources(Map<String, BigDecimal> amounts, NamedAmounts named) {
        long cpu = new Quantity(amounts.getOrDefault(CPU, BigDecimal.ZERO)).millis();
        long memory = new Quantity(amounts.getOrDefault(MEMORY, BigDecimal.ZERO)).mibCeiling();
        return new Resources(cpu, memory, named);
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
            whole.put(name, amounts.whole(name));
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
            names.removeIf(name -> !isHugePages(name));
        }
        names.addAll(ManifestReader.texts(spec.getOverhead()).keySet());
        names.removeAll(Set.of(CPU, MEMORY));
        return names;
    }

    /** The whole is rounded once; containers count as the library counts them, each rounded up. */
    private long beside(String resource, ToLongFunction<Quantity> units) {
        BigDecimal counted = sum(
                containers,
                container -> BigDecimal.valueOf(units.applyAsLong(new Quantity(requested(container, resource)))));
        return Math.max(0, units.applyAsLong(new Quantity(whole(resource))) - counted.longValueExact());
    }

    /** Returns what the pod takes as a whole, its overhead included. */
    BigDecimal whole(String resource) {
        return byPod(resource).add(overhead(resource));
    }

    /** Returns the overhead that the pod states. */
    BigDecimal overhead(String resource) {
        return amount(ManifestReader.texts(spec.getOverhead()), resource);
    }

    /** Returns whether an amount of the pod as a whole stands in for those of its containers. */
    boolean isAskedByPod(String resource) {
        return isAskedByPod()
                && (ManifestReader.texts(spec.getResources().getRequests()).containsKey(resource)
                        || ManifestReader.texts(spec.getResources().getLimits()).containsKey(resource)
                        || isAskedByContainers(resource));
    }

    /** Returns whether any resource is asked of the pod as a whole. */
    boolean isAskedByPod() {
        return spec.getResources() != null
                && (!ManifestReader.texts(spec.getResources().getRequests()).isEmpty()
                        || !ManifestReader.texts(spec.getResources().getLimits())
                                .isEmpty());
    }

    private boolean isAskedByContainers(String resource) {
        return containers.stream()
                .anyMatch(container -> container.requested(resource).isPresent());
    }

    /**
     * Returns the request of the pod as a whole. Where it has none, it is what its containers request, be that 0, and their
     * limit as a whole if they request nothing; of huge pages the limit goes before the containers' requests.
     */
    BigDecimal byPod(String resource) {
        if (!isAskedByPod(resource)) {
            return byContainers(resource);
        }
        Map<String, String> requests = ManifestReader.texts(spec.getResources().getRequests());
        Map<String, String> limits = ManifestReader.texts(spec.getResources().getLimits());
        if (requests.containsKey(resource)) {
            return amount(requests, resource);
        }
        boolean limited = limits.containsKey(resource) && (isHugePages(resource) || !isAskedByContainers(resource));
        return limited ? amount(limits, resource) : byContainers(resource);
    }

    static boolean isHugePages(String resource) {
        return resource.startsWith("hugepages-");
    }

    /** Returns what the containers ask together. */
    BigDecimal byContainers(String resource) {
        return sum(containers, container -> requested(container, resource));
    }

    private static BigDecimal requested(ContainerManifest container, String resource) {
        return container.requested(resource).map(Quantity::value).orElse(BigDecimal.ZERO);
    }

    /** Kubernetes' formula, as in {@link io.gpusched.workload.Pod#resources()}. */
    static BigDecimal sum(List<ContainerManifest> containers, Function<ContainerManifest, BigDecimal> amounts) {
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal sidecars = BigDecimal.ZERO;
        BigDecimal init = BigDecimal.ZERO;
        for (ContainerManifest container : containers) {
            BigDecimal amount = amounts.apply(container);
            if (container.kind() == ContainerKind.INIT) {
                init = init.max(sidecars.add(amount));
            } else {
                sum = sum.add(amount);
                sidecars = container.kind() == ContainerKind.SIDECAR ? sidecars.add(amount) : sidecars;
            }
        }
        return sum.max(init);
    }

    static BigDecimal amount(Map<String, String> amounts, String resource) {
        String text = amounts.get(resource);
        return text == null ? BigDecimal.ZERO : Quantity.parse(text).value();
    }
}
