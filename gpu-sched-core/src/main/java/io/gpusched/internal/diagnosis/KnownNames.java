package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Change;
import io.gpusched.decision.Fact;
import io.gpusched.decision.Fact.Unknown.Kind;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.AmdGeometry;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which names the nodes of a cluster know, and which names of a pod's request they do not: most likely mistyped. */
final class KnownNames {
    /** Profiles of devices that the library describes. */
    private static final Set<String> DESCRIBED = Stream.concat(
                    Stream.of(MigGeometry.values()).map(MigGeometry::geometry), Stream.of(AmdGeometry.mi300x()))
            .flatMap(geometry -> geometry.names().stream())
            .collect(Collectors.toUnmodifiableSet());

    private static final Set<Operator> NEED_THE_LABEL = Set.of(Operator.IN, Operator.EXISTS, Operator.GT, Operator.LT);

    private final Cluster cluster;

    KnownNames(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Returns the labels that a pod selects nodes by and no node has. */
    List<Fact> labels(PodDemand demand) {
        return unknown(
                Kind.LABEL_KEY,
                demand.pod().nodeSelector().terms().stream()
                        .flatMap(term -> term.requirements().stream())
                        .filter(requirement -> NEED_THE_LABEL.contains(requirement.operator())
                                && !requirement.key().equals(NodeRequirement.NAME))
                        .map(NodeRequirement::key)
                        .toList());
    }

    /** Returns the keys of domains that rules of a pod name, each once, but that of nodes' names, which all have. */
    static List<String> topologyKeys(Pod pod) {
        PodRules rules = pod.rules();
        if (!rules.concernsOthers()) {
            return List.of();
        }
        Stream<PodAffinity.Term> terms = Stream.of(rules.affinity(), rules.antiAffinity())
                .flatMap(one -> Stream.concat(
                        one.required().stream(), one.preferred().stream().map(PodAffinity.Weighted::term)));
        return Stream.concat(
                        terms.map(PodAffinity.Term::topologyKey),
                        rules.spread().stream().map(TopologySpread::topologyKey))
                .filter(key -> !key.equals(NodeRequirement.NAME))
                .distinct()
                .toList();
    }

    /** Returns the keys of domains that rules of a pod name and no node has. */
    List<Fact> unknownTopologyKeys(Pod pod) {
        return unknown(Kind.TOPOLOGY_KEY, topologyKeys(pod));
    }

    /** Returns the models of GPUs that are accepted and that no node has. */
    List<Fact> models(PodDemand demand) {
        return unknown(
                Kind.GPU_MODEL,
                requests(demand)
                        .flatMap(request -> request.selector().allowedModels().stream())
                        .toList());
    }

    /** Returns the profiles of partitions that are asked for and that no node has. */
    List<Fact> profiles(PodDemand demand) {
        return unknown(Kind.PARTITION_PROFILE, askedProfiles(demand));
    }

    /** Returns which profiles that are asked for some nodes lack, and other nodes have or these should have. */
    List<Fact> cannotBeCut(PodDemand demand, List<NodeState> nodes) {
        List<Fact> facts = new ArrayList<>();
        for (String profile : new TreeSet<>(askedProfiles(demand))) {
            Set<NodeClass> having = cluster.classes().keySet().stream()
                    .filter(nodeClass -> nodeClass.kinds().stream().anyMatch(gpu -> has(gpu.partitions(), profile)))
                    .collect(Collectors.toSet());
            List<Gpu> lacking = nodes.stream()
                    .map(NodeState::nodeClass)
                    .distinct()
                    .filter(nodeClass -> !having.contains(nodeClass))
                    .flatMap(nodeClass -> nodeClass.kinds().stream())
                    .toList();
            List<String> models =
                    ascending(lacking.stream().map(gpu -> gpu.model().name()));
            List<String> undescribed = ascending(lacking.stream()
                    .filter(gpu -> gpu.partitions().isNone())
                    .flatMap(gpu -> MigGeometry.ofProduct(gpu.model().name(), gpu.memoryMib()).stream())
                    .filter(mig -> has(mig.geometry(), profile))
                    .map(MigGeometry::name));
            if (!models.isEmpty() && !(having.isEmpty() && undescribed.isEmpty())) {
                List<String> others = cluster.nodes().stream()
                        .filter(node -> having.contains(node.nodeClass()))
                        .map(NodeState::name)
                        .toList();
                facts.add(new Fact.CannotBeCut(profile, models, others, undescribed));
            }
        }
        return facts;
    }

    private static boolean has(PartitionGeometry geometry, String profile) {
        return geometry.profiles().stream().anyMatch(one -> one.name().equals(profile));
    }

    private static List<String> ascending(Stream<String> names) {
        return names.distinct().sorted().toList();
    }

    /** Returns which names of models or profiles have to be others before any node here can serve a pod. */
    List<Change> choices(PodDemand demand) {
        Set<String> here = Set.copyOf(known(Kind.GPU_MODEL));
        boolean isServed = requests(demand)
                .map(request -> request.selector().allowedModels())
                .allMatch(allowed -> allowed.isEmpty() || allowed.stream().anyMatch(here::contains));
        return cluster.size() == 0 || !Contradictions.areNone(demand, List.of())
                ? List.of()
                : Stream.concat(isServed ? Stream.<Fact>of() : models(demand).stream(), profiles(demand).stream())
                        .map(Fact.Unknown.class::cast)
                        .<Change>map(fact -> new Change.ChooseKnown(fact.kind(), fact.asked(), fact.known()))
                        .toList();
    }

    /** Whether there are devices with the profiles that a pod asks for, here or among the devices that the library describes. */
    boolean areMade(PodDemand demand) {
        List<String> here = known(Kind.PARTITION_PROFILE);
        return askedProfiles(demand).stream()
                .allMatch(profile -> here.contains(profile) || DESCRIBED.contains(profile));
    }

    /** Returns that a level is not known. */
    Fact.Unknown level(String level) {
        return new Fact.Unknown(Kind.TOPOLOGY_LEVEL, level, known(Kind.TOPOLOGY_LEVEL));
    }

    private static List<String> askedProfiles(PodDemand demand) {
        return requests(demand)
                .filter(GpuRequest.Partition.class::isInstance)
                .map(request -> ((GpuRequest.Partition) request).profile())
                .toList();
    }

    private static Stream<GpuRequest> requests(PodDemand demand) {
        return demand.gpuContainers().stream().map(Container::gpu);
    }

    private List<Fact> unknown(Kind kind, Collection<String> asked) {
        if (asked.isEmpty()) {
            return List.of();
        }
        List<String> known = known(kind);
        List<Fact> unknown = new ArrayList<>();
        asked.stream()
                .distinct()
                .filter(name -> !known.contains(name))
                .forEach(name -> unknown.add(new Fact.Unknown(kind, name, known)));
        return unknown;
    }

    /** The names of a kind that nodes know, in order. */
    private List<String> known(Kind kind) {
        Stream<String> names = switch (kind) {
            case GPU_MODEL -> ofGpus(gpu -> Stream.of(gpu.model().name()));
            case PARTITION_PROFILE -> ofGpus(gpu -> gpu.partitions().names().stream());
            case LABEL_KEY -> cluster.nodes().stream().flatMap(node -> node.node().labels().keySet().stream());
            case TOPOLOGY_KEY -> Stream.concat(known(Kind.LABEL_KEY).stream(), known(Kind.TOPOLOGY_LEVEL).stream());
            case TOPOLOGY_LEVEL ->
                cluster.nodes().stream()
                        .flatMap(node -> node.node().topology().domains().stream())
                        .map(Topology.Domain::level);
        };
        return ascending(names);
    }

    private Stream<String> ofGpus(Function<Gpu, Stream<String>> names) {
        return cluster.classes().keySet().stream()
                .flatMap(nodeClass -> nodeClass.gpus().stream())
                .flatMap(names);
    }
}
