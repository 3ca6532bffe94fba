package io.gpusched.examples.place;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.dialect.t9k.T9kPodGroup;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what is to be placed from Kubernetes manifests: pods, or a PodGroup with its pods. */
final class KubernetesAsked {
    private KubernetesAsked() {}

    /**
     * Returns the pods that are not bound to a node, and their group where there is one.
     *
     * @throws io.gpusched.dialect.RefusedException if the dialect's rules forbid a pod, or a group's gate is closed
     */
    static Asked read(List<YamlNode> objects, Dialect dialect) {
        Map<String, PodManifest> manifests = new LinkedHashMap<>();
        List<Pod> pods = new ArrayList<>();
        for (YamlNode object : KubernetesPods.ofKind(objects, "Pod")) {
            if (!KubernetesCluster.isRunning(object)) {
                PodManifest manifest = KubernetesPods.pod(object);
                pods.add(dialect.pod(manifest));
                manifests.put(manifest.id().toString(), manifest);
            }
        }
        if (pods.isEmpty()) {
            throw objects.get(0).at("kind").error("at least one object must be a Pod without spec.nodeName");
        }
        List<YamlNode> groups = KubernetesPods.ofKind(objects, "PodGroup");
        if (groups.size() > 1) {
            throw groups.get(1).at("kind").error("at most one PodGroup is expected");
        }
        return groups.isEmpty()
                ? new Asked(pods, Optional.empty(), manifests)
                : new Asked(List.of(), Optional.of(group(groups.get(0), pods, manifests)), manifests);
    }

    private static PodGroup group(YamlNode group, List<Pod> pods, Map<String, PodManifest> manifests) {
        YamlNode spec = group.at("spec");
        Map<String, Integer> minimums = new LinkedHashMap<>();
        spec.at("roles")
                .list()
                .forEach(role -> minimums.put(
                        role.need("name").text(), (int) role.need("minMember").number()));
        String name = group.need("metadata").need("name").text();
        T9kPodGroup parsed = group.build(() -> new T9kPodGroup(
                name,
                spec.at("minMember").integerOr(pods.size()),
                minimums,
                spec.at("queue").textOr(T9kPodGroup.DEFAULT_QUEUE),
                spec.at("priority").integerOr(0),
                0));
        Map<String, List<Pod>> byRole = new LinkedHashMap<>();
        for (Pod pod : pods) {
            Map<String, String> labels = labels(manifests, pod.id());
            if (labels.getOrDefault(T9kDialect.GROUP_NAME, name).equals(name)) {
                byRole.computeIfAbsent(labels.getOrDefault(T9kDialect.ROLE, ""), role -> new ArrayList<>())
                        .add(pod);
            }
        }
        return parsed.group(byRole);
    }

    private static Map<String, String> labels(Map<String, PodManifest> manifests, PodId pod) {
        PodManifest manifest = manifests.get(pod.toString());
        return manifest == null ? Map.of() : manifest.labels();
    }
}
