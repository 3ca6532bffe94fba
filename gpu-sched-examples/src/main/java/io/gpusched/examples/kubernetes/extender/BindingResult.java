package io.gpusched.examples.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The answer to bind.
 *
 * @param error why the pod was not bound, empty if it was
 */
record BindingResult(@JsonProperty("Error") String error) {
    static final BindingResult BOUND = new BindingResult("");
}
