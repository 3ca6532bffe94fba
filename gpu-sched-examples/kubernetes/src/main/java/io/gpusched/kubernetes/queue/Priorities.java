package io.gpusched.kubernetes.queue;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.gpusched.manifests.group.GroupSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Which pods come first. The API server writes the number of its class on each pod; groups name a class or a number. */
public final class Priorities {
    /** The highest that Kubernetes lets users define. */
    private static final int HIGHEST_OF_USERS = 1_000_000_000;

    private final Map<String, Integer> values = new HashMap<>();
    private String fallback = "";

    /** Takes note of a priority class. */
    public void put(PriorityClass priority) {
        String name = priority.getMetadata().getName();
        values.put(name, Objects.requireNonNullElse(priority.getValue(), 0));
        if (Boolean.TRUE.equals(priority.getGlobalDefault())) {
            fallback = name;
        } else if (fallback.equals(name)) {
            fallback = "";
        }
    }

    /** Takes note that a priority class is gone. */
    public void remove(String name) {
        values.remove(name);
    }

    /** Returns the priority of a pod. */
    public int of(Pod pod) {
        Integer stated = pod.getSpec().getPriority();
        return stated != null
                ? stated
                : of(Objects.requireNonNullElse(pod.getSpec().getPriorityClassName(), ""));
    }

    private int of(String className) {
        return values.getOrDefault(className.isEmpty() ? fallback : className, 0);
    }

    /**
     * Returns the priority of a group; one that states nothing has that of its first pod. What is above the highest that Kubernetes
     * leaves to users is the system's: a group has it only if its pods do.
     */
    public int of(GroupSpec group, int ofPod) {
        if (group.priority().isEmpty() && group.priorityClass().isEmpty()) {
            return ofPod;
        }
        int stated = group.priority().orElseGet(() -> of(group.priorityClass()));
        return Math.min(stated, Math.max(HIGHEST_OF_USERS, ofPod));
    }
}
