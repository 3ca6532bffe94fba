package io.gpusched.kubernetes.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;

/**
 * An answer to a request.
 *
 * @param status the HTTP status, 200..599
 * @param contentType the media type of the body
 * @param body the body
 */
public record Reply(int status, String contentType, Buffer body) {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Checks the status. */
    public Reply {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("reply: status must be in 200..599, got " + status);
        }
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
