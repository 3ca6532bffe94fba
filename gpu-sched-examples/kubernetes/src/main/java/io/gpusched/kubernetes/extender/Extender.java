package io.gpusched.kubernetes.extender;

import io.gpusched.kubernetes.extender.wire.BindingArguments;
import io.gpusched.kubernetes.extender.wire.FilterArguments;
import io.gpusched.kubernetes.extender.wire.PreemptionArguments;
import io.gpusched.kubernetes.http.Handler;
import io.gpusched.kubernetes.http.Reply;
import io.gpusched.kubernetes.http.Request;
import io.gpusched.kubernetes.http.WebServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * The verbs of a scheduler extender, as HTTP routes. Filter, prioritize and preempt change nothing and may be asked any number
 * of times, of nodes that do not exist too; bind writes. Thread-safe.
 */
final class Extender {
    static final String FILTER = "filter";
    static final String PRIORITIZE = "prioritize";
    static final String PREEMPT = "preempt";
    static final String BIND = "bind";

    /** The path below which the verbs are served. */
    static final String PREFIX = "/scheduler";

    private final FilterVerb filter;
    private final PrioritizeVerb prioritize;
    private final PreemptVerb preempt;
    private final BindVerb bind;
    private final MeterRegistry meters;

    Extender(ClusterMirror mirror, PodApi api, String schedulerName, MeterRegistry meters) {
        this.filter = new FilterVerb(mirror);
        this.prioritize = new PrioritizeVerb(mirror);
        this.preempt = new PreemptVerb(mirror, api);
        this.bind = new BindVerb(mirror, api, schedulerName);
        this.meters = meters;
    }

    /**
     * Adds the verbs to a server.
     *
     * @param check called before each request is answered; throws if none may be
     */
    WebServer.Builder serve(WebServer.Builder server, Runnable check) {
        post(server, FILTER, check, request -> Reply.json(filter.filter(FilterArguments.read(request.json()))));
        post(
                server,
                PRIORITIZE,
                check,
                request -> Reply.json(prioritize.prioritize(FilterArguments.read(request.json()))));
        post(server, PREEMPT, check, request -> Reply.json(preempt.preempt(PreemptionArguments.read(request.json()))));
        post(server, BIND, check, request -> Reply.json(bind.bind(BindingArguments.read(request.json()))));
        return server;
    }

    private void post(WebServer.Builder server, String verb, Runnable check, Handler handler) {
        server.post(PREFIX + "/" + verb, request -> {
            check.run();
            return timed(verb, handler, request);
        });
    }

    private Reply timed(String verb, Handler handler, Request request) {
        Timer.Sample begun = Timer.start(meters);
        boolean answered = false;
        try {
            Reply reply = handler.handle(request);
            answered = true;
            return reply;
        } finally {
            begun.stop(Timer.builder("gpusched_extender_requests")
                    .description("How long requests of kube-scheduler took.")
                    .tag("verb", verb)
                    .tag("outcome", answered ? "answered" : "refused")
                    .register(meters));
        }
    }
}
