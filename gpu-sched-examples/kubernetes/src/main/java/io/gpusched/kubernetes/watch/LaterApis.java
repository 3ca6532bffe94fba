package io.gpusched.kubernetes.watch;

import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.gpusched.kubernetes.write.Answers;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * APIs that a server may come to have only later, as when its custom resource is installed after the scheduler was started, or that
 * the scheduler's account may not list: its rights say which vocabularies are read. They are asked for again until they can be read.
 * Thread-safe.
 */
final class LaterApis {
    private static final Logger LOG = LoggerFactory.getLogger(LaterApis.class);
    private static final int MOST_ATTEMPTS = 5;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * An API.
     *
     * @param kind how its objects are found
     * @param isChosenByRights whether it is passed over as long as its objects may not be listed
     * @param add called once they can be read
     */
    private record LaterApi(ResourceDefinitionContext kind, boolean isChosenByRights, Runnable add) {
        String apiVersion() {
            return kind.getGroup() + "/" + kind.getVersion();
        }
    }

    private final KubernetesClient client;
    private final Queue<LaterApi> unread = new ConcurrentLinkedQueue<>();

    LaterApis(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Calls now if the server has an API, else once it has.
     *
     * @throws KubernetesClientException if the server does not tell
     */
    void whenServed(ResourceDefinitionContext kind, Runnable add) {
        when(new LaterApi(kind, false, add));
    }

    /**
     * Calls now if the server has an API and lets its objects be listed, else once it does.
     *
     * @throws KubernetesClientException if the server does not tell
     */
    void whenReadable(ResourceDefinitionContext kind, Runnable add) {
        when(new LaterApi(kind, true, add));
    }

    private void when(LaterApi api) {
        boolean isServed = answered(() -> isServed(api));
        if (isServed && answered(() -> mayList(api))) {
            api.add().run();
            return;
        }
        LOG.atInfo()
                .addKeyValue("api", api.apiVersion())
                .addKeyValue("kind", api.kind().getKind())
                .log(isServed ? "may not be listed, passed over" : "not served, passed over");
        unread.add(api);
    }

    /** Of the requests of a start one may fail: a server that has much to do would else hardly let a scheduler begin. */
    private static boolean answered(BooleanSupplier question) {
        for (int attempt = 1; ; attempt++) {
            try {
                return question.getAsBoolean();
            } catch (KubernetesClientException e) {
                if (attempt == MOST_ATTEMPTS || !Answers.isPassing(e)) {
                    throw e;
                }
                LockSupport.parkNanos(attempt * PAUSE_NANOS);
            }
        }
    }

    /** Asks again for kinds that could not be read. */
    void ask() {
        unread.removeIf(this::addIfReadable);
    }

    private boolean addIfReadable(LaterApi api) {
        if (!isServed(api) || !mayList(api)) {
            return false;
        }
        api.add().run();
        LOG.atInfo()
                .addKeyValue("api", api.apiVersion())
                .addKeyValue("kind", api.kind().getKind())
                .log("read by now");
        return true;
    }

    private boolean isServed(LaterApi api) {
        try {
            return client.supports(api.apiVersion(), api.kind().getKind());
        } catch (KubernetesClientException e) {
            if (e.getCode() == 404) {
                return false;
            }
            throw e;
        }
    }

    private boolean mayList(LaterApi api) {
        if (!api.isChosenByRights()) {
            return true;
        }
        SelfSubjectAccessReview review = client.resource(new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withNewResourceAttributes()
                        .withGroup(api.kind().getGroup())
                        .withResource(api.kind().getPlural())
                        .withVerb("list")
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .create();
        return review.getStatus() == null
                || Boolean.TRUE.equals(review.getStatus().getAllowed());
    }
}
