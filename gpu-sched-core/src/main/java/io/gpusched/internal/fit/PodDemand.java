package io.gpusched.internal.fit;

import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A pod's request, taken apart once for the many nodes that are tried. Not thread-safe. */
public final class PodDemand {
    /** Stands for any number of taints. */
    public static final int ANY = RuleSet.ANY_TAINTS;

    private final Pod pod;

    /** What placements say that the pod asked: all its alternatives. */
    private final PodSpec spec;

    private final boolean isPreferred;

    /** The next alternative by which the pod may be placed. */
    private final @Nullable PodDemand otherwise;

    private final @Nullable SharedValues shared;
    private final Resources resources;
    private final GpuAsked asked;

    /** Made when first asked for. */
    private @Nullable LayoutPlan plan;

    private @Nullable Predicate<Taint> tolerated;

    /** What the rules between pods come to at the snapshot that is searched; null if there are none. */
    private final @Nullable RuleSet rules;

    /** How many taints that it had better avoid its nodes must have; {@link #ANY} if that does not matter. */
    private final int avoided;

    /** A request whose placements share nothing with others. */
    public PodDemand(Pod pod) {
        this(pod, null);
    }

    /** A request whose placements share what they carry with others, if there is anything to share. */
    PodDemand(Pod pod, @Nullable SharedValues shared) {
        this(pod.spec(), PodAlternatives.hasChoice(pod) ? PodAlternatives.of(pod) : null, 0, pod, shared);
    }

    private PodDemand(
            PodSpec spec,
            @Nullable List<PodAlternatives.Alternative> alternatives,
            int at,
            Pod pod,
            @Nullable SharedValues shared) {
        this.pod = alternatives == null ? pod : alternatives.get(at).pod();
        this.spec = spec;
        this.isPreferred = alternatives != null && alternatives.get(at).isPreferred();
        this.otherwise = alternatives == null || at + 1 == alternatives.size()
                ? null
                : new PodDemand(spec, alternatives, at + 1, pod, shared);
        this.shared = shared;
        this.resources = this.pod.resources();
        this.asked = GpuAsked.of(this.pod.containers());
        rules = null;
        avoided = ANY;
    }

    private PodDemand(PodDemand plain, Pod pod, @Nullable PodDemand otherwise, @Nullable RuleSet rules, int avoided) {
        this.rules = rules;
        this.avoided = avoided;
        this.pod = pod;
        this.otherwise = otherwise;
        spec = plain.spec;
        isPreferred = plain.isPreferred;
        shared = plain.shared;
        resources = plain.resources;
        asked = plain.asked;
        plan = plain.plan;
        tolerated = plain.tolerated;
    }

    /** Returns the same request of another pod, whose spec equals that of this one; rules are not taken over. */
    @SuppressWarnings("ReferenceEquality") // the same object needs no copy
    PodDemand of(Pod other) {
        Pod named = other.spec() == pod.spec() ? other : new Pod(other.id(), pod.spec(), other.group());
        return new PodDemand(this, named, otherwise == null ? null : otherwise.of(other), null, ANY);
    }

    private PodDemand with(@Nullable RuleSet value, int taints) {
        PodDemand next = otherwise == null ? null : otherwise.with(value, otherwise.avoided);
        return new PodDemand(this, pod, next, value, taints);
    }

    /** Returns this request at a snapshot at which its rules, and those of running pods, come to this. */
    public PodDemand with(RuleSet value) {
        return with(value, value.avoided());
    }

    /**
     * Returns this request with what its rules and those of running pods come to; the same request if there are none. O(domains)
     * for each rule that is known already; O(nodes + pods) for others.
     */
    public PodDemand under(RuleCounts counts) {
        RuleSet set = RuleSet.of(pod, counts);
        return set == null ? this : with(set);
    }

    /** Whether rules may keep it away from nodes, now or once a pod like it was placed. */
    public boolean isAffectedBy(RuleCounts counts) {
        return !counts.isIdle()
                || pod.spec().concernsOthers()
                || pod.rules().nodeName().isPresent()
                || pod.group().isPresent();
    }

    /** Whether preferences that do not depend on other pods may decide where it goes. */
    public boolean hasPreferences(RuleCounts counts) {
        return counts.hasAvoided() || !pod.rules().preferredNodes().isEmpty();
    }

    /** Returns this request for those nodes alone that have exactly so many taints that it does not tolerate, but need not. */
    public PodDemand withAvoided(int taints) {
        return with(rules, taints);
    }

