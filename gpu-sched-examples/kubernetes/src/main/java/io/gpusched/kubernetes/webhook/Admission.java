package io.gpusched.kubernetes.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.PodManifest;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.grant.GrantGuard;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.manifests.objects.ModelMapper;
import io.gpusched.manifests.view.DialectSet;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * Answers reviews of admission ({@code admission.k8s.io/v1}). Grants that others than the schedulers write are refused. Pods that ask for no GPU of these dialects, changes of pods and
 * other kinds of objects are let through as they are. Has no side effects, so that dry runs are like others. Thread-safe.
 */
final class Admission {
    private static final int FORBIDDEN = 403;
    private static final int UNPROCESSABLE = 422;
    private static final ObjectMapper MODELS = ModelMapper.ofRequests();

    private final DialectSet dialects;
    private final String schedulerName;
    private final GrantGuard guard;

    /**
     * Creates the rule.
     *
     * @param guard which accounts may write grants
     * @param schedulerName the scheduler of pods that name none
     */
    Admission(DialectSet dialects, String schedulerName, GrantGuard guard) {
        this.guard = guard;
        this.dialects = dialects;
        this.schedulerName = schedulerName;
    }

    /**
     * Returns the answer to a review.
     *
     * @throws HttpProblem with status 400 if it is no review of this version
     */
    ObjectNode review(JsonNode review) {
        if (!"admission.k8s.io/v1".equals(review.path("apiVersion").asText())
                || !"AdmissionReview".equals(review.path("kind").asText())) {
            throw HttpProblem.badRequest("must be an AdmissionReview of admission.k8s.io/v1, got " + review.path("kind")
                    + " of " + review.path("apiVersion"));
        }
        JsonNode request = review.path("request");
        if (!request.path("uid").isTextual()) {
            throw HttpProblem.badRequest("request.uid must be there");
        }
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode response = answer.putObject("response");
        response.put("uid", request.path("uid").textValue());
        JsonNode admitted = request;
        if (isNewPod(request)) {
            admitted = ((ObjectNode) request.deepCopy()).set("object", decide(request, response));
        } else {
            response.put("allowed", true);
        }
        if (response.path("allowed").asBoolean() && isPod(request)) {
            guard.refusal(admitted).ifPresent(words -> refuse(response, FORBIDDEN, "Forbidden", words));
        }
        return answer;
    }

    private static boolean isNewPod(JsonNode request) {
        return "CREATE".equals(request.path("operation").asText())
                && isPod(request)
                && request.path("subResource").asText().isEmpty();
    }

    private static boolean isPod(JsonNode request) {
        return "Pod".equals(request.path("kind").path("kind").asText())
                && request.path("kind").path("group").asText().isEmpty();
    }

    /** Returns the pod as it is admitted. */
    private JsonNode decide(JsonNode request, ObjectNode response) {
        JsonNode json = request.path("object");
        try {
            if (!json.isObject()) {
                throw new IllegalArgumentException("object must be there");
            }
            Pod pod = MODELS.treeToValue(json, Pod.class);
            name(pod, request);
            PodManifest manifest = ManifestReader.pod(pod);
            NamedDialect named = dialects.ofPod(manifest);
            response.put("allowed", true);
            if (asks(manifest, named)) {
                PodMutation mutation = new PodMutation(pod, json);
                mutation.apply(manifest, named.dialect(), schedulerName);
                write(mutation, response);
                return mutation.patch().at("");
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            refuse(response, String.valueOf(e.getMessage()));
        } catch (JsonProcessingException e) {
            refuse(response, "object: " + e.getOriginalMessage());
        }
        return json;
    }

    /** A pod may come without its name, which is made later, and without its namespace. */
    private static void name(Pod pod, JsonNode request) {
        if (pod.getMetadata() == null) {
            throw new IllegalArgumentException("object.metadata must be there");
        }
        if (pod.getMetadata().getName() == null) {
            String prefix = pod.getMetadata().getGenerateName();
            pod.getMetadata().setName(prefix == null || prefix.isEmpty() ? "unnamed" : prefix + "x");
        }
        if (pod.getMetadata().getNamespace() == null) {
            pod.getMetadata().setNamespace(request.path("namespace").asText("default"));
        }
    }

    private static boolean asks(PodManifest manifest, NamedDialect named) {
        return manifest.containers().stream()
                .anyMatch(container -> named.resources().stream()
                        .anyMatch(name -> container.limits().containsKey(name)
                                || container.requests().containsKey(name)));
    }

    private static void write(PodMutation mutation, ObjectNode response) {
        if (!mutation.patch().operations().isEmpty()) {
            byte[] patch = mutation.patch().operations().toString().getBytes(StandardCharsets.UTF_8);
            response.put("patchType", "JSONPatch")
                    .put("patch", Base64.getEncoder().encodeToString(patch));
        }
        if (!mutation.warnings().isEmpty()) {
            mutation.warnings().forEach(response.putArray("warnings")::add);
        }
    }

    private static void refuse(ObjectNode response, String message) {
        refuse(response, UNPROCESSABLE, "Invalid", message);
    }

    private static void refuse(ObjectNode response, int code, String reason, String message) {
        response.put("allowed", false);
        response.remove(List.of("patch", "patchType", "warnings"));
        response.putObject("status").put("code", code).put("reason", reason).put("message", message);
    }
}
