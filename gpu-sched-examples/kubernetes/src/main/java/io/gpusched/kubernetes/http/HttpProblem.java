package io.gpusched.kubernetes.http;

/** What a client did wrong, or why it cannot be served now: the status, and a message that is sent to the client. */
public final class HttpProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * Creates the exception.
     *
     * @param status the HTTP status, 400..599
     * @param message what is wrong, for the client
     */
    public HttpProblem(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /** Returns a problem of status 400: the request cannot be understood. */
    public static HttpProblem badRequest(String message) {
        return new HttpProblem(400, message);
    }

    /** Returns the status. */
    public int status() {
        return status;
    }

    /** Returns the answer that says so. */
    public Reply reply() {
        return Reply.text(status, getMessage() + "\n");
    }
}
