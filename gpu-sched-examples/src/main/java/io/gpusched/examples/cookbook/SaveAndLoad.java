package io.gpusched.examples.cookbook;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuLinks.Link;
import io.gpusched.model.GpuLinks.Nic;
import io.gpusched.model.NamedAmounts;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import java.util.List;
import java.util.Map;

/** Writes a cluster as JSON with Jackson and reads it again. */
public final class SaveAndLoad {
    private static final ObjectMapper JSON = new ObjectMapper()
            .addMixIn(GpuGrant.class, GrantKind.class)
            .addMixIn(NamedAmounts.class, AmountsByName.class)
            .addMixIn(GpuLinks.class, LinksByRow.class)
            .addMixIn(PartitionGeometry.class, GeometryAsRecord.class);

    private SaveAndLoad() {}

    record SavedCluster(List<Node> nodes, List<SavedPod> pods) {}

    record SavedPod(String namespace, String name, String node, Resources resources, List<ContainerGrant> containers) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = GpuGrant.None.class, name = "none"),
        @JsonSubTypes.Type(value = GpuGrant.Whole.class, name = "whole"),
        @JsonSubTypes.Type(value = GpuGrant.Shared.class, name = "shared"),
        @JsonSubTypes.Type(value = GpuGrant.Partitions.class, name = "partitions"),
        @JsonSubTypes.Type(value = GpuGrant.WholeNode.class, name = "wholeNode")
    })
    private interface GrantKind {}

    private interface AmountsByName {
        @JsonValue
        Map<String, Long> asMap();

        @JsonCreator
        static NamedAmounts of(Map<String, Long> byName) {
            return NamedAmounts.of(byName);
        }
    }

    @JsonIncludeProperties({"matrix", "nics"})
    private interface LinksByRow {
        @JsonProperty
        List<List<Link>> matrix();

        @JsonProperty
        List<Nic> nics();

        @JsonCreator
        static GpuLinks of(@JsonProperty("matrix") List<List<Link>> matrix, @JsonProperty("nics") List<Nic> nics) {
            return GpuLinks.of(matrix, nics);
        }
    }

    record SavedGeometry(
            String name, int gridUnits, NamedAmounts totals, List<PartitionProfile> profiles, boolean alwaysCut) {}

    @JsonSerialize(converter = ToSaved.class)
    @JsonDeserialize(converter = FromSaved.class)
    private interface GeometryAsRecord {}

    static final class ToSaved extends StdConverter<PartitionGeometry, SavedGeometry> {
        @Override
        public SavedGeometry convert(PartitionGeometry one) {
            return new SavedGeometry(one.name(), one.gridUnits(), one.totals(), one.profiles(), one.isAlwaysCut());
        }
    }

    static final class FromSaved extends StdConverter<SavedGeometry, PartitionGeometry> {
        @Override
        public PartitionGeometry convert(SavedGeometry one) {
            return one.profiles().isEmpty()
                    ? PartitionGeometry.NONE
                    : PartitionGeometry.of(one.name(), one.gridUnits(), one.totals(), one.profiles())
                            .withAlwaysCut(one.alwaysCut());
        }
    }

    /** Prints what is saved of one pod, and whether what is loaded is the same cluster. */
    public static void main(String... args) throws JsonProcessingException {
        Cluster cluster = MapMyCluster.cluster();
        Cluster loaded = load(save(cluster));
        System.out.println(JSON.writeValueAsString(saved(cluster.placements().get(0))));
        System.out.println("same pods: " + loaded.placements().equals(cluster.placements()));
        System.out.println("same totals: " + loaded.totals().equals(cluster.totals()));
    }

    static String save(Cluster cluster) throws JsonProcessingException {
        return JSON.writeValueAsString(new SavedCluster(
                cluster.nodes().stream().map(NodeState::node).toList(),
                cluster.placements().stream().map(SaveAndLoad::saved).toList()));
    }

    private static SavedPod saved(Placement placement) {
        PodId pod = placement.pod();
        return new SavedPod(
                pod.namespace(), pod.name(), placement.node(), placement.resources(), placement.containers());
    }

    static Cluster load(String json) throws JsonProcessingException {
        SavedCluster saved = JSON.readValue(json, SavedCluster.class);
        return Cluster.of(
                saved.nodes(),
                saved.pods().stream()
                        .map(pod -> new Placement(
                                new PodId(pod.namespace(), pod.name()), pod.node(), pod.resources(), pod.containers()))
                        .toList());
    }
}
