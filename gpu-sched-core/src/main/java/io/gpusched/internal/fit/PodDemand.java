package io.gpusched.internal.fit;

import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.Allocation;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pod's request, taken apart once for the many nodes that are tried. Not thread-safe. */
public final class PodDemand {
    private final Pod pod;
    private final @Nullable SharedValues shared;
    private final Resources resources;
    private final List<Container> gpuContainers;

    /** The one GPU request of a pod of which only one ordinary container asks for GPUs; null for any other pod. */
    private final @Nullable GpuRequest single;

    private final boolean needsWhole;
    private final boolean needsShares;
    private final boolean wholeNode;
    private final boolean looksAtUuids;

    /** The greatest number of idle GPUs, and of distinct GPUs, that one container asks for. */
    private final int mostIdle;

    private final int mostGpus;

    /** Made when first asked for. */
    private @Nullable LayoutPlan plan;

    /** What the rules between pods come to at the snapshot that is searched; null if there are none. */
    private final @Nullable RuleSet rules;

    /** A request whose placements share nothing with others. */
    public PodDemand(Pod pod) {
        this(pod, null);
    }

    /** A request whose placements share what they carry with others, if there is anything to share. */
    public PodDemand(Pod pod, @Nullable SharedValues shared) {
        this(pod, shared, null);
    }

    private PodDemand(Pod pod, @Nullable SharedValues shared, @Nullable RuleSet rules) {
        this.rules = rules;
        this.pod = pod;
        this.shared = shared;
        this.resources = pod.resources();
        boolean whole = false;
        boolean shares = false;
        boolean all = false;
        boolean uuids = false;
        int idle = 0;
        int gpus = 0;
        this.gpuContainers = withGpus(pod.containers());
        for (int i = 0; i < gpuContainers.size(); i++) {
            GpuRequest request = gpuContainers.get(i).gpu();
            uuids |= request.selector().looksAtUuids();
            whole |= request.takesWhole();
            shares |= !request.takesWhole();
            all |= request.takesNode();
            idle = Math.max(idle, request.takesWhole() ? request.count() : 0);
            gpus = Math.max(gpus, request.count());
        }
        needsWhole = whole;
        needsShares = shares;
        wholeNode = all;
        looksAtUuids = uuids;
        mostIdle = idle;
        mostGpus = gpus;
        boolean plain = gpuContainers.size() == 1 && gpuContainers.get(0).kind() != ContainerKind.INIT;
        single = plain ? gpuContainers.get(0).gpu() : gpuContainers.isEmpty() ? GpuRequest.none() : null;
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

    /** Returns this request at a snapshot at which its rules, and those of running pods, come to this. */
    public PodDemand with(RuleSet value) {
        return new PodDemand(pod, shared, value);
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
        List<NodeRequirement> more = rules == null ? List.of() : rules.requirements();
        return more.isEmpty()
                ? pod.nodeSelector()
                : pod.nodeSelector().and(NodeSelector.all(more.toArray(NodeRequirement[]::new)));
    }

    public Pod pod() {
        return pod;
    }

    /** Returns this allocation or an equal one, as {@link SharedValues#shared(long, Allocation)} does. */
    Allocation shared(long hash, Allocation allocation) {
        return shared == null
                ? allocation
                : shared.shared(31 * hash + pod.spec().hashCode(), allocation);
    }

    public Resources resources() {
        return resources;
    }

    /** The containers that ask for GPUs, in the pod's order. */
    public List<Container> gpuContainers() {
        return gpuContainers;
    }

    @Nullable
    public GpuRequest single() {
        return single;
    }

    /** Whether any container takes GPUs whole. */
    public boolean needsWhole() {
        return needsWhole;
    }

    /** Whether any container takes parts of GPUs. */
    public boolean needsShares() {
        return needsShares;
    }

    public boolean wholeNode() {
        return wholeNode;
    }

    public boolean looksAtUuids() {
        return looksAtUuids;
    }

    public int mostIdle() {
        return mostIdle;
    }

    public int mostGpus() {
        return mostGpus;
    }

    /** Whether counting the GPUs that would do settles whether the request fits on a node. */
    public boolean countsDecide() {
        return single != null && !single.selector().sameNumaNode();
    }

    /** In which order its containers are laid out, for a pod that needs more than one GPU container laid out. */
    LayoutPlan plan() {
        LayoutPlan known = plan;
        if (known == null) {
            known = new LayoutPlan(this);
            plan = known;
        }
        return known;
    }
}
