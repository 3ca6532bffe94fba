package io.gpusched.examples.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.gpusched.examples.kubernetes.group.GroupSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Who comes first. The API server writes the number of its class on each pod; groups name a class or a number. */
final class Priorities {
    private final Map<String, Integer> values = new HashMap<>();
    private String fallback = "";

    void put(PriorityClass priority) {
        String name = priority.getMetadata().getName();
        values.put(name, Objects.requireNonNullElse(priority.getValue(), 0));
        if (Boolean.TRUE.equals(priority.getGlobalDefault())) {
            fallback = name;
        } else if (fallback.equals(name)) {
            fallback = "";
        }
    }

    void remove(String name) {
        values.remove(name);
    }

    int of(Pod pod) {
        Integer stated = pod.getSpec().getPriority();
        return stated != null
                ? stated
                : of(Objects.requireNonNullElse(pod.getSpec().getPriorityClassName(), ""));
    }

    private int of(String className) {
        return values.getOrDefault(className.isEmpty() ? fallback : className, 0);
    }

    /** A group that states nothing has the priority of its first pod. */
    int of(GroupSpec group, int ofPod) {
        if (group.priority().isPresent()) {
            return group.priority().get();
        }
        return group.priorityClass().isEmpty() ? ofPod : of(group.priorityClass());
    }
}
