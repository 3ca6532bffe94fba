package io.gpusched.conformance;

import io.gpusched.manifests.yaml.YamlNode;

/**
 * One case of a vector file.
 *
 * @param id the case's name
 * @param system whose expectation it is, such as {@code nano-gpu}
 * @param kind what is asked, such as {@code choose-one-container}
 * @param advice {@code match}, {@code optional} (need not be copied) or {@code avoid} (a documented defect)
 * @param body the whole case
 */
public record VectorCase(String id, String system, String kind, String advice, YamlNode body) {
    /** Returns what is there when the case starts; may be absent. */
    public YamlNode given() {
        return field("given");
    }

    /** Returns what is asked; may be absent. */
    public YamlNode request() {
        return field("request");
    }

    /** Returns what the system answers. */
    public YamlNode expect() {
        return field("expect");
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
    public YamlNode field(String name) {
        return body.at(name);
    }
}
