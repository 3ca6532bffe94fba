package io.gpusched.kubernetes.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.group.HyperNodes;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Informers for all that decisions depend on. They list in pages, which the server reads from the majority of etcd: a list without
 * pages may be older than what the leader before has written. Group APIs that the server does not have, or does not let this
 * account list, are passed over with one line in the log, and asked for again from time to time.
 */
public final class ClusterWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

    /** How many objects a list has on a page. */
    public static final long PAGE = 1_000;

    private static final ResourceDefinitionContext HYPER_NODES = new ResourceDefinitionContext.Builder()
            .withGroup(HyperNodes.API_GROUP)
            .withVersion(HyperNodes.VERSION)
            .withKind("HyperNode")
            .withPlural("hypernodes")
            .withNamespaced(false)
            .build();

    /** What there is of dynamic resource allocation. */
    private static final List<ResourceDefinitionContext> DEVICES = List.of(
            devices("ResourceSlice", false),
            devices("DeviceClass", false),
            devices("DeviceTaintRule", false),
            devices("ResourceClaim", true));

    private final Inbox inbox;
    private final List<SharedIndexInformer<?>> informers = new CopyOnWriteArrayList<>();
    private final List<NewestVersion> versions = new CopyOnWriteArrayList<>();
    private final LaterApis apis;
    private final Asking asking = new Asking();
    private boolean started;
    private final AtomicInteger unlisted = new AtomicInteger();

    private ClusterWatch(KubernetesClient client, Inbox inbox) {
        this.inbox = inbox;
        this.apis = new LaterApis(client);
    }

    /**
     * Starts to watch; all that is there already is told as changes too.
     *
     * @param queues whose queues are watched
     */
    public static ClusterWatch start(KubernetesClient client, Inbox inbox, QueueVocabulary queues) {
        ClusterWatch watch = new ClusterWatch(client, inbox);
        watch.add(client.nodes(), Node::new, Change.NodePut::new, node -> new Change.NodeGone(name(node)));
        watch.add(
                client.namespaces(),
                Namespace::new,
                Change.NamespacePut::new,
                namespace -> new Change.NamespaceGone(name(namespace)));
        watch.add(
                client.scheduling().v1().priorityClasses(),
                null,
                Change.PriorityPut::new,
                priority -> new Change.PriorityGone(name(priority)));
        watch.add(client.persistentVolumes(), PersistentVolume::new, Change.VolumePut::new, Change.VolumeGone::new);
        watch.add(
                client.persistentVolumeClaims().inAnyNamespace(),
                PersistentVolumeClaim::new,
                Change.VolumePut::new,
                Change.VolumeGone::new);
        watch.add(
                client.storage().v1().storageClasses(),
                StorageClass::new,
                Change.VolumePut::new,
                Change.VolumeGone::new);
        watch.add(client.storage().v1().csiNodes(), null, Change.VolumePut::new, Change.VolumeGone::new);
        for (GroupVocabulary vocabulary : GroupVocabulary.values()) {
            watch.apis.whenReadable(vocabulary.context(), () -> watch.addGroups(client, vocabulary));
        }
        watch.apis.whenReadable(HYPER_NODES, () -> watch.addHyperNodes(client));
        for (ResourceDefinitionContext kind : DEVICES) {
            watch.apis.whenReadable(kind, () -> watch.addDevices(client, kind));
        }
        watch.add(
                client.policy().v1().podDisruptionBudget().inAnyNamespace(),
                PodDisruptionBudget::new,
                Change.BudgetPut::new,
                Change.BudgetGone::new);
        if (queues != QueueVocabulary.NONE) {
            watch.addQueues(client, queues);
        }
        NewestVersion pods =
                watch.add(client.pods().inAnyNamespace(), Pod::new, Change.PodPut::new, ClusterWatch::gone);
        watch.begin();
        watch.asking.add(watch.apis::ask);
        watch.asking.add(() -> pods.ask(client));
        return watch;
    }

    /** An API that is served only later is watched from then on. */
    private void begin() {
        started = true;
        informers.forEach(SharedIndexInformer::start);
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }

    private static Change gone(Pod pod) {
        String namespace = Objects.requireNonNullElse(pod.getMetadata().getNamespace(), PodId.DEFAULT_NAMESPACE);
        return new Change.PodGone(
                new PodId(namespace, name(pod)), pod.getMetadata().getUid());
    }

    private void addGroups(KubernetesClient client, GroupVocabulary vocabulary) {
        add(
                client,
                vocabulary.context(),
                (group, isWhole) -> new Change.GroupPut(
                        vocabulary.read(group),
                        GroupVocabulary.status(group),
                        group.getMetadata().getResourceVersion()),
                group -> new Change.GroupGone(
                        new GroupKey(vocabulary, group.getMetadata().getNamespace(), name(group))));
    }

    private void addQueues(KubernetesClient client, QueueVocabulary vocabulary) {
        apis.whenServed(
                vocabulary.context(),
                () -> add(
                        client,
                        vocabulary.context(),
                        (queue, isWhole) -> new Change.QueuePut(vocabulary.read(queue)),
                        queue -> new Change.QueueGone(name(queue))));
    }

    /** Returns whether a kind of resource.k8s.io is watched. */
    public static boolean isOfDevices(String kind) {
        return DEVICES.stream().anyMatch(each -> each.getKind().equals(kind));
    }

    private static ResourceDefinitionContext devices(String kind, boolean isNamespaced) {
        return new ResourceDefinitionContext.Builder()
                .withGroup("resource.k8s.io")
                .withVersion("v1")
                .withKind(kind)
                .withPlural(kind.toLowerCase(Locale.ROOT) + (kind.endsWith("s") ? "es" : "s"))
                .withNamespaced(isNamespaced)
                .build();
    }

    private void addDevices(KubernetesClient client, ResourceDefinitionContext kind) {
        add(
                client,
                kind,
                (object, isWhole) -> new Change.DevicesPut(parsed(client, kind, object), isWhole),
                object -> new Change.DevicesGone(parsed(client, kind, object)));
    }

    /** What is gone is known by its outline alone. */
    private static YamlNode parsed(
            KubernetesClient client, ResourceDefinitionContext kind, GenericKubernetesResource object) {
        GenericKubernetesResource copy = new GenericKubernetesResource();
        copy.setApiVersion(kind.getGroup() + "/" + kind.getVersion());
        copy.setKind(kind.getKind());
        copy.setMetadata(new ObjectMetaBuilder(object.getMetadata())
                .withManagedFields(List.of())
                .build());
        copy.setAdditionalProperties(object.getAdditionalProperties());
        return YamlReader.parse(
                        kind.getKind(), client.getKubernetesSerialization().asJson(copy))
                .get(0);
    }

    private void addHyperNodes(KubernetesClient client) {
        add(
                client,
                HYPER_NODES,
                (object, isWhole) -> new Change.HyperNodePut(object),
                object -> new Change.HyperNodeGone(name(object)));
    }

    /** Objects without a class; it is told whether they are whole. */
    private void add(
            KubernetesClient client,
            ResourceDefinitionContext kind,
            BiFunction<GenericKubernetesResource, Boolean, Change> put,
            Function<GenericKubernetesResource, Change> gone) {
        add(
                kind.isNamespaceScoped()
                        ? client.genericKubernetesResources(kind).inAnyNamespace()
                        : client.genericKubernetesResources(kind),
                GenericKubernetesResource::new,
                object -> {
                    Map<String, Object> fields = object.getAdditionalProperties();
                    boolean isWhole = fields.values().stream().noneMatch(value -> isDeeper(value, Change.DEEPEST));
                    if (!isWhole) {
                        fields.replaceAll((name, value) -> pruned(value, Change.DEEPEST));
                    }
                    return put.apply(object, isWhole);
                },
                gone);
    }

    private static Collection<?> inner(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map.values() : value instanceof List<?> list ? list : List.of();
    }

    private static boolean isDeeper(@Nullable Object value, int depth) {
        Collection<?> inner = inner(value);
        return depth == 0 ? !inner.isEmpty() : inner.stream().anyMatch(one -> isDeeper(one, depth - 1));
    }

    /** A value without what is nested deeper than any field that is read here: tenants may nest their own as deep as they like. */
    private static @Nullable Object pruned(@Nullable Object value, int depth) {
        if (depth == 0) {
            return inner(value).isEmpty() ? value : null;
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, @Nullable Object> pruned = new LinkedHashMap<>();
            map.forEach((key, one) -> pruned.put(key, pruned(one, depth - 1)));
            return pruned;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> pruned = new ArrayList<>();
            list.forEach(one -> pruned.add(pruned(one, depth - 1)));
            return pruned;
        }
        return value;
    }

    private <T extends HasMetadata> NewestVersion add(
            Informable<T> objects, @Nullable Supplier<T> empty, Function<T, Change> put, Function<T, Change> gone) {
        unlisted.incrementAndGet();
        SharedIndexInformer<T> informer = objects.withLimit(PAGE).runnableInformer(0);
        if (empty != null) {
            informer.removeNamespaceIndex().itemStore(new SlimStore<>(empty));
        }
        informer.exceptionHandler((started, failure) -> {
            LOG.atWarn()
                    .addKeyValue("kind", informer.getApiTypeClass().getSimpleName())
                    .addKeyValue("error", String.valueOf(failure.getMessage()))
                    .log("cannot watch, trying again");
            return true;
        });
        Telling<T> telling = new Telling<>(put, gone);
        informer.addEventHandler(telling);
        versions.add(telling.version);
        informers.add(informer);
        if (started) {
            informer.start();
        }
        return telling.version;
    }

    /** Returns whether all that was there at the start has been put into the inbox. */
    public boolean isListed() {
        return unlisted.get() == 0;
    }

    /** Returns whether the server has gone back in time, so that what was told is no more what there is. */
    public boolean hasGoneBack() {
        return versions.stream().anyMatch(NewestVersion::hasGoneBack);
    }

    /** Stops to watch. */
    @Override
    public void close() {
        asking.close();
        informers.forEach(SharedIndexInformer::close);
    }

    private final class Telling<T extends HasMetadata> implements ResourceEventHandler<T> {
        private final Function<T, Change> put;
        private final Function<T, Change> gone;
        private final NewestVersion version = new NewestVersion();
        private boolean listed;

        Telling(Function<T, Change> put, Function<T, Change> gone) {
            this.put = put;
            this.gone = gone;
        }

        @Override
        public void onAdd(T object) {
            version.added(object);
            inbox.add(put.apply(object));
        }

        @Override
        public void onUpdate(T before, T object) {
            version.updated(before, object);
            inbox.add(put.apply(object));
        }

        @Override
        public void onDelete(T object, boolean unknown) {
            version.deleted(object);
            inbox.add(gone.apply(object));
        }

        /** Called after all objects of a list; handlers of one informer are called one after the other. */
        @Override
        public void onList(String resourceVersion, boolean remainedEmpty) {
            version.listed(resourceVersion);
            if (!listed) {
                listed = true;
                unlisted.decrementAndGet();
            }
        }
    }
}
