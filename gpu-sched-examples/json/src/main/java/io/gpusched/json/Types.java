package io.gpusched.json;

import io.gpusched.decision.Amount;
import io.gpusched.decision.NodeTemplate;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuShare;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.Quota;
import io.gpusched.queue.UsageHistory;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.PodSpec;
import io.gpusched.workload.TopologySpread;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The codec of each type. Records, constants and sealed families have theirs from their declaration; what is here is what stands
 * for a component that is absent, and the forms of what is no record.
 */
final class Types {
    private static final int MOST_LEVELS = 16;

    private final Map<Type, Codec<?>> codecs = new ConcurrentHashMap<>();
    private final Map<Class<?>, Map<String, Object>> absent = new HashMap<>();

    private final Set<String> tables = new TreeSet<>();

    private Types() {}

    /** Returns the names of all tables. */
    Set<String> tables() {
        return Set.copyOf(tables);
    }

    private <T> Codec<T> shared(String table, Codec<T> codec) {
        tables.add(table);
        return Codecs.shared(table, codec);
    }

    static Types create() {
        Types types = new Types();
        types.defaults();
        types.texts();
        types.forms();
        return types;
    }

    private void defaults() {
        absent.put(Resources.class, Map.of("named", NamedAmounts.NONE));
        absent.put(Taint.class, Map.of("value", ""));
        absent.put(GpuShare.class, Map.of("slots", 1));
        absent.put(GpuPartition.class, Map.of("mode", ""));
        absent.put(ContainerGrant.class, Map.of("kind", ContainerKind.ORDINARY, "gpus", GpuGrant.none()));
        absent.put(
                Container.class,
                Map.of("kind", ContainerKind.ORDINARY, "resources", Resources.NONE, "gpu", GpuRequest.none()));
        absent.put(GpuRequest.Exclusive.class, Map.of("selector", GpuSelector.ANY));
        absent.put(
                GpuRequest.Share.class,
                Map.of("count", 1, "memory", GpuMemory.none(), "slots", 1, "selector", GpuSelector.ANY));
        absent.put(GpuRequest.Partition.class, Map.of("selector", GpuSelector.ANY));
        absent.put(GpuRequest.WholeNode.class, Map.of("selector", GpuSelector.ANY));
        absent.put(GpuSelector.class, Map.of("minMemoryMib", 0L, "affinity", GpuAffinity.ANY));
        absent.put(
                GpuAffinity.class,
                Map.of(
                        "required", GpuAffinity.Bond.NONE,
                        "preferred", GpuAffinity.Bond.NONE,
                        "choice", GpuAffinity.Choice.BEST_SET));
        absent.put(PodRules.class, Map.of("affinity", PodAffinity.NONE, "antiAffinity", PodAffinity.NONE));
        absent.put(TopologySpread.class, Map.of("minDomains", 1));
        absent.put(HostPort.class, Map.of("protocol", HostPort.Protocol.TCP, "ip", HostPort.ANY_ADDRESS));
        absent.put(PodGroup.class, Map.of("locality", Locality.ANYWHERE, "minGroups", 0));
        absent.put(GroupMembership.class, Map.of("locality", Locality.ANYWHERE));
        absent.put(Locality.class, Map.of("level", ""));
        absent.put(PartitionProfile.class, Map.of("counters", NamedAmounts.NONE, "mode", "", "nodeMode", ""));
        absent.put(Amount.class, Map.of("name", ""));
        absent.put(NodeTemplate.class, Map.of("place", Topology.NONE));
        absent.put(JobQueue.class, Map.of("priority", 0, "created", 0L, "minRuntime", 0L));
        absent.put(Quota.class, Map.of("deserved", Quota.UNLIMITED, "limit", Quota.UNLIMITED, "overQuotaWeight", 1L));
        absent.put(
                JobSpec.class,
                Map.of("priority", 0, "eviction", Eviction.GANG, "submitted", 0L, "preemptionDelay", 0L));
        absent.put(StateForm.class, Map.of("usage", UsageHistory.NONE));
    }

