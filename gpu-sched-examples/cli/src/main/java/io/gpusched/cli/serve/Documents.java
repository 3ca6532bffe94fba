package io.gpusched.cli.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.json.JsonFormatException;
import io.gpusched.kubernetes.http.Handler;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.kubernetes.http.Reply;
import io.gpusched.model.PlacementConflictException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Answers in JSON, problems too: {@code {"error": "...", "at": "pod.spec.containers[0].gpu"}}. */
final class Documents {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Documents() {}

    /** Returns a handler of an operation that takes a JSON object. */
    static Handler taking(Function<JsonNode, Object> operation) {
        return answering(request -> {
            JsonNode body = request.json();
            if (!body.isObject()) {
                throw HttpProblem.badRequest("the body must be an object, got " + body.getNodeType());
            }
            return operation.apply(body);
        });
    }

    /** Returns a handler whose value or text is JSON, and whose problems are. */
    static Handler answering(Function<io.gpusched.kubernetes.http.Request, Object> operation) {
        return request -> {
            try {
                Object answer = operation.apply(request);
                return answer instanceof String text ? Reply.of("application/json", text) : Reply.json(answer);
            } catch (HttpProblem e) {
                return problem(e.status(), String.valueOf(e.getMessage()), "");
            } catch (JsonFormatException e) {
                return problem(400, String.valueOf(e.getMessage()), e.path());
            } catch (PlacementConflictException e) {
                return problem(409, String.valueOf(e.getMessage()), "");
            } catch (IllegalArgumentException e) {
                return problem(400, String.valueOf(e.getMessage()), "");
            }
        };
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
