package io.gpusched.examples.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * Pods to evict from a node.
 *
 * @param pods the pods by their identity
 * @param numPdbViolations how many of them a disruption budget protects
 */
record Victims(
        @JsonProperty("Pods") List<MetaPod> pods,
        @JsonProperty("NumPDBViolations") long numPdbViolations) {
    /** A pod by its identity. */
    record MetaPod(@JsonProperty("UID") String uid) {}

    Victims {
        pods = List.copyOf(pods);
    }

    static Victims of(List<String> uids, long violations) {
        return new Victims(uids.stream().map(MetaPod::new).toList(), violations);
    }

    List<String> uids() {
        return pods.stream().map(MetaPod::uid).toList();
    }
}
