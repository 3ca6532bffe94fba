package io.gpusched.kubernetes.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.ClaimGang;
import io.gpusched.claim.DeviceRequest;
import io.gpusched.kubernetes.decide.Binding;
import io.gpusched.manifests.claim.ExtendedClaim;
import io.gpusched.model.PodId;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives resource claims the devices that were chosen for them, and makes their pods known to them, as kube-scheduler does before it
 * binds a pod: a claim that stands for extended resources is made where it is not there, then the finalizer that keeps an allocated claim from being deleted, then allocation and user in one write of the status.
 * Each write has the version of the claim that was looked at as its precondition. What was
 * written stays if the pod is not bound in the end: the next time the pod goes where its devices are. Devices that no pod uses any more are
 * released by Kubernetes' controller of claims. Thread-safe.
 */
final class DeviceClaimWriter {
    /** What drivers are told may be nested as deep as the API server takes it. */
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(Integer.MAX_VALUE)
                            .build())
                    .streamWriteConstraints(StreamWriteConstraints.builder()
                            .maxNestingDepth(Integer.MAX_VALUE)
                            .build())
                    .build())
            .build();

    private static final String FINALIZER = "resource.kubernetes.io/delete-protection";
    private static final int CONFLICT = 409;

    private final ApiWrites requests;

    DeviceClaimWriter(ApiWrites requests) {
        this.requests = requests;
    }

    /** Whether another write of the claim came between, so that it is to be looked at again. */
    static boolean isConflict(KubernetesClientException e) {
        return e.getCode() == CONFLICT && !(e instanceof LostClaimException);
    }

    /** The claim is another than was decided on. */
    private static final class LostClaimException extends KubernetesClientException {
        private static final long serialVersionUID = 1;

        LostClaimException(String claim, String why) {
            super("resource claim \"" + claim + "\" " + why, CONFLICT, null);
        }
    }

    /**
     * Writes one claim of a binding.
     *
     * @throws KubernetesClientException if it is not written
     */
    void write(Binding binding, Binding.DeviceClaim claim) {
        String all = "/apis/resource.k8s.io/v1/namespaces/" + binding.pod().id().namespace() + "/resourceclaims";
        String path = all + "/" + claim.name();
        String known = requests.get(path);
        boolean isToBeMade = known == null && claim.uid().isEmpty();
        ObjectNode object = parsed(isToBeMade ? requests.post(all, made(binding, claim)) : known, claim.name());
        check(object, binding, claim);
        boolean isAllocated = object.path("status").has("allocation");
        if (!isAllocated && protect(object)) {
            object = parsed(requests.put(path, text(object)), claim.name());
        }
        ObjectNode status = object.withObjectProperty("status");
        if (!isAllocated) {
            status.set("allocation", allocation(object, binding.placement().node(), claim));
        }
        if (reserve(status, binding, claim.name()) || !isAllocated) {
            requests.put(path + "/status", text(object));
        }
    }

    private static ObjectNode parsed(@Nullable String text, String name) {
        if (text == null) {
            throw new LostClaimException(name, "is gone");
        }
        try {
            return (ObjectNode) JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Token by token: no call is made for each level, so that no stack overflows. */
    private static String text(ObjectNode object) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text);
                JsonParser tokens = JSON.treeAsTokens(object)) {
            tokens.nextToken();
            out.copyCurrentStructure(tokens);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** The claim that stands for extended resources, as kube-scheduler makes it. */
    private static String made(Binding binding, Binding.DeviceClaim claim) {
        PodId pod = binding.pod().id();
        ObjectNode object = JSON.createObjectNode().put("apiVersion", "resource.k8s.io/v1");
        object.put("kind", "ResourceClaim");
        ObjectNode metadata = object.putObject("metadata")
                .put("name", claim.name())
                .put("generateName", ExtendedClaim.namePrefix(pod.name()))
                .put("namespace", pod.namespace());
        metadata.putObject("annotations").put(ExtendedClaim.ANNOTATION, "true");
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put("name", pod.name())
                .put("uid", binding.pod().uid())
                .put("controller", true)
                .put("blockOwnerDeletion", true);
        ArrayNode requests = object.putObject("spec").putObject("devices").putArray("requests");
        for (Claim.Request request :
                claim.extended().orElseThrow().claim().claim().requests()) {
            DeviceRequest asked = request.alternatives().get(0);
            requests.addObject()
                    .put("name", request.name())
                    .putObject("exactly")
                    .put("deviceClassName", asked.className())
                    .put("allocationMode", "ExactCount")
                    .put("count", asked.count());
        }
        return object.toString();
    }

    /** Whether it is the claim that was decided on: one that was to be made is its pod's. */
    private static boolean isMeant(JsonNode metadata, Binding binding, Binding.DeviceClaim claim) {
        return claim.uid().isEmpty()
                ? metadata.path("ownerReferences")
                        .path(0)
                        .path("uid")
                        .asText()
                        .equals(binding.pod().uid())
                : metadata.path("uid").asText().equals(claim.uid());
    }

    private static void check(ObjectNode object, Binding binding, Binding.DeviceClaim claim) {
        JsonNode metadata = object.path("metadata");
        if (!isMeant(metadata, binding, claim)) {
            throw new LostClaimException(claim.name(), "is another one by now");
        }
        if (metadata.has("deletionTimestamp")) {
            throw new LostClaimException(claim.name(), "is being deleted");
        }
        JsonNode allocation = object.path("status").path("allocation");
        if (claim.devices().isEmpty() && allocation.isMissingNode()) {
            // another pod of its group may be about to give it its devices
            throw new KubernetesClientException(
                    "resource claim \"" + claim.name() + "\" has no devices", CONFLICT, null);
        }
        if (claim.devices().isPresent()
                && !allocation.isMissingNode()
                && !devices(allocation).equals(devices(claim.devices().get()))) {
            throw new LostClaimException(claim.name(), "was allocated elsewhere in the meantime");
        }
    }

    private static List<String> devices(JsonNode allocation) {
        List<String> devices = new ArrayList<>();
        allocation
                .path("devices")
                .path("results")
                .forEach(one -> devices.add(one.path("request").asText() + "="
                        + one.path("driver").asText() + "/" + one.path("pool").asText() + "/"
                        + one.path("device").asText()));
        return devices;
    }

    private static List<String> devices(ClaimAllocation allocation) {
        return allocation.grants().stream()
                .map(grant -> grant.request() + "=" + grant.device().driver() + "/"
                        + grant.device().pool() + "/" + grant.device().device())
                .toList();
    }

    /** Adds the finalizer; returns whether it was not there. */
    private static boolean protect(ObjectNode object) {
        ArrayNode finalizers = object.withObjectProperty("metadata").withArrayProperty("finalizers");
        for (JsonNode one : finalizers) {
            if (one.asText().equals(FINALIZER)) {
                return false;
            }
        }
        finalizers.add(FINALIZER);
        return true;
    }

    /** Adds the pod to the users of the claim; returns whether it was not among them. */
    private static boolean reserve(ObjectNode status, Binding binding, String name) {
        ArrayNode users = status.withArrayProperty("reservedFor");
        for (JsonNode user : users) {
            if (user.path("uid").asText().equals(binding.pod().uid())) {
                return false;
            }
        }
        if (users.size() >= ClaimGang.MOST_PODS) {
            throw new LostClaimException(name, "is in use by " + users.size() + " pods, the most there may be");
        }
        users.addObject()
                .put("resource", "pods")
                .put("name", binding.pod().id().name())
                .put("uid", binding.pod().uid());
        return true;
    }

    private static ObjectNode allocation(ObjectNode object, String node, Binding.DeviceClaim claim) {
        ObjectNode allocation = JSON.createObjectNode();
        ObjectNode devices = allocation.putObject("devices");
        ArrayNode results = devices.putArray("results");
        Map<String, List<String>> byClass = new LinkedHashMap<>();
        List<String> served = new ArrayList<>();
        for (ClaimAllocation.Grant grant : claim.devices().orElseThrow().grants()) {
            JsonNode request = request(object, grant.request());
            ObjectNode result = results.addObject()
                    .put("request", grant.request())
                    .put("driver", grant.device().driver())
                    .put("pool", grant.device().pool())
                    .put("device", grant.device().device());
            if (request.has("tolerations")) {
                result.set("tolerations", request.get("tolerations"));
            }
            if (!served.contains(grant.request())) {
                served.add(grant.request());
                byClass.computeIfAbsent(request.path("deviceClassName").asText(), any -> new ArrayList<>())
                        .add(grant.request());
            }
        }
        addConfigs(devices, object, claim, byClass, served);
        allocation
                .putObject("nodeSelector")
                .putArray("nodeSelectorTerms")
                .addObject()
                .putArray("matchFields")
                .addObject()
                .put("key", "metadata.name")
                .put("operator", "In")
                .putArray("values")
                .add(node);
        return allocation;
    }

    /** What drivers are told: first by the classes, then by the claim, each for the requests that it concerns. */
    private static void addConfigs(
            ObjectNode devices,
            ObjectNode object,
            Binding.DeviceClaim claim,
            Map<String, List<String>> byClass,
            List<String> served) {
        ArrayNode configs = JSON.createArrayNode();
        byClass.forEach((name, requests) -> claim.configs()
                .getOrDefault(name, List.of())
                .forEach(one -> addConfig(configs, "FromClass", requests, JSON.valueToTree(one))));
        for (JsonNode one : object.path("spec").path("devices").path("config")) {
            List<String> requests = new ArrayList<>();
            one.path("requests").forEach(request -> requests.add(request.asText()));
            boolean isMeant = requests.isEmpty()
                    || requests.stream()
                            .anyMatch(request -> served.stream()
                                    .anyMatch(name -> name.equals(request) || name.startsWith(request + "/")));
            if (isMeant) {
                addConfig(configs, "FromClaim", requests, one);
            }
        }
        if (!configs.isEmpty()) {
            devices.set("config", configs);
        }
    }

    private static void addConfig(ArrayNode configs, String source, List<String> requests, JsonNode config) {
        ObjectNode added = configs.addObject().put("source", source);
        requests.forEach(added.withArrayProperty("requests")::add);
        if (config.has("opaque")) {
            added.set("opaque", config.get("opaque"));
        }
    }

    /** The request of a claim, or one of its alternatives. */
    private static JsonNode request(ObjectNode object, String name) {
        for (JsonNode request : object.path("spec").path("devices").path("requests")) {
            String own = request.path("name").asText();
            if (own.equals(name)) {
                return request.path("exactly");
            }
            for (JsonNode one : request.path("firstAvailable")) {
                if (name.equals(own + "/" + one.path("name").asText())) {
                    return one;
                }
            }
        }
        throw new IllegalStateException("there is no request \"" + name + "\"");
    }
}
