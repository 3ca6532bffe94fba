package io.gpusched.kubernetes.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A request whose body has arrived in full. Not changed after it was made.
 *
 * @param path the path, without the query
 * @param body what was sent with it, empty for none; the receiver does not change it
 * @param headers its headers, by names in lower case; of one that is sent twice the first
 */
public record Request(String path, Buffer body, Map<String, String> headers) {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    /** Copies the headers. */
    public Request {
        headers = Map.copyOf(headers);
    }

    /** Creates a request without headers. */
    public Request(String path, Buffer body) {
        this(path, body, Map.of());
    }

    /** Returns a request with this text in UTF-8; for callers of a handler without a server. */
    public static Request of(String path, String body) {
        return new Request(path, Buffer.buffer(body.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Returns the body as JSON.
     *
     * @throws HttpProblem with status 400 if it is none; the message says where it stops being JSON
     */
    public JsonNode json() {
        try {
            JsonNode root = JSON.readTree(body.getBytes());
            if (root == null || root.isMissingNode()) {
                throw HttpProblem.badRequest("the body must be JSON, but is empty");
            }
            return root;
        } catch (JsonProcessingException e) {
            String where = e.getLocation() == null
                    ? ""
                    : " in line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr();
            throw HttpProblem.badRequest("the body must be JSON" + where + ": " + e.getOriginalMessage());
        } catch (IOException | NumberFormatException e) {
            throw HttpProblem.badRequest("the body must be JSON: " + e.getMessage());
        }
    }
}
