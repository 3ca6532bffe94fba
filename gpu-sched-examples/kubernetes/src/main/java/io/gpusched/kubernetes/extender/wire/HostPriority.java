package io.gpusched.kubernetes.extender.wire;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * How good a node is, in the answer to prioritize.
 *
 * @param host the node's name
 * @param score {@value #WORST}..{@value #BEST}; kube-scheduler multiplies it by ten times the extender's weight and does not
 *     check it
 */
public record HostPriority(
        @JsonProperty("Host") String host,
        @JsonProperty("Score") long score) {
    public static final long WORST = 0;
    public static final long BEST = 10;

    public HostPriority {
        if (score < WORST || score > BEST) {
            throw new IllegalArgumentException("node \"" + host + "\": score must be in 0..10, got " + score);
        }
    }
}
