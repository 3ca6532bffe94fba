package io.gpusched.conformance.kai;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Locality;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;

/** The tree of pod sets and groups of a job as a pod group. */
final class KaiTree {
    private KaiTree() {}

    static PodGroup group(String name, YamlNode tree, List<KaiTask> tasks) {
        return group(name, tree, tasks, tree.at("topology"));
    }

    private static PodGroup group(String name, YamlNode tree, List<KaiTask> tasks, YamlNode topology) {
        List<YamlNode> sets = tree.at("podSets").list();
        List<YamlNode> groups = tree.at("groups").list();
        if (sets.size() == 1 && groups.isEmpty() && !sets.get(0).has("topology")) {
            return within(podSet(name, sets.get(0), tasks), topology);
        }
        List<PodGroup> parts = new ArrayList<>();
        for (YamlNode set : sets) {
            parts.add(within(podSet(set.need("name").text(), set, tasks), set.at("topology")));
        }
        for (YamlNode child : groups) {
            parts.add(group(child.need("name").text(), child, tasks));
        }
        PodGroup all = PodGroup.ofGroups(name, parts);
        int least = tree.at("minSubGroup").integerOr(parts.size());
        PodGroup needed = least < parts.size() ? all.withMinMember(1).withMinGroups(least) : all;
        return within(needed, topology);
    }

    /** What has succeeded is no member any more, and counts for the minimum. */
    private static PodGroup podSet(String name, YamlNode set, List<KaiTask> tasks) {
        String own = set.need("name").text();
        List<Pod> pods = new ArrayList<>();
        int done = 0;
        for (KaiTask task : tasks) {
            if (task.podSet.equals(own)) {
                if (task.status == KaiTask.Status.SUCCEEDED) {
                    done++;
                } else {
                    pods.add(task.pod);
                }
            }
        }
        int least = Math.max(1, set.need("minMember").integer() - done);
        for (int missing = pods.size(); missing < least; missing++) {
            pods.add(KaiPods.impossible(name + "-missing-" + missing));
        }
        return PodGroup.of(name, pods).withMinMember(least);
    }

    /** A required level around a preferred one. */
    private static PodGroup within(PodGroup group, YamlNode topology) {
        String required = topology.at("requiredLevel").textOr("");
        String preferred = topology.at("preferredLevel").textOr("");
        PodGroup inner = preferred.isEmpty()
                ? group
                : group.withLocality(Locality.within(preferred).preferred());
        if (required.isEmpty()) {
            return inner;
        }
        return preferred.isEmpty()
                ? group.withLocality(Locality.within(required))
                : PodGroup.ofGroups(group.name(), List.of(inner)).withLocality(Locality.within(required));
    }
}
