package io.gpusched.cookbook;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdDelegatingDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.type.TypeFactory;
import com.fasterxml.jackson.databind.util.Converter;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.gpusched.decision.Change;
import io.gpusched.decision.Fact;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.PodSpec;
import io.gpusched.workload.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Writes a cluster as JSON with Jackson and reads it again. */
public final class SaveAndLoad {
    static final ObjectMapper JSON = mapper();

    private SaveAndLoad() {}

    record SavedCluster(List<Node> nodes, List<Placement> pods, Map<String, Map<String, String>> namespaces) {}

    record SavedPlacement(
            PodId pod, String node, Resources resources, List<ContainerGrant> containers, Optional<PodSpec> asked) {}

    record SavedSpec(
            List<Container> containers,
            NodeSelector nodeSelector,
            List<Toleration> tolerations,
            Resources overhead,
            PodRules rules) {}

    record SavedLinks(List<List<GpuLinks.Link>> matrix, List<GpuLinks.Nic> nics) {}

    record SavedGeometry(
            String name, int gridUnits, NamedAmounts totals, List<PartitionProfile> profiles, boolean alwaysCut) {}

    private static ObjectMapper mapper() {
        SimpleModule classes = new SimpleModule();
        as(String.class, PodId::toString, PodId::of, PodId.class, classes);
        as(SavedSpec.class, SaveAndLoad::saved, SaveAndLoad::loaded, PodSpec.class, classes);
        as(SavedPlacement.class, SaveAndLoad::saved, SaveAndLoad::loaded, Placement.class, classes);
        as(SavedGeometry.class, SaveAndLoad::saved, SaveAndLoad::loaded, PartitionGeometry.class, classes);
        as(
                SavedLinks.class,
                links -> new SavedLinks(links.matrix(), links.nics()),
                links -> GpuLinks.of(links.matrix(), links.nics()),
                GpuLinks.class,
                classes);
        ObjectMapper json = JsonMapper.builder()
                .disable(MapperFeature.AUTO_DETECT_IS_GETTERS) // what records can tell besides is not saved
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES) // else a lost number is 0
                .addModules(new Jdk8Module(), classes)
                .addMixIn(NamedAmounts.class, AmountsByName.class)
                .build();
        for (Class<?> family : List.of(GpuGrant.class, GpuRequest.class, GpuMemory.class, Fact.class, Change.class)) {
            json.addMixIn(family, Kind.class);
            json.registerSubtypes(family.getPermittedSubclasses());
        }
        return json;
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "kind")
    private interface Kind {}

    private interface AmountsByName {
        @JsonValue
        Map<String, Long> asMap();

        @JsonCreator
        static NamedAmounts of(Map<String, Long> byName) {
            return NamedAmounts.of(byName);
        }
    }

    /** Has objects of a class written and read as records. */
    private static <T, S> void as(
            Class<S> record, Function<T, S> save, Function<S, T> load, Class<T> type, SimpleModule module) {
        module.addSerializer(type, new StdDelegatingSerializer(type, new Mapped<>(type, record, save)));
        module.addDeserializer(type, new StdDelegatingDeserializer<>(new Mapped<>(record, type, load)));
    }

    private record Mapped<A, B>(Class<A> from, Class<B> to, Function<A, B> by) implements Converter<A, B> {
        @Override
        public B convert(A value) {
            return by.apply(value);
        }

        @Override
        public JavaType getInputType(TypeFactory types) {
            return types.constructType(from);
        }

        @Override
        public JavaType getOutputType(TypeFactory types) {
            return types.constructType(to);
        }
    }

    private static SavedPlacement saved(Placement held) {
        Optional<PodSpec> asked = Pod.of(held).map(Pod::spec);
        return new SavedPlacement(held.pod(), held.node(), held.resources(), held.containers(), asked);
    }

    private static Placement loaded(SavedPlacement saved) {
        Placement held = new Placement(saved.pod(), saved.node(), saved.resources(), saved.containers());
        return saved.asked().map(held::withSpec).orElse(held);
    }

    private static SavedSpec saved(PodSpec spec) {
        return new SavedSpec(spec.containers(), spec.nodeSelector(), spec.tolerations(), spec.overhead(), spec.rules());
    }

    private static PodSpec loaded(SavedSpec saved) {
        Pod anyName = new Pod(
                PodId.of("loaded"), saved.containers(), saved.nodeSelector(), saved.tolerations(), saved.overhead());
        return anyName.withRules(saved.rules()).spec();
    }

    private static SavedGeometry saved(PartitionGeometry one) {
        return new SavedGeometry(one.name(), one.gridUnits(), one.totals(), one.profiles(), one.isAlwaysCut());
    }

    private static PartitionGeometry loaded(SavedGeometry saved) {
        return saved.profiles().isEmpty()
                ? PartitionGeometry.NONE
                : PartitionGeometry.of(saved.name(), saved.gridUnits(), saved.totals(), saved.profiles())
                        .withAlwaysCut(saved.alwaysCut());
    }

    /** Prints what is saved of one pod, and whether what is loaded is the same cluster. */
    public static void main(String... args) throws JsonProcessingException {
        Cluster cluster = MapMyCluster.cluster();
        Cluster loaded = load(save(cluster));
        System.out.println(JSON.writeValueAsString(cluster.placements().get(0)));
        System.out.println("same pods: " + loaded.placements().equals(cluster.placements()));
        System.out.println("that ask the same: " + asked(loaded).equals(asked(cluster)));
        System.out.println("same totals: " + loaded.totals().equals(cluster.totals()));
    }

    private static List<Pod> asked(Cluster cluster) {
        return cluster.placements().stream()
                .flatMap(held -> Pod.of(held).stream())
                .toList();
    }

    static String save(Cluster cluster) throws JsonProcessingException {
        return JSON.writeValueAsString(new SavedCluster(
                cluster.nodes().stream().map(NodeState::node).toList(), cluster.placements(), cluster.namespaces()));
    }

    static Cluster load(String json) throws JsonProcessingException {
        SavedCluster saved = JSON.readValue(json, SavedCluster.class);
        Cluster cluster = Cluster.of(saved.nodes(), saved.pods());
        for (Map.Entry<String, Map<String, String>> labels : saved.namespaces().entrySet()) {
            cluster = cluster.withNamespace(labels.getKey(), labels.getValue());
        }
        return cluster;
    }
}
