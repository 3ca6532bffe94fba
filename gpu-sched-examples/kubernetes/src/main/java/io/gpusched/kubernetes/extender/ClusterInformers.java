package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.gpusched.kubernetes.watch.Asking;
import io.gpusched.kubernetes.watch.ClusterWatch;
import io.gpusched.kubernetes.watch.NewestVersion;
import io.gpusched.kubernetes.watch.SlimStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Keeps a mirror of nodes and pods up to date. The API server tells what changed; what changed is not asked for again and again. */
final class ClusterInformers implements AutoCloseable {
    private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
    private final List<NewestVersion> versions = new ArrayList<>();

    private final Asking asking = new Asking();

    private ClusterInformers() {}

    /** Starts to follow, and returns once all that there is has been read; nodes first, so that pods find theirs. */
    static ClusterInformers follow(KubernetesClient client, ClusterMirror mirror) {
        ClusterInformers all = new ClusterInformers();
        all.start(
                client.nodes(),
                Node::new,
                mirror::putNode,
                node -> mirror.removeNode(node.getMetadata().getName()));
        NewestVersion pods = all.start(client.pods().inAnyNamespace(), Pod::new, mirror::putPod, mirror::removePod);
        all.asking.add(() -> pods.ask(client));
        return all;
    }

    /** The mirror keeps what it needs of an object; the informer keeps no second copy. */
    private <T extends HasMetadata> NewestVersion start(
            Informable<T> objects, Supplier<T> empty, Consumer<T> put, Consumer<T> remove) {
        SharedIndexInformer<T> informer = objects.withLimit(ClusterWatch.PAGE).runnableInformer(0);
        informers.add(informer);
        NewestVersion version = new NewestVersion();
        versions.add(version);
        informer.removeNamespaceIndex().itemStore(new SlimStore<>(empty));
        informer.addEventHandler(handler(version, put, remove));
        informer.run();
        return version;
    }

    private static <T extends HasMetadata> ResourceEventHandler<T> handler(
            NewestVersion version, Consumer<T> put, Consumer<T> remove) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                version.added(object);
                put.accept(object);
            }

            @Override
            public void onUpdate(T before, T object) {
                version.updated(before, object);
                put.accept(object);
            }

            @Override
            public void onDelete(T object, boolean lastStateUnknown) {
                version.deleted(object);
                remove.accept(object);
            }

            @Override
            public void onList(String resourceVersion, boolean remainedEmpty) {
                version.listed(resourceVersion);
            }
        };
    }

    /** Returns whether the server has gone back in time, so that the mirror shows what is no more there. */
    boolean hasGoneBack() {
        return versions.stream().anyMatch(NewestVersion::hasGoneBack);
    }

    /** Returns whether everything was read and changes are being told. */
    boolean isFollowing() {
        return informers.stream().allMatch(informer -> informer.hasSynced() && informer.isRunning());
    }

    @Override
    public void close() {
        asking.close();
        informers.forEach(SharedIndexInformer::stop);
    }
}
