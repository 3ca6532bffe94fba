package io.gpusched.dialect.hami;

import io.gpusched.dialect.internal.AskedAmounts;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What HAMi's webhook does to a container when its pod is created: refuses it, or completes its limits. */
final class HamiAdmission {
    private final HamiSettings settings;

    private HamiAdmission(HamiSettings settings) {
        this.settings = settings;
    }

    /** Returns the webhook of an installation with these settings. */
    static HamiAdmission of(HamiSettings settings) {
        return new HamiAdmission(settings);
    }

    /**
     * Returns why the container is refused, or nothing if it is accepted: its memory percentage must be in 0..100, no
     * matter how lenient the settings are.
     */
    Optional<String> refusal(Map<String, String> limits, Map<String, String> requests) {
        String name = settings.percentageResource();
        try {
            long percent = new AskedAmounts(limits, requests).ceiling(name, 0);
            AskedAmounts.inRange(name, percent, 0, 100);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns why the pod is refused, or nothing if it is accepted: HAMi cannot give GPUs to a pod that was put on a node
     * by hand, and its limits do not bind a privileged container.
     *
     * @param nodeName the node the pod names itself, empty for none
     * @param privileged whether a container that asks for GPUs is privileged
     */
    static Optional<String> podRefusal(String nodeName, boolean privileged) {
        if (!nodeName.isEmpty()) {
            return Optional.of("pod has node assigned: nodeName is \"" + nodeName + "\"");
        }
        return privileged ? Optional.of("privileged containers must not ask for GPUs") : Optional.empty();
    }

    /**
     * Returns the container's limits as the webhook leaves them: a GPU is added where only memory or compute is limited,
     * and compute is set to 100, so that the GPU is exclusive, where neither compute nor an amount of memory below the
     * whole is asked for.
     */
    Map<String, String> complete(Map<String, String> limits, Map<String, String> requests) {
        Map<String, String> completed = new TreeMap<>(limits);
        if (settings.defaultGpus() > 0 && !limits.containsKey(settings.countResource()) && limitsAnAmount(limits)) {
            completed.put(settings.countResource(), Integer.toString(settings.defaultGpus()));
        }
        AskedAmounts asked = new AskedAmounts(completed, requests);
        boolean hasCores = settings.coresResource().isEmpty() || asked.has(settings.coresResource());
        if (asked.has(settings.countResource()) && !hasCores && wantsAllMemory(asked)) {
            completed.put(settings.coresResource(), "100");
        }
        return completed;
    }

    private boolean limitsAnAmount(Map<String, String> limits) {
        return limits.containsKey(settings.coresResource())
                || limits.containsKey(settings.memoryResource())
                || limits.containsKey(settings.percentageResource());
    }

    private boolean wantsAllMemory(AskedAmounts asked) {
        return asked.has(settings.percentageResource())
                ? asked.ceiling(settings.percentageResource(), 0) == 100
                : !asked.has(settings.memoryResource());
    }
}
