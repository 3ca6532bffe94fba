package io.gpusched.manifests.view;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.koordinator.KoordinatorDialect;
import io.gpusched.manifests.dialect.Koordinator;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.dialect.ResidentPods;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Puts all pods that run on a node back there, whatever became of it: on GPUs that are broken by now, with less CPU and
 * memory than asked where the node has too little. One that holds the whole node beside others, who came past this
 * scheduler, as the pods of a DaemonSet do, holds all GPUs and what they leave. Where GPUs are claimed twice, or it cannot be told
 * which a pod has, as many are set aside as it may hold: see {@link UnreadableGrant}.
 */
final class NodeFill {
    private final Node node;
    private final NamedDialect named;
    private final List<Placement> placements = new ArrayList<>();
    private final List<Trouble> troubles = new ArrayList<>();
    private final int pods;

    /** To be placed after all others. */
    private final List<Runnable> holders = new ArrayList<>();

    /** To be placed after these. */
    private final List<Runnable> unreadable = new ArrayList<>();

    private final Set<Integer> shut = new HashSet<>();
    private final List<SetAside> setAside = new ArrayList<>();
    private Cluster cluster;
    private Node reported;
    private boolean squeezed;
    private boolean inDoubt;

    private NodeFill(NodeTranslation translation, Collection<RunningPod> residents, int pods) {
        this.node = ResidentPods.with(
                translation.node(), residents.stream().map(RunningPod::manifest).toList());
        this.reported = node;
        this.named = translation.named();
        this.pods = pods;
        this.cluster = Cluster.of(List.of(open(node, pods)));
    }

    static NodeFill of(NodeTranslation translation, NodeEntry entry) {
        NodeFill fill =
                new NodeFill(translation, entry.residents.values(), entry.running.size() + entry.assumed.size());
        // whose GPUs are known keep them; pods with only a known number of GPUs are counted on others
        List<RunningPod> counted = new ArrayList<>();
        for (RunningPod pod : entry.running.values()) {
            if (RunningPlacement.isCountedOnly(pod, translation.named())) {
                counted.add(pod);
            } else {
                fill.add(pod);
            }
        }
        entry.assumed.values().forEach(fill::add);
        counted.forEach(fill::add);
        fill.holders.forEach(Runnable::run);
        fill.unreadable.forEach(Runnable::run);
        if (RunningPlacement.reportsNumber(fill.named.dialect())) {
            fill.healthy();
        }
        return fill;
    }

    /** A node on which so many pods can be placed, on GPUs that are broken too. */
    static Node open(Node node, int pods) {
        Node open = node.toBuilder().maxPods(Math.max(node.maxPods(), pods)).build();
        for (Gpu gpu : node.gpus()) {
            open = gpu.healthy() ? open : open.withGpuHealth(gpu.index(), true);
        }
        return open;
    }

    private NodeState state() {
        return cluster.node(0);
    }

    private void add(RunningPod running) {
        try {
            Placement placement = RunningPlacement.of(running, state(), named);
            if (placement.holdsWholeNode()) {
                holders.add(() -> placeOrDoubt(running, held(placement)));
            } else {
                placeOrDoubt(running, placement);
            }
        } catch (RuntimeException e) {
            doubt(running, "GrantUnreadable", String.valueOf(e.getMessage()), claimed(running));
        }
    }

    private void placeOrDoubt(RunningPod running, Placement placement) {
        try {
            place(placement);
        } catch (PlacementConflictException e) {
            String problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            doubt(running, "GrantConflict", problem, Set.copyOf(placement.gpus()));
        }
    }

    private void add(Placement assumed) {
        if (assumed.holdsWholeNode()) {
            holders.add(() -> placeOrDoubt(held(assumed)));
        } else {
            placeOrDoubt(assumed);
        }
    }

    private void placeOrDoubt(Placement assumed) {
        try {
            place(assumed);
        } catch (PlacementConflictException e) {
            inDoubt = true;
            setAside(assumed, Set.copyOf(assumed.gpus()));
        }
    }

    /** What one that holds the whole node has beside others: all GPUs, and as much of the rest as they leave. */
    private Placement held(Placement whole) {
        if (pods == 1) {
            Resources has = whole.resources().min(free());
            squeezed |= !has.equals(whole.resources());
            return with(whole, has, whole.containers());
        }
        squeezed = true;
        List<Integer> all = node.gpus().stream().map(Gpu::index).toList();
        List<ContainerGrant> grants = whole.containers().stream()
                .map(grant -> grant.gpus() instanceof GpuGrant.WholeNode && !all.isEmpty()
                        ? new ContainerGrant(grant.container(), grant.kind(), new GpuGrant.Whole(all))
                        : new ContainerGrant(grant.container(), grant.kind(), GpuGrant.none()))
                .toList();
        return with(whole, free(), grants);
    }

