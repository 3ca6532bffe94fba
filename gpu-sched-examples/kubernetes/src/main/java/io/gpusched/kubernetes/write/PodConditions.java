package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.PodCondition;
import io.gpusched.kubernetes.decide.PendingPod;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Conditions of pods. */
final class PodConditions {
    private PodConditions() {}

    /**
     * What a condition says.
     *
     * @param status {@code True}, {@code False} or {@code Unknown}; empty where there is no condition
     */
    record Words(String status, String reason, String message) {}

    /** Returns what a pod said when it was decided on. */
    static Words of(PendingPod pod, String type) {
        if (pod.object().getStatus() != null) {
            for (PodCondition one : pod.object().getStatus().getConditions()) {
                if (type.equals(one.getType())) {
                    return new Words(
                            Objects.requireNonNullElse(one.getStatus(), ""),
                            Objects.requireNonNullElse(one.getReason(), ""),
                            Objects.requireNonNullElse(one.getMessage(), ""));
                }
            }
        }
        return new Words("", "", "");
    }

    /** Returns the fields of a condition; the time of its change only if its status is another. */
    static Map<String, Object> condition(PendingPod pod, String type, Words words, Instant now) {
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", type);
        condition.put("status", words.status());
        condition.put("reason", words.reason());
        condition.put("message", words.message());
        if (!words.status().equals(of(pod, type).status())) {
            condition.put(
                    "lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
        }
        return condition;
    }
}
