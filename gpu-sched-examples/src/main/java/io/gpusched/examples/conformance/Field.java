package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A value somewhere in a case, which knows where it is: whatever is missing or of the wrong type is a
 * {@link MalformedVectorException} that names file, case and field.
 *
 * @param file the file
 * @param caseId the case
 * @param path where in the case, such as {@code given.gpus[1]}
 * @param json the value; a {@link MissingNode} where there is none
 */
public record Field(String file, String caseId, String path, JsonNode json) {
    /** Returns whether there is a value that is not null. */
    public boolean isPresent() {
        return !json.isMissingNode() && !json.isNull();
    }

    /** Returns a member, which may be absent. */
    public Field at(String name) {
        return child("." + name, json.path(name));
    }

    /** Returns whether this is an object with such a member, null included. */
    public boolean has(String name) {
        return json.has(name);
    }

    /** Returns a member that must be there and not null. */
    public Field need(String name) {
        Field member = at(name);
        if (!member.isPresent()) {
            throw member.malformed("must be there");
        }
        return member;
    }

    /** Returns the elements of a list. */
    public List<Field> list() {
        if (!json.isArray()) {
            throw malformed("must be a list");
        }
        List<Field> fields = new ArrayList<>(json.size());
        for (int i = 0; i < json.size(); i++) {
            fields.add(child("[" + i + "]", json.get(i)));
        }
        return fields;
    }

    /** Returns the elements of a list, or none where the list is absent. */
    public List<Field> listOrEmpty() {
        return isPresent() ? list() : List.of();
    }

    /** Returns the members of an object in their order, or none where it is absent. */
    public Map<String, Field> members() {
        Map<String, Field> fields = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> member : json.properties()) {
            fields.put(member.getKey(), child("." + member.getKey(), member.getValue()));
        }
        return fields;
    }

    /** Returns a text. */
    public String text() {
        if (!json.isTextual()) {
            throw malformed("must be a text");
        }
        return json.textValue();
    }

    /** Returns a text, or this one where there is none. */
    public String textOr(String absent) {
        return isPresent() ? text() : absent;
    }

    /** Returns a text, a number or a truth value as a text. */
    public String scalar() {
        if (!json.isValueNode() || !isPresent()) {
            throw malformed("must be a text or a number");
        }
        return json.asText();
    }

    /** Returns a whole number. */
    public long number() {
        if (!json.isIntegralNumber() || !json.canConvertToLong()) {
            throw malformed("must be a whole number");
        }
        return json.longValue();
    }

    /** Returns a whole number, or this one where there is none. */
    public long numberOr(long absent) {
        return isPresent() ? number() : absent;
    }

    /** Returns a whole number in the range of {@code int}. */
    public int integer() {
        if (!json.isIntegralNumber() || !json.canConvertToInt()) {
            throw malformed("must be a whole number");
        }
        return json.intValue();
    }

    /** Returns a whole number in the range of {@code int}, or this one where there is none. */
    public int integerOr(int absent) {
        return isPresent() ? integer() : absent;
    }

    /** Returns a number. */
    public double decimal() {
        if (!json.isNumber()) {
            throw malformed("must be a number");
        }
        return json.doubleValue();
    }

    /** Returns a truth value, or this one where there is none. */
    public boolean isTrueOr(boolean absent) {
        if (!isPresent()) {
            return absent;
        }
        if (!json.isBoolean()) {
            throw malformed("must be true or false");
        }
        return json.booleanValue();
    }

    /** Returns this field, or nothing where there is no value. */
    public Optional<Field> optional() {
        return isPresent() ? Optional.of(this) : Optional.empty();
    }

    /** Returns the exception that this field is not as it must be. */
    public MalformedVectorException malformed(String problem) {
        String value = json.isMissingNode() ? "" : ", got " + json;
        return new MalformedVectorException(file, caseId, path, problem + value);
    }

    private Field child(String step, JsonNode value) {
        return new Field(file, caseId, path + step, value);
    }
}
