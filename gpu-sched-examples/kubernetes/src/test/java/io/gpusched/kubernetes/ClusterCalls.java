package io.gpusched.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What tests say to an API server about the pods of namespace {@code default}, and what they wait for. */
public final class ClusterCalls {
    private final KubernetesClient client;

    public ClusterCalls(KubernetesClient client) {
        this.client = client;
    }

    public Pod create(Pod pod) {
        return client.pods().inNamespace("default").resource(pod).create();
    }

    public Pod get(String name) {
        return client.pods().inNamespace("default").withName(name).get();
    }

    public void delete(String name) {
        client.pods().inNamespace("default").withName(name).withGracePeriod(0).delete();
    }

    public List<Pod> pods() {
        return client.pods().inNamespace("default").list().getItems();
    }

    /** The pods that have a node. */
    public List<Pod> bound() {
        return pods().stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .toList();
    }

    /** The node of a pod; empty if it has none. */
    public String nodeOf(String name) {
        return Objects.requireNonNullElse(get(name).getSpec().getNodeName(), "");
    }

    public void awaitBound(String... names) {
        for (String name : names) {
            Await.until(
                    "pod " + name + " is bound", () -> !nodeOf(name).isEmpty(), () -> "it says: " + whyPending(name));
        }
    }

    public String annotation(String pod, String key) {
        return Objects.requireNonNullElse(get(pod).getMetadata().getAnnotations(), Map.<String, String>of())
                .getOrDefault(key, "");
    }

    public void awaitPendingBecause(String pod, String words) {
        Await.until(
                "pod " + pod + " says: " + words,
                () -> whyPending(pod).contains(words),
                () -> "it says: " + whyPending(pod));
    }

    /** What the condition of a pod says of why it has no node; empty if nothing. */
    public String whyPending(String pod) {
        PodStatus status = Objects.requireNonNullElseGet(get(pod).getStatus(), PodStatus::new);
        return status.getConditions().stream()
                .filter(one -> "PodScheduled".equals(one.getType()) && "False".equals(one.getStatus()))
                .map(PodCondition::getMessage)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
    }

    /** Waits for an event of this reason about an object of this name. */
    public void awaitEvent(String reason, String name) {
        Await.until(
                "an event " + reason + " about " + name,
                () -> client.events().v1().events().inNamespace("default").list().getItems().stream()
                        .anyMatch(event -> reason.equals(event.getReason())
                                && name.equals(event.getRegarding().getName())));
    }
}
