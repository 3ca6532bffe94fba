package io.gpusched.examples.kubernetes.extender;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.gpusched.examples.kubernetes.watch.SlimStore;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Keeps a mirror of nodes and pods up to date. The API server tells what changed; nothing is asked again and again. */
final class ClusterInformers implements AutoCloseable {
    private final List<SharedIndexInformer<?>> informers;

    private ClusterInformers(List<SharedIndexInformer<?>> informers) {
        this.informers = informers;
    }

    /** Starts to follow, and returns once all that there is has been read; nodes first, so that pods find theirs. */
    static ClusterInformers follow(KubernetesClient client, ClusterMirror mirror) {
        SharedIndexInformer<Node> nodes = start(
                client.nodes(),
                Node::new,
                handler(
                        mirror::putNode,
                        node -> mirror.removeNode(node.getMetadata().getName())));
        SharedIndexInformer<Pod> pods =
                start(client.pods().inAnyNamespace(), Pod::new, handler(mirror::putPod, mirror::removePod));
        return new ClusterInformers(List.of(nodes, pods));
    }

    /** The mirror keeps what it needs of an object; the informer keeps no second copy. */
    private static <T extends HasMetadata> SharedIndexInformer<T> start(
            Informable<T> objects, Supplier<T> empty, ResourceEventHandler<T> handler) {
        SharedIndexInformer<T> informer = objects.runnableInformer(0);
        informer.removeNamespaceIndex().itemStore(new SlimStore<>(empty));
        informer.addEventHandler(handler);
        informer.run();
        return informer;
    }

    private static <T> ResourceEventHandler<T> handler(Consumer<T> put, Consumer<T> remove) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                put.accept(object);
            }

            @Override
            public void onUpdate(T before, T object) {
                put.accept(object);
            }

            @Override
            public void onDelete(T object, boolean lastStateUnknown) {
                remove.accept(object);
            }
        };
    }

    /** Returns whether everything was read and changes are being told. */
    boolean isFollowing() {
        return informers.stream().allMatch(informer -> informer.hasSynced() && informer.isRunning());
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::stop);
    }
}
