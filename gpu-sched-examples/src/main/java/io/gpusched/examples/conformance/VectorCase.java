package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One case of a vector file.
 *
 * @param file the file as it was named
 * @param id the case's name
 * @param system whose expectation it is, such as {@code nano-gpu}
 * @param kind what is asked, such as {@code choose-one-container}
 * @param advice {@code match}, {@code optional} (need not be copied) or {@code avoid} (a documented defect)
 * @param body the whole case
 */
public record VectorCase(String file, String id, String system, String kind, String advice, JsonNode body) {
    /** Returns what is there when the case starts; may be absent. */
    public Field given() {
        return field("given");
    }

    /** Returns what is asked; may be absent. */
    public Field request() {
        return field("request");
    }

    /** Returns what the system answers. */
    public Field expect() {
        return field("expect");
    }

    /** Returns this case with another expectation. */
    public VectorCase expecting(JsonNode expected) {
        ObjectNode other = body.deepCopy();
        other.set("expect", expected);
        return new VectorCase(file, id, system, kind, advice, other);
    }

    /** Returns whether a compatible implementation must give the expected answer. */
    public boolean mustMatch() {
        return advice.equals("match");
    }

    /** Returns whether the case documents a defect that is better not copied. */
    public boolean isDefect() {
        return advice.equals("avoid");
    }

    /** Returns a member of the case, which may be absent. */
    public Field field(String name) {
        return new Field(file, id, name, body.path(name));
    }

    /** Returns the exception that a field of the case is not as it must be. */
    public MalformedVectorException malformed(String field, String problem) {
        return new MalformedVectorException(file, id, field, problem);
    }
}
