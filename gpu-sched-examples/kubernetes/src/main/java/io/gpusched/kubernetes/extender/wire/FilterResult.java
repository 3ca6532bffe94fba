package io.gpusched.kubernetes.extender.wire;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to filter.
 *
 * @param nodes the nodes that fit, as they were sent; null where names were sent
 * @param nodeNames the names of the nodes that fit; null where nodes were sent
 * @param failedNodes why the others do not fit, where pods that leave could help
 * @param failedAndUnresolvableNodes why the others do not fit, where no eviction could help
 * @param error empty; a problem of this extender
 */
public record FilterResult(
        @JsonProperty("Nodes") @Nullable NodeList nodes,
        @JsonProperty("NodeNames") @Nullable List<String> nodeNames,
        @JsonProperty("FailedNodes") Map<String, String> failedNodes,
        @JsonProperty("FailedAndUnresolvableNodes") Map<String, String> failedAndUnresolvableNodes,
        @JsonProperty("Error") String error) {
    /** Nodes as they were sent. */
    public record NodeList(@JsonProperty("items") List<JsonNode> items) {}
}
