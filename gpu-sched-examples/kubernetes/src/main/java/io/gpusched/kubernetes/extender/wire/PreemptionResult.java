package io.gpusched.kubernetes.extender.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/**
 * The answer to preempt.
 *
 * @param nodes by node name the pods to evict there; a node that is left out is no longer a candidate
 */
public record PreemptionResult(
        @JsonProperty("NodeNameToMetaVictims") Map<String, Victims> nodes) {}
