package io.gpusched.kubernetes.extender.wire;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What kube-scheduler sends to preempt: a pod, and for each node the pods that it would evict there.
 *
 * @param pod the pod that needs room
 * @param victims the pods that kube-scheduler would evict, by node name
 */
public record PreemptionArguments(Pod pod, Map<String, Victims> victims) {
    /**
     * Reads them: victims by identity, or as whole pods where the extender is not said to know pods itself.
     *
     * @throws io.gpusched.kubernetes.http.HttpProblem with status 400 if they cannot be understood
     */
    public static PreemptionArguments read(JsonNode json) {
        Members members = Members.of("arguments", json);
        Optional<JsonNode> byIdentity = members.object("NodeNameToMetaVictims");
        Optional<JsonNode> whole = byIdentity.isPresent() ? byIdentity : members.object("NodeNameToVictims");
        Map<String, Victims> victims = new LinkedHashMap<>();
        whole.ifPresent(nodes -> nodes.properties()
                .forEach(node ->
                        victims.put(node.getKey(), victims(node.getKey(), node.getValue(), byIdentity.isPresent()))));
        return new PreemptionArguments(FilterArguments.pod(members), victims);
    }

    private static Victims victims(String node, JsonNode json, boolean byIdentity) {
        if (json.isNull()) {
            return Victims.of(List.of(), 0);
        }
        Members members = Members.of("victims of node " + node, json);
        List<String> uids = new ArrayList<>();
        members.list("Pods").ifPresent(pods -> pods.forEach(pod -> uids.add(uid(node, pod, byIdentity))));
        return Victims.of(uids, members.number("NumPDBViolations"));
    }

    private static String uid(String node, JsonNode pod, boolean byIdentity) {
        Members members = Members.of("a victim of node " + node, pod);
        return byIdentity
                ? members.need("UID")
                : Members.of("a victim's metadata", members.object("metadata").orElse(pod))
                        .need("uid");
    }
}
