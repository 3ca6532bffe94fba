package io.gpusched.cli.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.json.JsonFormat;
import io.gpusched.json.JsonFormatException;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.kubernetes.http.Reply;
import io.gpusched.kubernetes.http.Request;
import io.gpusched.model.PlacementConflictException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Requests and answers in JSON, problems too: {@code {"error": "...", "at": "pod.spec.containers[0].gpu"}}. */
final class Documents {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VERSION = "version";

    /** Tables of shared parts, which any document may have beside its value. */
    private static final Set<String> TABLES = JsonFormat.tables();

    private Documents() {}

    /**
     * Returns the JSON object of a request.
     *
     * @param fields what it may have beside version and tables
     */
    static JsonNode object(Request request, List<String> fields) {
        JsonNode body = request.json();
        if (!body.isObject()) {
            throw HttpProblem.badRequest("the body must be an object, got " + body.getNodeType());
        }
        body.fieldNames().forEachRemaining(name -> {
            if (!fields.contains(name) && !name.equals(VERSION) && !TABLES.contains(name)) {
                throw HttpProblem.badRequest("there is no field \"" + name + "\" at " + request.path() + "; there is "
                        + String.join(", ", fields) + ", " + VERSION);
            }
        });
        JsonNode version = body.path(VERSION);
        if (!version.isMissingNode() && (!version.isIntegralNumber() || version.longValue() != JsonFormat.VERSION)) {
            throw HttpProblem.badRequest(VERSION + " must be " + JsonFormat.VERSION + ", got " + version);
        }
        if (body.has("pod") && body.has("group")) {
            throw HttpProblem.badRequest("the body must have one of pod and group, got both");
        }
        return body;
    }

    /** Returns a value or text as JSON, or the problem that it ran into. */
    static Reply answer(Supplier<Object> operation) {
        try {
            Object answer = operation.get();
            return answer instanceof String text ? Reply.of("application/json", text) : Reply.json(answer);
        } catch (HttpProblem e) {
            return problem(e);
        } catch (JsonFormatException e) {
            return problem(400, String.valueOf(e.getMessage()), e.path());
        } catch (PlacementConflictException e) {
            return problem(409, String.valueOf(e.getMessage()), "");
        } catch (IllegalArgumentException e) {
            return problem(400, String.valueOf(e.getMessage()), "");
        }
    }

    /** Returns the answer to a request that cannot be served. */
    static Reply problem(HttpProblem problem) {
        return problem(problem.status(), String.valueOf(problem.getMessage()), "");
    }

    private static Reply problem(int status, String message, String at) {
        Map<String, String> problem = new LinkedHashMap<>();
        problem.put("error", message);
        if (!at.isEmpty()) {
            problem.put("at", at);
        }
        return Reply.json(status, problem);
    }

    /** Returns what a document holds under a name. */
    static JsonNode tree(String document, String name) {
        try {
            return JSON.readTree(document).path(name);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