    private void texts() {
        codecs.put(String.class, Codecs.TEXT);
        codecs.put(boolean.class, Codecs.TRUTH);
        codecs.put(int.class, Codecs.INT);
        codecs.put(Integer.class, Codecs.INT);
        codecs.put(long.class, Codecs.LONG);
        codecs.put(Long.class, Codecs.LONG);
        codecs.put(double.class, Codecs.DECIMAL);
        codecs.put(PodId.class, Codecs.as(Codecs.TEXT, PodId::toString, PodId::of));
        codecs.put(NamedAmounts.class, Codecs.as(Codecs.map(Codecs.LONG), NamedAmounts::asMap, NamedAmounts::of));
        codecs.put(Topology.class, Codecs.as(Codecs.list(Codecs.TEXT), Types::path, Types::topology));
        codecs.put(OptionalLong.class, Codecs.as(Codecs.LONG, OptionalLong::getAsLong, OptionalLong::of));
    }

    /** A list, because the order counts: that of the fields of an object does not survive every tool. */
    private static List<String> path(Topology topology) {
        List<String> texts = new ArrayList<>();
        topology.domains().forEach(domain -> texts.addAll(List.of(domain.level(), domain.name())));
        return texts;
    }

    private static Topology topology(List<String> texts) {
        return Topology.of(texts.toArray(String[]::new));
    }

    private void forms() {
        absent.put(
                SpecForm.class,
                Map.of("nodeSelector", NodeSelector.ANY, "overhead", Resources.NONE, "rules", PodRules.NONE));
        codecs.put(PodSpec.class, shared("specs", form(SpecForm.class, SpecForm::of, SpecForm::spec)));
        codecs.put(
                GroupMembership.class,
                shared("groups", Codecs.as(record(GroupMembership.class), Function.identity(), Types::checked)));
        codecs.put(Placement.class, form(PlacementForm.class, PlacementForm::of, PlacementForm::placement));
        codecs.put(GpuLinks.class, form(LinksForm.class, LinksForm::of, LinksForm::links));
        codecs.put(PartitionGeometry.class, form(GeometryForm.class, GeometryForm::of, GeometryForm::geometry));
        absent.put(
                GpuForm.class,
                Map.of(
                        "count", 1,
                        "computeMillis", Gpu.WHOLE_COMPUTE_MILLIS,
                        "slots", Gpu.DEFAULT_SLOTS,
                        "numaNode", -1,
                        "partitions", PartitionGeometry.NONE));
        absent.put(NodeForm.Kind.class, Map.of("maxPods", Node.DEFAULT_MAX_PODS, "links", GpuLinks.NONE));
        codecs.put(NodeForm.Kind.class, shared("nodeKinds", record(NodeForm.Kind.class)));
        absent.put(NodeForm.class, Map.of("topology", Topology.NONE));
        codecs.put(Node.class, form(NodeForm.class, NodeForm::of, NodeForm::node));
        codecs.put(
                NodeForm.Among.class,
                form(NodeForm.class, NodeForm.Among::form, form -> new NodeForm.Among(form, form.node())));
        codecs.put(Cluster.class, form(ClusterForm.class, ClusterForm::of, ClusterForm::cluster));
        codecs.put(QueueTree.class, Codecs.as(list(JobQueue.class), tree -> List.copyOf(tree.queues()), QueueTree::of));
        codecs.put(
                PlacementPolicy.class, shared("policies", form(PolicyForm.class, PolicyForm::of, PolicyForm::policy)));
        codecs.put(QueueState.class, form(StateForm.class, StateForm::of, StateForm::state));
        codecs.put(Unschedulable.class, form(RefusalForm.class, RefusalForm::of, RefusalForm::refusal));
    }

    private <E> Codec<List<E>> list(Class<E> type) {
        return Codecs.list(codec(type));
    }

    /** Rows of a table may name rows before them, however many, so the depth of the document says nothing of theirs. */
    private static GroupMembership checked(GroupMembership group) {
        int levels = group.all().size();
        if (levels > MOST_LEVELS) {
            throw new IllegalArgumentException("group \"" + group.name() + "\": number of levels must be in 1.."
                    + MOST_LEVELS + ", got " + levels);
        }
        return group;
    }

    private <T, S> Codec<T> form(Class<S> form, Function<T, S> save, Function<S, T> load) {
        return Codecs.as(codec(form), save, load);
    }