    /** How many taints that it had better avoid its nodes must have, or {@link #ANY}. */
    public int avoided() {
        return avoided;
    }

    /** Whether it may go to nodes with these taints. */
    public boolean acceptsTaints(List<Taint> taints) {
        return Taints.accepts(taints, tolerated(), avoided);
    }

    /** Whether none of some taints forbids it its node. */
    public boolean tolerates(List<Taint> taints) {
        return taints.isEmpty() || Taints.areTolerated(taints, tolerated());
    }

    /** Returns which taints it tolerates. */
    public Predicate<Taint> tolerated() {
        Predicate<Taint> known = tolerated;
        if (known == null) {
            known = Taints.tolerated(pod.tolerations());
            tolerated = known;
        }
        return known;
    }

    /** Whether its own selector accepts a node's labels. */
    public boolean acceptsLabels(Node node) {
        return pod.nodeSelector().matches(node);
    }

    public @Nullable RuleSet rules() {
        return rules;
    }

    /** Whether rules between pods may keep it away from nodes. */
    public boolean isRuled() {
        return rules != null && rules.refuses();
    }

    /** Returns the labels that its nodes must have: its own selector, and what of the rules can be looked up. */
    public NodeSelector nodeSelector() {
        if (rules == null) {
            return pod.nodeSelector();
        }
        NodeSelector some = NodeSelector.all(rules.requirements().toArray(NodeRequirement[]::new));
        return pod.nodeSelector().and(rules.within()).and(some);
    }

    /** The pod by this alternative. */
    public Pod pod() {
        return pod;
    }

    /** What it asked, all alternatives. */
    PodSpec spec() {
        return spec;
    }

    /** The next alternative by which it may be placed, less wanted than this; null if this is the last. */
    public @Nullable PodDemand otherwise() {
        return otherwise;
    }

    /** Whether this alternative requires a bond that the pod only prefers, so that it is not needed for a place. */
    public boolean isPreferred() {
        return isPreferred;
    }

    /** Returns what {@link SharedValues#shared(long, Placement)} returns. */
    Placement shared(long hash, Placement placement) {
        return shared == null ? placement : shared.shared(31 * hash + resources.hashCode(), placement);
    }

    /** Returns what {@link SharedValues#known} returns. */
    @Nullable
    Placement known(NodeClass nodeClass, long gpus) {
        return shared == null ? null : shared.known(pod.spec(), nodeClass, gpus);
    }

    /** Lets {@link #known} return this. */
    void remember(NodeClass nodeClass, long gpus, Placement placement) {
        if (shared != null) {
            shared.remember(pod.spec(), nodeClass, gpus, placement);
        }
    }

    public Resources resources() {
        return resources;
    }

    /** The containers that ask for GPUs, in the pod's order. */
    public List<Container> gpuContainers() {
        return asked.containers;
    }

    /** What its containers ask of GPUs, each request once, in the pod's order. */
    public List<GpuRequest> requests() {
        return asked.requests;
    }

    @Nullable
    public GpuRequest single() {
        return asked.single;
    }

    /** Whether any container takes GPUs whole. */
    public boolean needsWhole() {
        return asked.whole;
    }

    /** Whether any container takes parts of GPUs. */
    public boolean needsShares() {
        return asked.shares;
    }

    /** Whether any container takes hardware partitions. */
    public boolean needsPartitions() {
        return !asked.partitions.isEmpty();
    }

    /** What its containers ask of partitions, in the pod's order. */
    public List<GpuRequest.Partition> partitions() {
        return asked.partitions;
    }

    /** The partitions that it asks for if these are {@link #single all} that it asks of GPUs, else null. */
    public GpuRequest.@Nullable Partition singlePartition() {
        return asked.single instanceof GpuRequest.Partition one ? one : null;
    }

    public boolean wholeNode() {
        return asked.node;
    }

    /** Whether UUIDs matter in this alternative or a later one. */
    public boolean looksAtUuids() {
        return asked.uuids || otherwise != null && otherwise.looksAtUuids();
    }

    public int mostIdle() {
        return asked.mostIdle;
    }

    public int mostGpus() {
        return asked.mostGpus;
    }

    /** How many GPUs the ordinary containers hold whole together. */
    public int ordinaryWhole() {
        return asked.ordinaryWhole;
    }

