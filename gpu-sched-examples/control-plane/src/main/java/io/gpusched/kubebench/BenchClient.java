package io.gpusched.kubebench;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Creates and deletes the objects of a benchmark, many at one time; answers are not decoded. Thread-safe. */
final class BenchClient {
    private static final String GROUPS =
            "/apis/scheduling.k8s.io/v1beta1/namespaces/" + BenchObjects.NAMESPACE + "/podgroups";
    private static final String PODS = "/api/v1/namespaces/" + BenchObjects.NAMESPACE + "/pods";
    private static final String DEVICES = "/apis/resource.k8s.io/v1/";
    private static final String SLICES = DEVICES + "resourceslices";
    private static final String CLAIMS = DEVICES + "namespaces/" + BenchObjects.NAMESPACE + "/resourceclaims";
    private static final Map<String, Object> AT_ONCE =
            Map.of("apiVersion", "v1", "kind", "DeleteOptions", "gracePeriodSeconds", 0);
    private static final int CONFLICT = 409;
    private static final int GONE = 404;

    private final KubernetesClient client;
    private final BenchSettings settings;

    BenchClient(KubernetesClient client, BenchSettings settings) {
        this.client = client;
        this.settings = settings;
    }

    /** Creates namespace, classes and nodes with their GPUs, and takes away the taint that the API server gives each new node. */
    void createNodes(BenchShape.Offer offer) throws InterruptedException {
        post(
                "/api/v1/namespaces",
                Map.of(
                        "apiVersion", "v1",
                        "kind", "Namespace",
                        "metadata", Map.of("name", BenchObjects.NAMESPACE)));
        BenchDevices.classes().forEach(one -> post(DEVICES + "deviceclasses", one));
        each(settings.nodes(), index -> {
            String name = BenchObjects.nodeName(index);
            if (offer != BenchShape.Offer.COUNTED) {
                BenchDevices.slices(name, settings.gpusPerNode(), offer).forEach(slice -> post(SLICES, slice));
            }
            post("/api/v1/nodes", BenchObjects.node(index, settings, offer));
            client.nodes().withName(name).patch("{\"spec\":{\"taints\":null}}");
        });
    }

    void deleteNodes() {
        delete("/api/v1/nodes");
        delete(SLICES);
    }

    /** Creates what the pods of a shape name: their groups or their claims. */
    void createNamed(String prefix, BenchShape shape) throws InterruptedException {
        if (shape.isGrouped()) {
            each(
                    shape.groups(),
                    index -> post(GROUPS, BenchObjects.group(BenchObjects.groupName(prefix, index), shape)));
        }
        if (shape.offer() != BenchShape.Offer.COUNTED) {
            each(shape.pods(), index -> post(CLAIMS, BenchDevices.claim(prefix + index, index, shape)));
        }
    }

    void createPods(String prefix, BenchShape shape, String schedulerName) throws InterruptedException {
        each(shape.pods(), index -> post(PODS, BenchObjects.pod(prefix, index, shape, schedulerName)));
    }

    void deletePods(String prefix, BenchShape shape) throws InterruptedException {
        each(shape.pods(), index -> delete(PODS + "/" + prefix + index));
    }

    void deleteNamed(String prefix, BenchShape shape) throws InterruptedException {
        if (shape.isGrouped()) {
            each(shape.groups(), index -> delete(GROUPS + "/" + BenchObjects.groupName(prefix, index)));
        }
        if (shape.offer() != BenchShape.Offer.COUNTED) {
            each(shape.pods(), index -> deleteClaim(prefix + index));
        }
    }

    /** An allocated claim has a finalizer, and the controller that takes it away does not run. */
    private void deleteClaim(String name) {
        client.genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
                .inNamespace(BenchObjects.NAMESPACE)
                .withName(name)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
        delete(CLAIMS + "/" + name);
    }

    private void post(String path, Object body) {
        try {
            client.raw(path, "POST", client.getKubernetesSerialization().asJson(body));
        } catch (KubernetesClientException e) {
            if (e.getCode() != CONFLICT) {
                throw e;
            }
        }
    }

    private void delete(String path) {
        try {
            client.raw(path, "DELETE", client.getKubernetesSerialization().asJson(AT_ONCE));
        } catch (KubernetesClientException e) {
            if (e.getCode() != GONE) {
                throw e;
            }
        }
    }

    /** Does a piece of work for each index below a count, nearly in their order. */
    private void each(int count, IntConsumer work) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(settings.clients());
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < settings.clients(); i++) {
                workers.add(threads.submit(() -> {
                    for (int index = next.getAndIncrement(); index < count; index = next.getAndIncrement()) {
                        work.accept(index);
                    }
                }));
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}