    private <T> Codec<T> record(Class<T> type) {
        return RecordCodec.of(type, absent.getOrDefault(type, Map.of()), this);
    }

    /** Components are fields of their own name; where that is the one that tells the kind of the record, it is {@code of}. */
    static String fieldName(RecordComponent component) {
        boolean isOneOfAFamily =
                Arrays.stream(component.getDeclaringRecord().getInterfaces()).anyMatch(Class::isSealed);
        return isOneOfAFamily && component.getName().equals(SealedCodec.KIND) ? "of" : component.getName();
    }

    /** What stands for an absent component of a type whatever its record; null if it may not be absent. */
    static @Nullable Object absent(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type == List.class) {
            return List.of();
        }
        if (type == Set.class) {
            return Set.of();
        }
        if (type == OptionalLong.class) {
            return OptionalLong.empty();
        }
        return type == Map.class ? Map.of() : type == Optional.class ? Optional.empty() : null;
    }

    <T> Codec<T> codec(Class<T> type) {
        @SuppressWarnings("unchecked") // a codec is kept under its type
        Codec<T> codec = (Codec<T>) codec((Type) type);
        return codec;
    }

    /** Returns the codec of any type; only those of records are kept before they are made, for types may hold themselves. */
    Codec<Object> codec(Type type) {
        Codec<?> known = codecs.computeIfAbsent(type, any -> new Later<>(() -> made(type)));
        @SuppressWarnings("unchecked")
        Codec<Object> codec = (Codec<Object>) known;
        return codec;
    }

    private Codec<?> made(Type type) {
        if (type instanceof ParameterizedType generic) {
            return collection((Class<?>) generic.getRawType(), generic.getActualTypeArguments());
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isRecord()) {
            return record(plain);
        }
        if (plain.isSealed()) {
            return new SealedCodec<>(plain, this);
        }
        if (plain.isEnum()) {
            return constant(plain);
        }
        throw new IllegalStateException("no JSON form of " + plain);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // the class is that of constants
    private static Codec<?> constant(Class<?> type) {
        return Codecs.constant((Class<? extends Enum>) type);
    }

    private Codec<?> collection(Class<?> kind, Type[] arguments) {
        Codec<Object> elements = codec(arguments[arguments.length - 1]);
        if (kind == List.class) {
            return Codecs.list(elements);
        }
        if (kind == Set.class) {
            return Codecs.set(elements);
        }
        if (kind == Optional.class) {
            return Codecs.optional(elements);
        }
        if (kind == Map.class && arguments[0] == String.class) {
            return Codecs.map(elements);
        }
        if (kind == Map.class && arguments[0] == PodId.class) {
            return byText(elements, PodId::toString, PodId::of);
        }
        if (kind == Map.class && arguments[0] == QueueResource.class) {
            return byText(elements, Types::resourceText, Types::resource);
        }
        throw new IllegalStateException("no JSON form of " + kind);
    }

    private static <K, E> Codec<Map<K, E>> byText(
            Codec<E> elements, Function<K, String> text, Function<String, K> key) {
        return Codecs.as(
                Codecs.map(elements),
                byKey -> {
                    Map<String, E> texts = new LinkedHashMap<>();
                    byKey.forEach((one, value) -> texts.put(text.apply(one), value));
                    return texts;
                },
                texts -> {
                    Map<K, E> keys = new LinkedHashMap<>();
                    texts.forEach((one, value) -> keys.put(key.apply(one), value));
                    return keys;
                });
    }

    private static String resourceText(QueueResource resource) {
        String kind = resource.kind().name().toLowerCase(Locale.ROOT);
        return resource.name().isEmpty() ? kind : kind + ":" + resource.name();
    }

    private static QueueResource resource(String text) {
        int end = text.indexOf(':');
        String kind = end < 0 ? text : text.substring(0, end);
        for (QueueResource.Kind known : QueueResource.Kind.values()) {
            if (known.name().toLowerCase(Locale.ROOT).equals(kind)) {
                return new QueueResource(known, end < 0 ? "" : text.substring(end + 1));
            }
        }
        throw new IllegalArgumentException(
                "resource of a queue must be gpu, cpu, memory, gpu_model:NAME or named:NAME, got \"" + text + "\"");
    }
}
