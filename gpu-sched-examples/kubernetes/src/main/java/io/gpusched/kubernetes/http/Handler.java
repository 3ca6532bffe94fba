package io.gpusched.kubernetes.http;

/**
 * Answers the requests of one route. It is called by several threads at once, and none of them serves the network, so it may
 * take its time.
 */
@FunctionalInterface
public interface Handler {
    /**
     * Returns the answer.
     *
     * @throws HttpProblem if the client is to be told what is wrong; anything else thrown is logged, and the client gets a
     *     status 500
     */
    Reply handle(Request request);
}
