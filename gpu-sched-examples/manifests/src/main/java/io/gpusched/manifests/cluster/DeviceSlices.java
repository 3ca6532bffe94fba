package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * GPUs that drivers publish in ResourceSlices. A node that reports none by a device plugin has those, under the resource by which pods
 * may ask for them without a claim: the {@code extendedResourceName} of their device class.
 */
final class DeviceSlices {
    private static final String PRODUCT = "nvidia.com/gpu.product";

    private static final Map<String, String> RESOURCES =
            Map.of("gpu.nvidia.com", "nvidia.com/gpu", "gpu.amd.com", "amd.com/gpu");

    /** By node and driver, how many GPUs there are, and one of them. */
    private final Map<String, Map<String, Integer>> counts = new HashMap<>();

    private final Map<String, YamlNode> one = new HashMap<>();

    /** By driver the name under which pods ask for its devices without a claim. */
    private final Map<String, String> names = new HashMap<>(RESOURCES);

    DeviceSlices(List<YamlNode> others) {
        for (YamlNode object : others) {
            String kind = object.need("kind").text();
            if (kind.equals("ResourceSlice")) {
                read(object.at("spec"));
            } else if (kind.equals("DeviceClass")) {
                YamlNode name = object.at("spec").at("extendedResourceName");
                String ofClass = object.need("metadata").need("name").text();
                if (name.isPresent()) {
                    names.keySet().stream()
                            .filter(driver -> driver.equals(ofClass) || selects(object, driver))
                            .findFirst()
                            .ifPresent(driver -> names.put(driver, name.text()));
                }
            }
        }
    }

    private static boolean selects(YamlNode object, String driver) {
        return object.at("spec").at("selectors").list().stream()
                .map(selector -> selector.at("cel").at("expression").textOr(""))
                .anyMatch(expression ->
                        expression.contains("\"" + driver + "\"") || expression.contains("'" + driver + "'"));
    }

    private void read(YamlNode spec) {
        String driver = spec.at("driver").textOr("");
        String node = spec.at("nodeName").textOr("");
        if (node.isEmpty() || !driver.contains("gpu")) {
            return;
        }
        for (YamlNode device : spec.at("devices").list()) {
            YamlNode body = device.at("basic").optional().orElse(device);
            String type = text(body, "type").orElse("gpu");
            if (type.equals("gpu")) {
                counts.computeIfAbsent(node, any -> new HashMap<>()).merge(driver, 1, Integer::sum);
                one.put(node, body);
            }
        }
    }

    private static Optional<String> text(YamlNode device, String attribute) {
        for (Map.Entry<String, YamlNode> entry : device.at("attributes").map().entrySet()) {
            if (entry.getKey().equals(attribute) || entry.getKey().endsWith("/" + attribute)) {
                return entry.getValue().at("string").optional().map(YamlNode::text);
            }
        }
        return Optional.empty();
    }

    /** Returns the node with the GPUs of its slices, where it reports none of their name. */
    Node on(Node node) {
        Map<String, Integer> drivers = counts.getOrDefault(node.getMetadata().getName(), Map.of());
        Node with = node;
        boolean isChanged = false;
        for (Map.Entry<String, Integer> driver : drivers.entrySet()) {
            String name = names.get(driver.getKey());
            boolean isReported = node.getStatus() != null
                    && node.getStatus().getAllocatable() != null
                    && name != null
                    && node.getStatus().getAllocatable().containsKey(name);
            if (name != null && !isReported) {
                isChanged = true;
                with = new NodeBuilder(with)
                        .editOrNewStatus()
                        .addToAllocatable(name, new Quantity(String.valueOf(driver.getValue())))
                        .endStatus()
                        .build();
            }
        }
        return isChanged ? named(with) : node;
    }

    private Node named(Node node) {
        Optional<String> product = Optional.ofNullable(
                        one.get(node.getMetadata().getName()))
                .flatMap(device -> text(device, "productName"));
        boolean isNamed = node.getMetadata().getLabels() != null
                && node.getMetadata().getLabels().containsKey(PRODUCT);
        return product.isEmpty() || isNamed
                ? node
                : new NodeBuilder(node)
                        .editMetadata()
                        .addToLabels(PRODUCT, product.get().replace(' ', '-'))
                        .endMetadata()
                        .build();
    }
}
