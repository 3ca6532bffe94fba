package io.gpusched.kubernetes.watch;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * APIs that a server may come to have only later, as when its custom resource is installed after the scheduler was started. They are
 * asked for again until the server has them. Thread-safe.
 */
final class LaterApis {
    private static final Logger LOG = LoggerFactory.getLogger(LaterApis.class);

    /**
     * An API.
     *
     * @param add called once the server has it
     */
    private record LaterApi(String apiVersion, String kind, Runnable add) {}

    private final KubernetesClient client;
    private final Queue<LaterApi> unserved = new ConcurrentLinkedQueue<>();

    LaterApis(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Calls now if the server has an API, else once it has.
     *
     * @throws KubernetesClientException if the server does not tell
     */
    void whenServed(String apiVersion, String kind, Runnable add) {
        if (isServed(apiVersion, kind)) {
            add.run();
        } else {
            LOG.atInfo()
                    .addKeyValue("api", apiVersion)
                    .addKeyValue("kind", kind)
                    .log("not served, passed over");
            unserved.add(new LaterApi(apiVersion, kind, add));
        }
    }

    /** Asks again for those that the server did not have. */
    void ask() {
        unserved.removeIf(this::addIfServed);
    }

    private boolean addIfServed(LaterApi api) {
        if (!isServed(api.apiVersion(), api.kind())) {
            return false;
        }
        api.add().run();
        LOG.atInfo()
                .addKeyValue("api", api.apiVersion())
                .addKeyValue("kind", api.kind())
                .log("served by now");
        return true;
    }

    private boolean isServed(String apiVersion, String kind) {
        try {
            return client.supports(apiVersion, kind);
        } catch (KubernetesClientException e) {
            if (e.getCode() == 404) {
                return false;
            }
            throw e;
        }
    }
}
