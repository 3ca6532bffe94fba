package io.gpusched.kubernetes.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.Map;

/**
 * An answer to a request.
 *
 * @param status the HTTP status, 200..599
 * @param contentType the media type of the body
 * @param body the body
 * @param headers further headers
 */
public record Reply(int status, String contentType, Buffer body, Map<String, String> headers) {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Copies the headers and checks the status. */
    public Reply {
        headers = Map.copyOf(headers);
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("reply: status must be in 200..599, got " + status);
        }
    }

    /** Creates an answer without further headers, with the same check. */
    public Reply(int status, String contentType, Buffer body) {
        this(status, contentType, body, Map.of());
    }

    /** Returns this answer with one more header; a value that it has already is replaced. */
    public Reply withHeader(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new Reply(status, contentType, body, more);
    }

    /** Returns status 200 with a plain text. */
    public static Reply text(String text) {
        return text(200, text);
    }

    /** Returns this status with a plain text. */
    public static Reply text(int status, String text) {
        return new Reply(status, TEXT, Buffer.buffer(text));
    }

    /** Returns status 200 with a text of this media type. */
    public static Reply of(String contentType, String text) {
        return new Reply(200, contentType, Buffer.buffer(text));
    }

    /** Returns status 200 with a value as Jackson writes it in JSON: a tree, a map, a record, one of fabric8's models. */
    public static Reply json(Object value) {
        return json(200, value);
    }

    /** Returns this status with a value as Jackson writes it in JSON. */
    public static Reply json(int status, Object value) {
        try {
            return new Reply(status, "application/json", Buffer.buffer(JSON.writeValueAsBytes(value)));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("reply: cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }
}
