package io.gpusched.kubernetes.extender;

/** A pod cannot be bound to a node; the message says why. */
final class NoGrantException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoGrantException(String problem) {
        super(problem, null, false, false);
    }
}
