package io.gpusched.cli.place;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.GroupMembership;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Which groups the running pods of a file name, and how close their members must be where the file has the group. */
final class RunningGroups {
    private final Map<GroupKey, GroupLocality> localities = new HashMap<>();

    RunningGroups(KubernetesFile file) {
        for (YamlNode object : file.ofKind("PodGroup")) {
            GroupVocabulary.ofApi(object.at("apiVersion").textOr("")).ifPresent(vocabulary -> {
                GenericKubernetesResource group = file.bind(object, GenericKubernetesResource.class);
                group.getMetadata()
                        .setNamespace(
                                Objects.requireNonNullElse(group.getMetadata().getNamespace(), "default"));
                GroupSpec spec = vocabulary.read(group);
                localities.put(spec.key(), spec.locality());
            });
        }
    }

    /** Returns the group that a pod names; its members may be anywhere if nothing else is known. */
    Optional<GroupMembership> of(Pod pod) {
        return GroupVocabulary.groupOf(pod)
                .map(key -> GroupMembership.of(
                        key.name(),
                        localities.getOrDefault(key, GroupLocality.ANYWHERE).widest()));
    }
}
