package io.gpusched.kubernetes.extender.wire;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The answer to bind.
 *
 * @param error why the pod was not bound, empty if it was
 */
public record BindingResult(@JsonProperty("Error") String error) {
    public static final BindingResult BOUND = new BindingResult("");
}
