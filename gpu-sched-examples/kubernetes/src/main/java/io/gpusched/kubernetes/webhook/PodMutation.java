package io.gpusched.kubernetes.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.manifests.grant.GrantAnnotations;
import io.gpusched.manifests.grant.GrantGuard;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What is done to one pod: its scheduler, the tolerations that its dialect gives it, the limits that it completes, and for
 * each container the variables that tell what it was granted. Done again, nothing is left to do. Not thread-safe.
 */
final class PodMutation {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String DEFAULT_SCHEDULER = "default-scheduler";

    private final Pod pod;
    private final JsonPatch patch;
    private final List<String> warnings = new ArrayList<>();

    PodMutation(Pod pod, JsonNode json) {
        this.pod = pod;
        this.patch = new JsonPatch(json);
    }

    JsonPatch patch() {
        return patch;
    }

    List<String> warnings() {
        return warnings;
    }

    /**
     * Changes the pod.
     *
     * @throws io.gpusched.dialect.RefusedException if the dialect's rules forbid it
     */
    void apply(PodManifest manifest, Dialect dialect, String schedulerName) {
        PodManifest admitted = dialect instanceof HamiDialect hami
                ? hami.admit(
                        manifest, nodeName(), manifest.containers().stream().anyMatch(this::isPrivilegedWithGpus))
                : manifest;
        List<Toleration> tolerations = dialect.pod(admitted).tolerations();
        setScheduler(schedulerName);
        tolerations.stream()
                .filter(toleration -> !manifest.tolerations().contains(toleration))
                .forEach(this::tolerate);
        for (int c = 0; c < manifest.containers().size(); c++) {
            String path = path(c);
            setLimits(path, manifest.containers().get(c), admitted.containers().get(c));
            List<String> granted =
                    GrantedVariables.of(dialect, admitted.containers().get(c));
            granted.forEach(name -> setVariable(path, name, granted(path, name)));
            if (granted.isEmpty() && dialect instanceof T9kDialect) {
                // whatever its image says, it sees no device
                String name = GrantGuard.DEVICES_SEEN;
                setVariable(path, name, JSON.objectNode().put("name", name).put("value", "void"));
            }
        }
    }

    private String nodeName() {
        String node = pod.getSpec().getNodeName();
        return node == null ? "" : node;
    }

    private boolean isPrivilegedWithGpus(ContainerManifest container) {
        return pod.getSpec().getContainers().stream()
                .filter(one -> one.getName().equals(container.name()))
                .anyMatch(PodMutation::isPrivilegedWithGpus);
    }

    private static boolean isPrivilegedWithGpus(Container container) {
        boolean privileged = container.getSecurityContext() != null
                && Boolean.TRUE.equals(container.getSecurityContext().getPrivileged());
        return privileged
                && container.getResources() != null
                && container.getResources().getLimits() != null
                && container.getResources().getLimits().keySet().stream()
                        .anyMatch(name -> name.startsWith("nvidia.com/"));
    }

    /** A pod that names another scheduler than the default one has chosen for itself. */
    private void setScheduler(String name) {
        String named = patch.at("/spec/schedulerName").asText(DEFAULT_SCHEDULER);
        if (named.isEmpty() || named.equals(DEFAULT_SCHEDULER)) {
            patch.set("/spec", "schedulerName", JSON.textNode(name));
        }
    }

    private void tolerate(Toleration toleration) {
        ObjectNode json = JSON.objectNode().put("key", toleration.key());
        json.put("operator", toleration.value().isPresent() ? "Equal" : "Exists");
        toleration.value().ifPresent(value -> json.put("value", value));
        patch.append("/spec", "tolerations", json);
    }

    /** Init containers come first in a manifest, and have a list of their own in a pod. */
    private String path(int container) {
        int inits = pod.getSpec().getInitContainers().size();
        return container < inits ? "/spec/initContainers/" + container : "/spec/containers/" + (container - inits);
    }

    private void setLimits(String path, ContainerManifest before, ContainerManifest after) {
        for (Map.Entry<String, String> limit : after.limits().entrySet()) {
            if (!limit.getValue().equals(before.limits().get(limit.getKey()))) {
                patch.set(path + "/resources/limits", limit.getKey(), JSON.textNode(limit.getValue()));
            }
        }
    }

    /** A variable of this name that the pod sets itself, the last of which counts, would let the container see GPUs that it was not granted. */
    private void setVariable(String path, String name, ObjectNode variable) {
        String container = patch.at(path + "/name").asText();
        JsonNode environment = patch.at(path + "/env");
        boolean isThere = false;
        boolean isOther = false;
        for (int i = 0; i < environment.size(); i++) {
            if (name.equals(environment.get(i).path("name").asText())) {
                isThere = true;
                isOther |= !variable.equals(environment.get(i));
                patch.replace(path + "/env", i, variable);
            }
        }
        if (isOther) {
            warnings.add(
                    "container \"" + container + "\": its own value of " + name + " is replaced by what is granted");
        }
        if (!isThere) {
            patch.append(path, "env", variable);
        }
    }

    private ObjectNode granted(String path, String name) {
        ObjectNode variable = JSON.objectNode().put("name", name);
        variable.putObject("valueFrom")
                .putObject("fieldRef")
                .put("apiVersion", "v1")
                .put(
                        "fieldPath",
                        "metadata.annotations['"
                                + GrantAnnotations.variable(
                                        patch.at(path + "/name").asText(), name)
                                + "']");
        return variable;
    }
}