    /** The least number of GPUs of a node that could ever do. */
    public int gpusNeeded() {
        return asked.gpusNeeded;
    }

    /** Whether counting the GPUs that would do settles whether the request fits on a node. */
    public boolean countsDecide() {
        GpuRequest single = asked.single;
        return single != null
                && asked.partitions.isEmpty()
                && Bonds.isNone(single.selector().affinity());
    }

    /** In which order its containers are laid out, for a pod that needs more than one GPU container laid out. */
    LayoutPlan plan() {
        LayoutPlan known = plan;
        if (known == null) {
            known = LayoutPlan.hardestFirst(asked.containers);
            plan = known;
        }
        return known;
    }

    /**
     * What containers ask of GPUs.
     *
     * @param containers the containers that ask for any, in the pod's order
     * @param requests what they ask, each request once
     * @param single the request of at most one container that asks for GPUs; null where several do
     * @param partitions what they ask of partitions
     * @param whole whether any of them takes GPUs whole
     * @param shares whether any takes parts of GPUs
     * @param node whether one takes the whole node
     * @param uuids whether any looks at UUIDs
     * @param mostIdle the greatest number of idle GPUs that one container asks for
     * @param mostGpus the greatest number of distinct GPUs
     * @param ordinaryWhole how many GPUs the containers that keep running hold whole together
     * @param gpusNeeded the least number of GPUs of a node that could ever do
     */
    private record GpuAsked(
            List<Container> containers,
            List<GpuRequest> requests,
            @Nullable GpuRequest single,
            List<GpuRequest.Partition> partitions,
            boolean whole,
            boolean shares,
            boolean node,
            boolean uuids,
            int mostIdle,
            int mostGpus,
            int ordinaryWhole,
            int gpusNeeded) {
        static GpuAsked of(List<Container> all) {
            List<Container> containers = withGpus(all);
            boolean whole = false;
            boolean shares = false;
            boolean node = false;
            boolean uuids = false;
            int idle = 0;
            int gpus = 0;
            int ordinary = 0;
            int shared = 0;
            int sidecars = 0;
            int init = 0;
            for (int i = 0; i < containers.size(); i++) {
                GpuRequest request = containers.get(i).gpu();
                ContainerKind kind = containers.get(i).kind();
                int count = request.count();
                if (kind == ContainerKind.INIT) {
                    init = Math.max(init, sidecars + count);
                } else if (GpuTake.isWhole(request)) {
                    ordinary += count;
                    sidecars += kind == ContainerKind.SIDECAR ? count : 0;
                } else {
                    shared = Math.max(shared, count);
                }
                uuids |= request.selector().looksAtUuids();
                whole |= GpuTake.isWhole(request);
                shares |= request instanceof GpuRequest.Share;
                node |= request instanceof GpuRequest.WholeNode;
                idle = Math.max(idle, GpuTake.isWhole(request) ? count : 0);
                gpus = Math.max(gpus, count);
            }
            GpuRequest first =
                    containers.isEmpty() ? GpuRequest.none() : containers.get(0).gpu();
            GpuRequest single = containers.size() > 1 ? null : first;
            int needed = Math.max(init, ordinary + shared);
            return new GpuAsked(
                    containers,
                    requests(containers),
                    single,
                    partitions(containers),
                    whole,
                    shares,
                    node,
                    uuids,
                    idle,
                    gpus,
                    ordinary,
                    needed);
        }

        private static List<GpuRequest> requests(List<Container> containers) {
            return switch (containers.size()) {
                case 0 -> List.of();
                case 1 -> List.of(containers.get(0).gpu());
                default -> containers.stream().map(Container::gpu).distinct().toList();
            };
        }

        private static List<GpuRequest.Partition> partitions(List<Container> containers) {
            List<GpuRequest.Partition> found = List.of();
            for (int i = 0; i < containers.size(); i++) {
                if (containers.get(i).gpu() instanceof GpuRequest.Partition partition) {
                    found = found.isEmpty() ? new ArrayList<>(containers.size()) : found;
                    found.add(partition);
                }
            }
            return found;
        }

        /** Mostly all of them: then nothing is copied. */
        private static List<Container> withGpus(List<Container> containers) {
            for (int i = 0; i < containers.size(); i++) {
                if (containers.get(i).gpu().isNone()) {
                    return containers.stream()
                            .filter(container -> !container.gpu().isNone())
                            .toList();
                }
            }
            return containers;
        }
    }
}
