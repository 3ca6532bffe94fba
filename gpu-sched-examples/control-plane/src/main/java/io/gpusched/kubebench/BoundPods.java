package io.gpusched.kubebench;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.gpusched.controlplane.RunningProgram;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Watches pods become bound: one message of the API server for each. Thread-safe. */
final class BoundPods implements AutoCloseable {
    private final String prefix;
    private final Set<String> names = new HashSet<>();
    private final SharedIndexInformer<Pod> informer;
    private long lastNanos = System.nanoTime();

    private BoundPods(KubernetesClient client, String prefix) {
        this.prefix = prefix;
        this.informer = client.pods()
                .inNamespace(BenchObjects.NAMESPACE)
                .withoutField("spec.nodeName", "")
                .inform(new ResourceEventHandler<Pod>() {
                    @Override
                    public void onAdd(Pod pod) {
                        bound(pod.getMetadata().getName());
                    }

                    @Override
                    public void onUpdate(Pod before, Pod pod) {
                        bound(pod.getMetadata().getName());
                    }

                    @Override
                    public void onDelete(Pod pod, boolean unknown) {
                        // Nothing is deleted before the end of a measurement.
                    }
                });
    }

    /** Starts to watch the pods whose names start like this. */
    static BoundPods watch(KubernetesClient client, String prefix) {
        return new BoundPods(client, prefix);
    }

    private synchronized void bound(String name) {
        if (name.startsWith(prefix) && names.add(name)) {
            lastNanos = System.nanoTime();
            notifyAll();
        }
    }

    /** Waits until so many are bound, for this long at most and as long as the scheduler runs; returns how many are. */
    synchronized int await(int count, Duration patience, RunningProgram scheduler) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (names.size() < count && System.nanoTime() < end && scheduler.isAlive()) {
            TimeUnit.MILLISECONDS.timedWait(this, 500);
        }
        return names.size();
    }

    /** Returns when the last one was seen to be bound, by {@link System#nanoTime}. */
    synchronized long lastNanos() {
        return lastNanos;
    }

    @Override
    public void close() {
        informer.close();
    }
}
