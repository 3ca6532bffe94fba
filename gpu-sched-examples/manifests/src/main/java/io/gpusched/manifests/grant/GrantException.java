package io.gpusched.manifests.grant;

/** A grant that cannot be read; the message says what is wrong with it. */
public final class GrantException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public GrantException(String problem) {
        super(problem);
    }
}
