package io.gpusched.kubernetes.process;

import io.gpusched.kubernetes.http.Reply;
import io.gpusched.kubernetes.http.Request;
import io.gpusched.kubernetes.http.WebServer;
import io.gpusched.kubernetes.write.PendingWords;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.view.SetAside;
import io.gpusched.model.PodId;
import io.gpusched.pages.LivePage;
import io.gpusched.pages.LiveReport;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** The live page of a scheduler and its data, made from what was published last. Thread-safe. */
final class LiveView {
    private static final int MOST_PENDING = 200;
    private static final int MOST_CAUSES = 20;

    private final String schedulerName;
    private final Supplier<String> state;
    private final Supplier<View> view;
    private final Supplier<List<PendingWords>> pending;
    private final String html = LivePage.html();

    /**
     * Creates it.
     *
     * @param state asked for each answer, as {@link LiveReport#state} is
     * @param view asked for each answer
     * @param pending asked for each answer
     * @throws IOException if the page is missing in the jar
     */
    LiveView(String schedulerName, Supplier<String> state, Supplier<View> view, Supplier<List<PendingWords>> pending)
            throws IOException {
        this.schedulerName = schedulerName;
        this.state = state;
        this.view = view;
        this.pending = pending;
    }

    WebServer.Builder serve(WebServer.Builder server) {
        return server.get("/", this::page).get("/" + LivePage.DATA, this::data);
    }

    private Reply page(Request request) {
        return Reply.of("text/html; charset=utf-8", html);
    }

    private Reply data(Request request) {
        View now = view.get();
        return Reply.json(LiveReport.of(
                schedulerName,
                state.get(),
                now.cluster(),
                causes(now),
                new LiveReport.Queue(now.ready(), now.delayed(), now.parked(), now.binding()),
                pending(pending.get()),
                MOST_PENDING));
    }

    private static List<String> causes(View now) {
        return now.setAside().stream().limit(MOST_CAUSES).map(SetAside::words).toList();
    }

    /** Pods of a group together, by what was said of the first of them. */
    private static List<LiveReport.Pending> pending(List<PendingWords> pods) {
        Map<Object, LiveReport.Pending> rows = new LinkedHashMap<>();
        for (PendingWords pod : pods) {
            Object unit =
                    pod.pod().group().<Object>map(key -> key).orElse(pod.pod().id());
            rows.merge(
                    unit,
                    row(unit, pod),
                    (one, other) -> new LiveReport.Pending(
                            one.name(), one.pods() + 1, one.group(), one.reason(), one.message()));
        }
        return List.copyOf(rows.values());
    }

    private static LiveReport.Pending row(Object unit, PendingWords pod) {
        PodId id = pod.pod().id();
        return new LiveReport.Pending(
                unit instanceof GroupKey key ? key.toString() : id.namespace() + "/" + id.name(),
                1,
                unit instanceof GroupKey,
                pod.reason().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                pod.message());
    }
}
