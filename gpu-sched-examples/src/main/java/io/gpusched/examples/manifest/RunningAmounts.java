package io.gpusched.examples.manifest;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.gpusched.dialect.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the containers of a running pod hold by its status, which differs from what they ask while a resize is under way.
 *
 * @param byContainer amounts given and in force, by container
 * @param infeasible whether the resize is refused, so that what is asked no longer counts
 */
record RunningAmounts(Map<String, List<Map<String, String>>> byContainer, boolean infeasible) {
    /** A pod that does not run: only what it asks counts. */
    static final RunningAmounts NONE = new RunningAmounts(Map.of(), false);

    static RunningAmounts of(Pod pod) {
        if (pod.getStatus() == null) {
            return NONE;
        }
        Map<String, List<Map<String, String>>> byContainer = new HashMap<>();
        add(pod.getStatus().getInitContainerStatuses(), byContainer);
        add(pod.getStatus().getContainerStatuses(), byContainer);
        boolean infeasible = pod.getStatus().getConditions().stream().anyMatch(RunningAmounts::isInfeasible);
        return new RunningAmounts(byContainer, infeasible);
    }

    private static boolean isInfeasible(PodCondition condition) {
        return "PodResizePending".equals(condition.getType()) && "Infeasible".equals(condition.getReason());
    }

    private static void add(List<ContainerStatus> statuses, Map<String, List<Map<String, String>>> byContainer) {
        for (ContainerStatus status : statuses) {
            List<Map<String, String>> held = new ArrayList<>();
            held.add(ManifestReader.texts(status.getAllocatedResources()));
            if (status.getResources() != null) {
                held.add(ManifestReader.texts(status.getResources().getRequests()));
            }
            held.removeIf(Map::isEmpty);
            if (status.getName() != null && !held.isEmpty()) {
                byContainer.put(status.getName(), held);
            }
        }
    }

    /** Returns what a container holds: by resource the greatest of what it asks, was given and has. */
    Map<String, String> raised(String container, Map<String, String> asked) {
        List<Map<String, String>> held = byContainer.get(container);
        if (held == null) {
            return asked;
        }
        Map<String, String> raised = new TreeMap<>(infeasible ? Map.of() : asked);
        for (Map<String, String> amounts : held) {
            amounts.forEach((name, amount) -> raised.merge(name, amount, RunningAmounts::greater));
        }
        return raised;
    }

    private static String greater(String one, String other) {
        return Quantity.parse(one).value().compareTo(Quantity.parse(other).value()) >= 0 ? one : other;
    }
}
