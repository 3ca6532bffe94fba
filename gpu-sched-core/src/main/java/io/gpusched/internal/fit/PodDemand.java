package io.gpusched.internal.fit;

import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.rules.Taints;
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
    public PodDemand(Pod pod, @Nullable SharedValues shared) {
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

    private PodDemand(PodDemand plain, Pod pod, @Nullable RuleSet rules, int avoided) {
        this.rules = rules;
        this.avoided = avoided;
        this.pod = pod;
        spec = plain.spec;
        isPreferred = plain.isPreferred;
        PodDemand next = plain.otherwise;
        otherwise = next == null ? null : new PodDemand(next, next.pod, rules, next.avoided);
        shared = plain.shared;
        resources = plain.resources;
        asked = plain.asked;
    }

    /** Returns this request at a snapshot at which its rules, and those of running pods, come to this. */
    public PodDemand with(RuleSet value) {
        return new PodDemand(this, pod, value, value.avoided());
    }

    /** Returns this request for those nodes alone that have exactly so many taints that it does not tolerate, but need not. */
    public PodDemand withAvoided(int taints) {
        return new PodDemand(this, pod, rules, taints);
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
        return asked.containers();
    }

    /** What its containers ask of GPUs, each request once, in the pod's order. */
    public List<GpuRequest> requests() {
        return asked.requests();
    }

    @Nullable
    public GpuRequest single() {
        return asked.single();
    }

    /** Whether any container takes GPUs whole. */
    public boolean needsWhole() {
        return asked.whole();
    }

    /** Whether any container takes parts of GPUs. */
    public boolean needsShares() {
        return asked.shares();
    }

    /** Whether any container takes hardware partitions. */
    public boolean needsPartitions() {
        return !asked.partitions().isEmpty();
    }

    /** What its containers ask of partitions, in the pod's order. */
    public List<GpuRequest.Partition> partitions() {
        return asked.partitions();
    }

    /** The partitions that it asks for if these are {@link #single all} that it asks of GPUs, else null. */
    public GpuRequest.@Nullable Partition singlePartition() {
        return asked.single() instanceof GpuRequest.Partition one ? one : null;
    }

    public boolean wholeNode() {
        return asked.node();
    }

    /** Whether UUIDs matter in this alternative or a later one. */
    public boolean looksAtUuids() {
        return asked.uuids() || otherwise != null && otherwise.looksAtUuids();
    }

    public int mostIdle() {
        return asked.mostIdle();
    }

    public int mostGpus() {
        return asked.mostGpus();
    }

    /** How many GPUs the ordinary containers hold whole together. */
    public int ordinaryWhole() {
        return asked.ordinaryWhole();
    }

    /** The least number of GPUs of a node that could ever do. */
    public int gpusNeeded() {
        return asked.gpusNeeded();
    }

    /** Whether counting the GPUs that would do settles whether the request fits on a node. */
    public boolean countsDecide() {
        GpuRequest single = asked.single();
        return single != null
                && asked.partitions().isEmpty()
                && Bonds.isNone(single.selector().affinity());
    }

    /** In which order its containers are laid out, for a pod that needs more than one GPU container laid out. */
    LayoutPlan plan() {
        LayoutPlan known = plan;
        if (known == null) {
            known = LayoutPlan.hardestFirst(asked.containers());
            plan = known;
        }
        return known;
    }
}
