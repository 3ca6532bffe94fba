package io.gpusched.conformance.dra;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimAllocator;
import io.gpusched.claim.ClaimDecision;
import io.gpusched.claim.ClaimNode;
import io.gpusched.conformance.CaseResult;
import io.gpusched.conformance.JsonValues;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorFormat;
import io.gpusched.dialect.dra.ExtendedResources;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Arrays of pods that ask for extended resources of device classes. Each node is a case of kind {@code extended}: the claim that stands for
 * them, which container has which request, what is left to device plugins, and the devices that Kubernetes chooses.
 */
public final class ExtendedFormat implements VectorFormat {
    @Override
    public boolean matches(YamlNode root) {
        return root.kind() == YamlNode.Kind.LIST
                && !root.list().isEmpty()
                && root.list().get(0).has("slices")
                && root.list().get(0).has("pod");
    }

    @Override
    public List<CaseResult> run(YamlNode root) {
        List<CaseResult> results = new ArrayList<>();
        for (YamlNode element : root.list()) {
            String name = element.need("name").text();
            JsonNode vector = JsonValues.of(element);
            for (JsonNode expected : vector.path("expected")) {
                String id = name + " on " + expected.path("node").asText();
                Outcome outcome;
                try {
                    outcome = compare(vector, expected);
                } catch (IllegalArgumentException e) {
                    outcome = new Outcome.Malformed(id + ": " + e.getMessage());
                }
                results.add(new CaseResult(id, "kubernetes-dra", "extended", "match", outcome));
            }
        }
        return results;
    }

    private static Outcome compare(JsonNode vector, JsonNode expected) {
        DraCase read = DraCase.of(vector);
        List<ExtendedResources.OfferedClass> classes = new ArrayList<>();
        vector.path("classes")
                .forEach(one -> classes.add(new ExtendedResources.OfferedClass(
                        one.path("name").asText(),
                        Optional.ofNullable(one.path("extendedResourceName").textValue()),
                        one.path("created").asLong())));
        List<ExtendedResources.AskingContainer> containers = new ArrayList<>();
        vector.path("pod")
                .path("initContainers")
                .forEach(one ->
                        containers.add(container(one, !one.path("sidecar").asBoolean())));
        vector.path("pod").path("containers").forEach(one -> containers.add(container(one, false)));
        Map<String, Long> allocatable =
                allocatable(vector, expected.path("node").asText());
        ExtendedResources.Split split =
                ExtendedResources.of(classes).split(containers, name -> allocatable.getOrDefault(name, 0L) > 0);
        boolean isOffered = split.plugin().entrySet().stream()
                .allMatch(entry -> allocatable.getOrDefault(entry.getKey(), 0L) >= entry.getValue());
        String want = isOffered ? words(expected) : ofPlugin(expected);
        String got = isOffered ? words(split) : split.classes() + " " + split.plugin() + " nothing";
        if (!want.equals(got) || !isOffered) {
            return DraVerdict.same(want, got);
        }
        List<Claim> claims = new ArrayList<>(read.claims());
        split.claim().ifPresent(claims::add);
        ClaimNode node = read.node(expected.path("node").asText());
        ClaimDecision decision = ClaimAllocator.firstFit()
                .withFeatures(read.features())
                .allocate(node, read.slices(), read.classes(), read.inUse(), claims);
        return DraVerdict.recorded(decision, expected);
    }

    private static ExtendedResources.AskingContainer container(JsonNode container, boolean isInit) {
        Map<String, Long> requests = new TreeMap<>();
        container
                .path("requests")
                .properties()
                .forEach(entry -> requests.put(entry.getKey(), (long)
                        Double.parseDouble(entry.getValue().asText())));
        return new ExtendedResources.AskingContainer(container.path("name").asText(), isInit, requests);
    }

    private static Map<String, Long> allocatable(JsonNode vector, String node) {
        Map<String, Long> allocatable = new TreeMap<>();
        for (JsonNode one : vector.path("nodes")) {
            if (one.path("name").asText().equals(node)) {
                one.path("allocatable")
                        .properties()
                        .forEach(entry ->
                                allocatable.put(entry.getKey(), entry.getValue().asLong()));
            }
        }
        return allocatable;
    }

    private static String words(JsonNode expected) {
        List<String> requests = new ArrayList<>();
        expected.path("extendedClaim")
                .path("requests")
                .forEach(one -> requests.add(one.path("name").asText() + " "
                        + one.path("exactly").path("class").asText() + " "
                        + one.path("exactly").path("count").asLong()));
        List<String> mappings = new ArrayList<>();
        expected.path("mappings")
                .forEach(one -> mappings.add(one.path("container").asText() + " "
                        + one.path("resource").asText() + " "
                        + one.path("request").asText()));
        return texts(expected.path("classOf")) + " " + texts(expected.path("devicePlugin")) + " " + requests + " "
                + mappings;
    }

    /** The claim is not made for a node whose device plugins offer too little. */
    private static String ofPlugin(JsonNode expected) {
        return texts(expected.path("classOf")) + " " + texts(expected.path("devicePlugin")) + " "
                + expected.path("outcome").asText();
    }

    private static Map<String, String> texts(JsonNode field) {
        Map<String, String> texts = new TreeMap<>();
        field.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }

    private static String words(ExtendedResources.Split split) {
        List<String> requests = new ArrayList<>();
        split.claim().stream()
                .flatMap(claim -> claim.requests().stream())
                .flatMap(one -> one.alternatives().stream())
                .forEach(one -> requests.add(one.name() + " " + one.className() + " " + one.count()));
        List<String> mappings = split.mappings().stream()
                .map(one -> one.container() + " " + one.resource() + " " + one.request())
                .toList();
        return split.classes() + " " + split.plugin() + " " + requests + " " + mappings;
    }
}
