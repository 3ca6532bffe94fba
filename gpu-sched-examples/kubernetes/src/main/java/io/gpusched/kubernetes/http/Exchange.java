package io.gpusched.kubernetes.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * One request on its way in and its reply on the way out. Used by its event loop alone, but for the sum of all bodies.
 *
 * <p>A request that is refused before its body has arrived is answered at once. What the client still sends is dropped for
 * a while before the connection is closed: a connection closed while a client writes loses the answer.
 */
final class Exchange {
    /** How long a refused client may go on sending. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final HttpServerRequest request;
    private final Client client;
    private final HttpLimits limits;
    private final AtomicLong heldTogether;
    private final Buffer body = Buffer.buffer();
    private long held;
    private boolean answered;
    private boolean arrived;

    Exchange(HttpServerRequest request, Client client, HttpLimits limits, AtomicLong heldTogether) {
        this.request = request;
        this.client = client;
        this.limits = limits;
        this.heldTogether = heldTogether;
    }

    /** Receives the body, and hands the whole request on when it is complete and within the limits. */
    void receive(Consumer<Request> complete) {
        client.deadline(limits.arrival(), this::tooSlow);
        request.exceptionHandler(broken -> letGo());
        request.handler(this::add);
        request.endHandler(nothing -> {
            arrived = true;
            client.noDeadline();
            if (!answered) {
                complete.accept(new Request(request.path(), body));
            }
        });
        String declared = request.getHeader("Content-Length");
        if (declared != null && isTooLong(declared)) {
            refuse(tooLong());
        } else if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
            request.response().writeContinue();
        }
    }

    private boolean isTooLong(String declared) {
        return declared.length() > 10 || Long.parseLong(declared) > limits.bodyBytes();
    }

    private void add(Buffer chunk) {
        if (answered) {
            return;
        }
        if (body.length() + (long) chunk.length() > limits.bodyBytes()) {
            refuse(tooLong());
        } else if (heldTogether.addAndGet(chunk.length()) > limits.bodyBytesTogether()) {
            heldTogether.addAndGet(-chunk.length());
            refuse(new HttpProblem(503, "too much is being sent at one time; try again"));
        } else {
            held += chunk.length();
            body.appendBuffer(chunk);
        }
    }

    private HttpProblem tooLong() {
        return new HttpProblem(413, "a body may be " + limits.bodyBytes() + " bytes long at most");
    }

    private void tooSlow() {
        refuse(new HttpProblem(
                408, "the request did not arrive within " + limits.arrival().toMillis() + " ms"));
    }

    /** Says what is wrong, and ends the connection. */
    void refuse(HttpProblem problem) {
        if (answered) {
            client.close();
            return;
        }
        send(problem.reply(), true);
    }

    /** Sends the answer; the connection stays open for the next request. */
    void reply(Reply reply, boolean last) {
        if (!answered) {
            send(reply, last);
        }
    }

    private void send(Reply reply, boolean last) {
        answered = true;
        letGo();
        HttpServerResponse response = request.response();
        if (response.closed()) {
            return;
        }
        client.closeAfter(limits.arrival());
        response.setStatusCode(reply.status()).putHeader("Content-Type", reply.contentType());
        if (last) {
            response.putHeader("Connection", "close");
        }
        response.end(reply.body()).onComplete(sent -> afterReply(last || sent.failed()));
    }

    private void afterReply(boolean last) {
        if (!last) {
            client.closeAfter(limits.idle());
        } else if (arrived) {
            client.close();
        } else {
            client.closeAfter(LINGER);
        }
    }

    private void letGo() {
        heldTogether.addAndGet(-held);
        held = 0;
    }
}
