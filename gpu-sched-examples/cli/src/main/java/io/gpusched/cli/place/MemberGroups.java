package io.gpusched.cli.place;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Locality;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** PodGroups of the coscheduling plugin, of Volcano and of KAI, read as {@code kube} reads them. */
final class MemberGroups {
    /** The role of members that name none. */
    private static final String NO_ROLE = "member";

    private MemberGroups() {}

    /**
     * Returns the group with these members.
     *
     * @throws RefusedException if it has fewer members than it needs
     */
    static PodGroup read(
            YamlNode object, GroupVocabulary vocabulary, List<Pod> members, Map<?, PodManifest> manifests) {
        GroupSpec spec = spec(object, vocabulary);
        if (vocabulary == GroupVocabulary.VOLCANO && !spec.locality().equals(GroupLocality.ANYWHERE)) {
            throw object.at("spec")
                    .at("networkTopology")
                    .error("hyper nodes are not read here. Maybe name a node label by the annotation "
                            + GroupVocabulary.WITHIN);
        }
        if (members.size() < spec.minimum()) {
            throw new RefusedException(
                    "pod group \"" + spec.key().name() + "\"",
                    "spec.minMember is " + spec.minimum() + ", and this file has " + members.size() + " of its pods");
        }
        Map<String, List<Pod>> byRole = new LinkedHashMap<>();
        for (Pod pod : members) {
            PodManifest manifest = Objects.requireNonNull(manifests.get(pod.id()));
            String role = vocabulary.roleOf(manifest.labels(), manifest.annotations());
            byRole.computeIfAbsent(role.isEmpty() ? NO_ROLE : role, any -> new ArrayList<>())
                    .add(pod);
        }
        spec.roleMinimums().keySet().forEach(role -> byRole.putIfAbsent(role, List.of()));
        List<PodGroup.Role> roles = new ArrayList<>();
        byRole.forEach((role, pods) -> roles.add(object.at("spec")
                .build(() -> new PodGroup.Role(role, spec.roleMinimums().getOrDefault(role, 0), pods))));
        return object.at("spec")
                .build(() -> new PodGroup(spec.key().name(), spec.minimum(), roles, Locality.ANYWHERE, List.of(), 0));
    }

    /** Returns what the object demands, but for annotations. */
    static GroupSpec spec(YamlNode object, GroupVocabulary vocabulary) {
        GenericKubernetesResource generic = new GenericKubernetesResource();
        generic.setMetadata(new ObjectMeta());
        generic.getMetadata().setName(object.need("metadata").need("name").text());
        generic.setAdditionalProperties(Map.of("spec", object.need("spec").plain()));
        GroupSpec spec = vocabulary.read(generic);
        if (!spec.problem().isEmpty()) {
            throw object.at("spec").error(spec.problem());
        }
        return spec;
    }
}
