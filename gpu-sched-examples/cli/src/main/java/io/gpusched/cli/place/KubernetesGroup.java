package io.gpusched.cli.place;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Locality;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.List;

/**
 * A PodGroup of Kubernetes' own API: {@code spec.schedulingPolicy.gang.minCount} members start together, all within one value
 * of the node label {@code spec.schedulingConstraints.topology[0].key}.
 */
final class KubernetesGroup {
    private KubernetesGroup() {}

    /** Returns the group with these members. */
    static PodGroup read(YamlNode group, List<Pod> members) {
        YamlNode spec = group.need("spec")
                .only(
                        "podGroupTemplateRef",
                        "schedulingPolicy",
                        "schedulingConstraints",
                        "priority",
                        "priorityClassName");
        YamlNode policy = spec.need("schedulingPolicy").only("gang", "basic");
        int least = policy.at("gang").isPresent()
                ? policy.at("gang").only("minCount").need("minCount").integerOr(0)
                : 1;
        List<YamlNode> topology =
                spec.at("schedulingConstraints").only("topology").at("topology").list();
        if (topology.size() > 1) {
            throw topology.get(1).error("at most one topology constraint is honoured");
        }
        PodGroup anywhere = group.build(() ->
                PodGroup.of(group.need("metadata").need("name").text(), members).withMinMember(least));
        if (topology.isEmpty()) {
            return anywhere;
        }
        String key = topology.get(0).only("key").need("key").text();
        return topology.get(0).build(() -> anywhere.withLocality(Locality.within(key)));
    }
}
