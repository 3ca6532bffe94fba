package io.gpusched.examples.place;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.PodId;
import io.gpusched.model.Taint;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads nodes and pods as {@code kubectl get -o yaml} prints them; what does not matter here is passed over. */
final class KubernetesPods {
    private KubernetesPods() {}

    /** Returns the objects of a file: its documents, lists taken apart. */
    static List<YamlNode> objects(List<YamlNode> documents) {
        List<YamlNode> objects = new ArrayList<>();
        for (YamlNode document : documents) {
            String kind = document.need("kind").text();
            if (kind.endsWith("List") && document.at("items").isPresent()) {
                objects.addAll(objects(document.at("items").list()));
            } else {
                objects.add(document);
            }
        }
        return objects;
    }

    /** Returns the objects of one kind. */
    static List<YamlNode> ofKind(List<YamlNode> objects, String kind) {
        return objects.stream()
                .filter(object -> object.need("kind").text().equals(kind))
                .toList();
    }

    static NodeManifest node(YamlNode node) {
        YamlNode metadata = node.need("metadata");
        List<Taint> taints = new ArrayList<>();
        node.at("spec").at("taints").list().forEach(taint -> taints.add(PlainCluster.taint(taint)));
        Map<String, String> amounts =
                new HashMap<>(node.at("status").at("capacity").texts());
        amounts.putAll(node.at("status").at("allocatable").texts());
        return new NodeManifest(
                metadata.need("name").text(),
                metadata.at("labels").texts(),
                metadata.at("annotations").texts(),
                amounts,
                taints,
                node.at("spec").at("unschedulable").isTrue());
    }

    static PodManifest pod(YamlNode pod) {
        YamlNode metadata = pod.need("metadata");
        YamlNode spec = pod.need("spec");
        List<ContainerManifest> containers = new ArrayList<>();
        spec.at("initContainers").list().forEach(container -> containers.add(container(container, true)));
        spec.need("containers").list().forEach(container -> containers.add(container(container, false)));
        List<Toleration> tolerations = new ArrayList<>();
        spec.at("tolerations").list().forEach(item -> tolerations.add(toleration(item)));
        String namespace = metadata.at("namespace").textOr(PodId.DEFAULT_NAMESPACE);
        PodId id =
                metadata.build(() -> new PodId(namespace, metadata.need("name").text()));
        return new PodManifest(
                id,
                metadata.at("labels").texts(),
                metadata.at("annotations").texts(),
                containers,
                selector(spec),
                tolerations);
    }

    private static ContainerManifest container(YamlNode container, boolean init) {
        YamlNode resources = container.at("resources");
        return new ContainerManifest(
                container.need("name").text(),
                init,
                resources.at("requests").texts(),
                resources.at("limits").texts());
    }

    private static NodeSelector selector(YamlNode spec) {
        NodeSelector labels = spec.at("nodeSelector")
                .build(() -> NodeSelector.labels(spec.at("nodeSelector").texts()));
        YamlNode required = spec.at("affinity").at("nodeAffinity").at("requiredDuringSchedulingIgnoredDuringExecution");
        List<NodeSelector.Term> terms = new ArrayList<>();
        for (YamlNode term : required.at("nodeSelectorTerms").list()) {
            List<NodeRequirement> requirements = new ArrayList<>();
            term.at("matchExpressions").list().forEach(item -> requirements.add(requirement(item)));
            terms.add(term.build(() -> new NodeSelector.Term(requirements)));
        }
        return labels.and(new NodeSelector(terms));
    }

    private static NodeRequirement requirement(YamlNode item) {
        NodeRequirement.Operator parsed = item.need("operator").oneOf(NodeRequirement.Operator.class);
        return item.build(() -> new NodeRequirement(
                item.need("key").text(), parsed, item.at("values").textList()));
    }

    static Toleration toleration(YamlNode item) {
        YamlNode operator = item.at("operator");
        boolean exists = switch (operator.textOr("Equal")) {
            case "Exists" -> true;
            case "Equal" -> false;
            default -> throw operator.error("must be Exists or Equal");
        };
        Optional<String> value =
                exists ? Optional.empty() : Optional.of(item.at("value").textOr(""));
        boolean anyEffect = item.at("effect").textOr("").isEmpty();
        Optional<Taint.Effect> effect =
                anyEffect ? Optional.empty() : Optional.of(item.at("effect").oneOf(Taint.Effect.class));
        return item.build(() -> new Toleration(item.at("key").textOr(""), value, effect));
    }
}
