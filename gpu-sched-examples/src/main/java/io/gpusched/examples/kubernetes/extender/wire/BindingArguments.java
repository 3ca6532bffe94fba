package io.gpusched.examples.kubernetes.extender.wire;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.model.PodId;

/**
 * What kube-scheduler sends to bind.
 *
 * @param pod the pod's name
 * @param uid its identity
 * @param node the node that kube-scheduler chose
 */
public record BindingArguments(PodId pod, String uid, String node) {
    /**
     * Reads them.
     *
     * @throws io.gpusched.examples.kubernetes.http.HttpProblem with status 400 if they cannot be understood
     */
    public static BindingArguments read(JsonNode json) {
        Members members = Members.of("arguments", json);
        String namespace = members.text("PodNamespace");
        PodId pod = new PodId(namespace.isEmpty() ? PodId.DEFAULT_NAMESPACE : namespace, members.need("PodName"));
        return new BindingArguments(pod, members.need("PodUID"), members.need("Node"));
    }
}
