package io.gpusched.kubernetes.extender.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * Pods to evict from a node.
 *
 * @param pods the pods by their identity
 * @param numPdbViolations how many of them a disruption budget protects
 */
public record Victims(
        @JsonProperty("Pods") List<MetaPod> pods,
        @JsonProperty("NumPDBViolations") long numPdbViolations) {
    /** A pod by its identity. */
    public record MetaPod(@JsonProperty("UID") String uid) {}

    /** Copies the list. */
    public Victims {
        pods = List.copyOf(pods);
    }

    /** Returns victims by their identities. */
    public static Victims of(List<String> uids, long violations) {
        return new Victims(uids.stream().map(MetaPod::new).toList(), violations);
    }

    /** Returns their identities. */
    public List<String> uids() {
        return pods.stream().map(MetaPod::uid).toList();
    }
}