    /** The GPUs that annotations of its dialect name, or of Koordinator where a pod asks for its resources, whatever else is wrong with them. */
    private Set<Integer> claimed(RunningPod running) {
        Set<Integer> claimed = new HashSet<>();
        boolean isOfKoordinator = running.manifest().annotations().containsKey(KoordinatorDialect.ALLOCATED);
        Dialect dialect = isOfKoordinator ? Koordinator.dialect().dialect() : named.dialect();
        try {
            for (int c = 0; c < running.manifest().containers().size(); c++) {
                claimed.addAll(dialect.heldGpus(running.manifest(), c, node));
            }
        } catch (RuntimeException e) {
            return Set.of();
        }
        claimed.removeIf(gpu -> gpu < 0 || gpu >= node.gpus().size());
        return claimed;
    }

    private void doubt(RunningPod running, String reason, String problem, Set<Integer> claimed) {
        inDoubt = true;
        unreadable.add(() -> setAside(running, reason, problem, claimed));
    }

    /** As many GPUs as a pod asks for, among the GPUs that it claims where it claims any. */
    private void setAside(RunningPod running, String reason, String problem, Set<Integer> claimed) {
        int most = UnreadableGrant.most(running, named, node.gpus().size());
        int gpus = setAside(withoutGpus(running), UnreadableGrant.choose(state(), most, claimed));
        if (gpus > 0) {
            setAside.add(new SetAside(node.name(), running.id(), gpus, problem));
        }
        troubles.add(new Trouble(
                "Pod",
                running.id().namespace(),
                running.id().name(),
                running.uid(),
                reason,
                problem + "; of node \"" + node.name() + "\" " + gpus
                        + " of the GPUs that it may hold are set aside while it is there"));
    }

    /** Where a node says how many GPUs can be given out and not which, the held GPUs are the first of them. */
    private void healthy() {
        long most = node.gpus().stream().filter(Gpu::healthy).count();
        if (most == node.gpus().size()) {
            return;
        }
        squeezed = true;
        reported = node;
        List<Integer> heldFirst = node.gpus().stream()
                .map(Gpu::index)
                .sorted(Comparator.comparing(gpu -> state().isIdle(gpu)))
                .toList();
        for (int i = 0; i < heldFirst.size(); i++) {
            reported = reported.withGpuHealth(heldFirst.get(i), i < most);
        }
    }

    /** Of a GPU that is cut others keep what they have, and nothing more is given out. */
    private int setAside(Placement bare, Set<Integer> chosen) {
        Set<Integer> cut = chosen.stream().filter(state()::isCut).collect(Collectors.toSet());
        shut.addAll(cut);
        Placement held = with(bare, bare.resources(), UnreadableGrant.grants(bare, state(), chosen));
        place(held);
        return cut.size() + held.gpus().size();
    }

    /** One whose amounts cannot be told may take all that is left. */
    private Placement withoutGpus(RunningPod running) {
        try {
            return ResidentPods.withoutGpus(running.manifest(), state());
        } catch (RuntimeException e) {
            squeezed = true;
            List<ContainerGrant> none = running.manifest().containers().stream()
                    .map(container -> new ContainerGrant(container.name(), container.kind(), GpuGrant.none()))
                    .toList();
            return new Placement(running.id(), node.name(), free(), none);
        }
    }

    private void place(Placement placement) {
        Placement fitting = placement;
        if (!placement.holdsWholeNode() && !placement.resources().fitsIn(free())) {
            squeezed = true;
            fitting = with(placement, placement.resources().min(free()), placement.containers());
        }
        cluster = cluster.with(fitting);
        placements.add(fitting);
    }

    private Resources free() {
        return free(state());
    }

    private static Resources free(NodeState state) {
        return new Resources(state.freeCpuMillis(), state.freeMemoryMib(), state.freeNamed());
    }

    private static Placement with(Placement placement, Resources resources, List<ContainerGrant> grants) {
        Placement changed = new Placement(placement.pod(), placement.node(), resources, grants);
        return placement.spec().map(changed::withSpec).orElse(changed).withGroup(placement.group());
    }

    /** Whether the node differs from what the API server says of it and of its pods. */
    boolean isTroubled() {
        return squeezed || inDoubt || placements.size() > node.maxPods();
    }

    /** The node on which all pods can be placed. */
    Node open() {
        return open(node, placements.size());
    }

    /** The node as it is once all pods are placed. */
    Node shut() {
        Node filled = reported.toBuilder()
                .maxPods(Math.max(node.maxPods(), placements.size()))
                .build();
        for (int gpu : shut) {
            filled = filled.withGpuHealth(gpu, false);
        }
        return filled;
    }

    List<Placement> placements() {
        return placements;
    }

    List<Trouble> troubles() {
        return troubles;
    }

    /** The pods that GPUs are set aside for. */
    List<SetAside> setAside() {
        return setAside;
    }
}
