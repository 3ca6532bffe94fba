package io.gpusched.manifests.objects;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The CPU and memory that a running pod holds by its status, which differ from what it asks while it is being resized.
 *
 * <p>As in {@code PodRequests} of Kubernetes' component helpers: what is asked, what is allocated and what is in force are each
 * summed over the containers, and the greatest of the three sums counts. A of 1 core that grows to 2 beside B of 2 cores that
 * shrinks to 1 hold 3 cores, not 4. What is asked does not count where the resize is infeasible.
 */
final class RunningAmounts {
    private final PodStatus status;
    private final List<ContainerManifest> containers;
    private final Map<String, ContainerStatus> statuses = new HashMap<>();
    private final boolean infeasible;

    private RunningAmounts(PodStatus status, List<ContainerManifest> containers) {
        this.status = status;
        this.containers = containers;
        this.infeasible = isInfeasible(status);
        status.getInitContainerStatuses().forEach(this::add);
        status.getContainerStatuses().forEach(this::add);
    }

    private void add(ContainerStatus one) {
        if (one.getName() != null) {
            statuses.put(one.getName(), one);
        }
    }

    /** The first condition of this type decides. */
    private static boolean isInfeasible(PodStatus status) {
        return status.getConditions().stream()
                .filter(condition -> "PodResizePending".equals(condition.getType()))
                .findFirst()
                .map(PodCondition::getReason)
                .filter("Infeasible"::equals)
                .isPresent();
    }

    /** Returns what a pod holds of CPU and memory, its overhead included; empty if that is just what it asks. */
    static Map<String, BigDecimal> of(Pod pod, List<ContainerManifest> containers) {
        if (pod.getStatus() == null) {
            return Map.of();
        }
        RunningAmounts amounts = new RunningAmounts(pod.getStatus(), containers);
        PodLevelAmounts asked = new PodLevelAmounts(pod.getSpec(), containers);
        Map<String, BigDecimal> held = new TreeMap<>();
        boolean differs = false;
        for (String resource : List.of(PodLevelAmounts.CPU, PodLevelAmounts.MEMORY)) {
            BigDecimal amount = amounts.byPod(resource, asked).add(asked.overhead(resource));
            differs |= amount.compareTo(asked.whole(resource)) != 0;
            held.put(resource, amount);
        }
        return differs ? held : Map.of();
    }

    /**
     * Pod-level amounts stand in for the sums where the pod asks for any: the greatest of those asked, given and in force, be it a
     * resource that is asked by nobody.
     */
    private BigDecimal byPod(String resource, PodLevelAmounts asked) {
        BigDecimal sum = byContainers(resource, asked);
        if (!asked.isAskedByPod()) {
            return sum;
        }
        Map<String, BigDecimal> levels = new HashMap<>();
        if (asked.isAskedByPod(resource) && (!infeasible || status.getResources() == null)) {
            levels.put(resource, asked.byPod(resource));
        }
        if (status.getResources() != null) {
            raise(levels, resource, ManifestReader.texts(status.getResources().getRequests()));
            raise(levels, resource, ManifestReader.texts(status.getAllocatedResources()));
        }
        return levels.getOrDefault(resource, sum);
    }

    private static void raise(Map<String, BigDecimal> levels, String resource, Map<String, String> amounts) {
        if (amounts.containsKey(resource)) {
            levels.merge(resource, PodLevelAmounts.amount(amounts, resource), BigDecimal::max);
        }
    }

    private BigDecimal byContainers(String resource, PodLevelAmounts asked) {
        BigDecimal held;
        Map<String, String> allocated = ManifestReader.texts(status.getAllocatedResources());
        Map<String, String> inForce = status.getResources() == null
                ? Map.of()
                : ManifestReader.texts(status.getResources().getRequests());
        if (!allocated.isEmpty() && !inForce.isEmpty()) {
            held = PodLevelAmounts.amount(allocated, resource).max(PodLevelAmounts.amount(inForce, resource));
        } else {
            held = PodLevelAmounts.sum(containers, container -> allocated(container, resource))
                    .max(PodLevelAmounts.sum(containers, container -> inForce(container, resource)));
        }
        return infeasible ? held : held.max(asked.byContainers(resource));
    }

    private BigDecimal allocated(ContainerManifest container, String resource) {
        ContainerStatus one = statuses.get(container.name());
        if (one != null && !ManifestReader.texts(one.getAllocatedResources()).isEmpty()) {
            return PodLevelAmounts.amount(ManifestReader.texts(one.getAllocatedResources()), resource);
        }
        return infeasible
                ? BigDecimal.ZERO
                : container.requested(resource).map(Quantity::value).orElse(BigDecimal.ZERO);
    }

    private BigDecimal inForce(ContainerManifest container, String resource) {
        ContainerStatus one = statuses.get(container.name());
        if (one != null && one.getResources() != null) {
            Map<String, String> requests =
                    ManifestReader.texts(one.getResources().getRequests());
            if (!requests.isEmpty()) {
                return PodLevelAmounts.amount(requests, resource);
            }
        }
        return allocated(container, resource);
    }
}
