package io.gpusched.kubernetes.extender.wire;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.kubernetes.http.HttpProblem;
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
     * @throws HttpProblem with status 400 if they cannot be understood
     */
    public static BindingArguments read(JsonNode json) {
        Members members = Members.of("arguments", json);
        String namespace = members.text("PodNamespace");
        String name = members.need("PodName");
        return new BindingArguments(
                id(namespace.isBlank() ? PodId.DEFAULT_NAMESPACE : namespace, name),
                members.need("PodUID"),
                members.need("Node"));
    }

    private static PodId id(String namespace, String name) {
        try {
            return new PodId(namespace, name);
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("arguments.PodName: " + e.getMessage());
        }
    }
}
