package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.model.PodId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An API server that holds pods: preconditions of bindings are checked as the real one checks them, and a write can be lost
 * on its way there, on its way back, or arrive later.
 */
final class FakeApi implements PodApi {
    /** What becomes of the next write. */
    enum Fault {
        NONE,
        /** It never arrives, and the caller does not know. */
        LOST,
        /** It is written, but the caller does not know. */
        UNANSWERED,
        /** It arrives when {@link #deliverDelayed} is called, and the caller does not know. */
        DELAYED,
        /** It is refused. */
        FORBIDDEN
    }

    final Map<PodId, Pod> pods = new HashMap<>();
    final List<PodDisruptionBudget> budgets = new ArrayList<>();
    Fault fault = Fault.NONE;
    int writes;
    private final Deque<Binding> delayed = new ArrayDeque<>();
    private long version = 1;

    Pod create(Pod pod) {
        Pod created = new PodBuilder(pod)
                .editMetadata()
                .withResourceVersion("" + ++version)
                .endMetadata()
                .build();
        pods.put(ClusterMirror.id(pod), created);
        return created;
    }

    /** Changes something about a pod that bears on no decision, as the status of a pod does. */
    Pod touch(PodId id) {
        Pod touched = new PodBuilder(pods.get(id))
                .editMetadata()
                .withResourceVersion("" + ++version)
                .addToLabels("touched", "" + version)
                .endMetadata()
                .build();
        pods.put(id, touched);
        return touched;
    }

    @Override
    public Optional<Pod> get(PodId id) {
        return Optional.ofNullable(pods.get(id));
    }

    @Override
    public void bind(Binding binding) {
        writes++;
        Fault now = fault;
        fault = Fault.NONE;
        switch (now) {
            case NONE -> write(binding);
            case FORBIDDEN -> throw new KubernetesClientException("forbidden", 403, null);
            case UNANSWERED -> {
                write(binding);
                throw new KubernetesClientException("connection reset");
            }
            case LOST -> throw new KubernetesClientException("connection reset");
            case DELAYED -> {
                delayed.add(binding);
                throw new KubernetesClientException("timed out");
            }
        }
    }

    /** Lets delayed writes arrive; their callers never hear of it. */
    void deliverDelayed() {
        while (!delayed.isEmpty()) {
            try {
                write(delayed.poll());
            } catch (KubernetesClientException tooLate) {
                // what it was for has changed
            }
        }
    }

    private void write(Binding binding) {
        PodId id = new PodId(
                binding.getMetadata().getNamespace(), binding.getMetadata().getName());
        Pod pod = pods.get(id);
        if (pod == null) {
            throw new KubernetesClientException("not found", 404, null);
        }
        boolean same = pod.getMetadata().getUid().equals(binding.getMetadata().getUid())
                && pod.getMetadata()
                        .getResourceVersion()
                        .equals(binding.getMetadata().getResourceVersion());
        if (!same || ClusterMirror.isBound(pod)) {
            throw new KubernetesClientException("conflict", 409, null);
        }
        pods.put(
                id,
                new PodBuilder(pod)
                        .editMetadata()
                        .withResourceVersion("" + ++version)
                        .addToAnnotations(binding.getMetadata().getAnnotations())
                        .addToLabels(binding.getMetadata().getLabels())
                        .endMetadata()
                        .editSpec()
                        .withNodeName(binding.getTarget().getName())
                        .endSpec()
                        .build());
    }

    @Override
    public List<PodDisruptionBudget> budgets(String namespace) {
        return budgets;
    }
}
