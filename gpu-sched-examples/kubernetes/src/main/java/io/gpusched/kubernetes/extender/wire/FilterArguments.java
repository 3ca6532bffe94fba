package io.gpusched.kubernetes.extender.wire;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.kubernetes.http.HttpProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What kube-scheduler sends to filter and to prioritize: a pod, and the nodes by name or as they are.
 *
 * @param pod the pod
 * @param names the nodes by name, where the extender is said to know nodes itself ({@code nodeCacheCapable})
 * @param nodes the nodes as objects, as they were sent; not looked at where there are names
 */
public record FilterArguments(Pod pod, Optional<List<String>> names, List<JsonNode> nodes) {
    public FilterArguments {
        names = names.map(List::copyOf);
        nodes = List.copyOf(nodes);
    }

    /**
     * Reads them.
     *
     * @throws HttpProblem with status 400 if they cannot be understood
     */
    public static FilterArguments read(JsonNode json) {
        Members members = Members.of("arguments", json);
        Optional<List<String>> names = members.list("NodeNames").map(FilterArguments::texts);
        List<JsonNode> nodes = members.object("Nodes")
                .flatMap(list -> Members.of("Nodes", list).list("items"))
                .map(FilterArguments::elements)
                .orElse(List.of());
        return new FilterArguments(pod(members), names, nodes);
    }

    public static Pod pod(Members members) {
        JsonNode json = members.object("Pod").orElseThrow(() -> HttpProblem.badRequest("arguments.Pod must be there"));
        Pod pod = Members.model("arguments.Pod", json, Pod.class);
        if (pod.getMetadata() == null || pod.getMetadata().getName() == null || pod.getSpec() == null) {
            throw HttpProblem.badRequest("arguments.Pod must have metadata.name and a spec");
        }
        return pod;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        for (JsonNode element : list) {
            if (!element.isTextual()) {
                throw HttpProblem.badRequest("arguments.NodeNames must be a list of texts, got " + element);
            }
            texts.add(element.textValue());
        }
        return texts;
    }

    private static List<JsonNode> elements(JsonNode list) {
        List<JsonNode> elements = new ArrayList<>();
        list.forEach(elements::add);
        return elements;
    }
}
