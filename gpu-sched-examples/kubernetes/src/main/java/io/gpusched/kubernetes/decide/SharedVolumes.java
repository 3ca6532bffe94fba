package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.volume.AttachLimits;
import io.gpusched.kubernetes.volume.AttachedVolumes;
import io.gpusched.kubernetes.volume.CsiVolume;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A volume that several pods of a node use takes of the node's attach limit once, which no fixed amount that each of them asks for can
 * say. So a pod asks for the volumes that it alone uses. Volumes that it shares, with pods that wait or with pods that run, are looked at
 * twice: nodes that could not attach them now beside its own are left out before a plan is made, and the plan is counted volume by volume
 * afterwards. Where it exceeds a limit the pods that do so are kept from that node, and the plan is made again.
 *
 * <p>O(nodes with a limit) for each set of volumes that pods share. Not thread-safe.
 */
final class SharedVolumes {
    private final Tables tables;
    private final VolumeCharges charges;
    private final AttachLimits limits;

    /** Pods of a job that use the same volumes. */
    private record Kind(Unit unit, Set<CsiVolume> volumes) {
        static Kind of(Request.Ready ready) {
            return new Kind(Unit.of(ready.pod()), ready.volumes());
        }
    }

    /** How many pods that wait use a volume. */
    private final Map<CsiVolume, Integer> users = new HashMap<>();

    /** The nodes that pods of a job which use the same volumes are kept from, until the round ends. */
    private final Map<Kind, Set<String>> keptFrom = new HashMap<>();

    private final Map<List<Object>, Set<String>> full = new HashMap<>();

    SharedVolumes(Tables tables, VolumeCharges charges, AttachLimits limits) {
        this.tables = tables;
        this.charges = charges;
        this.limits = limits;
    }

    /** A round begins, which may make several plans. */
    void begin() {
        keptFrom.clear();
    }

    /** These pods wait for the next plan. */
    void count(Collection<Request.Ready> waiting) {
        users.clear();
        full.clear();
        waiting.forEach(ready -> ready.volumes().forEach(volume -> users.merge(volume, 1, Integer::sum)));
    }

    /** Returns a request as it is asked in the next plan. */
    Request.Ready asked(Request.Ready ready) {
        if (ready.volumes().isEmpty()) {
            return ready;
        }
        Set<CsiVolume> shared = shared(ready);
        Set<CsiVolume> own = new HashSet<>(ready.volumes());
        own.removeAll(shared);
        Map<String, Long> amounts = AttachedVolumes.amounts(own);
        Set<String> closed = new TreeSet<>(keptFrom.getOrDefault(Kind.of(ready), Set.of()));
        if (!shared.isEmpty()) {
            closed.addAll(full.computeIfAbsent(List.of(shared, amounts), any -> full(shared, amounts)));
        }
        NodeSelector nodes = closed.isEmpty()
                ? NodeSelector.ANY
                : NodeSelector.all(new NodeRequirement(
                        NodeRequirement.NAME, NodeRequirement.Operator.NOT_IN, List.copyOf(closed)));
        return ready.asking(AttachLimits.with(ready.manifest(), amounts).onNodes(nodes));
    }

    /** Those of the volumes of a pod that other pods use as well. */
    private Set<CsiVolume> shared(Request.Ready ready) {
        Set<CsiVolume> shared = new HashSet<>(ready.volumes());
        shared.removeIf(volume -> users.getOrDefault(volume, 0) < 2 && !charges.isAttached(volume));
        return shared;
    }

    /** The nodes that cannot attach these volumes beside others of these amounts. */
    private Set<String> full(Set<CsiVolume> shared, Map<String, Long> own) {
        Cluster cluster = tables.book().cluster();
        Set<String> nodes = new TreeSet<>();
        for (String name : limits.limiting(shared)) {
            Map<String, Long> amounts = new HashMap<>(charges.lacking(name, shared));
            own.forEach((resource, amount) -> amounts.merge(resource, amount, Long::sum));
            NodeState node = cluster.node(name).orElse(null);
            if (node != null
                    && amounts.entrySet().stream()
                            .anyMatch(one -> node.freeNamed().amount(one.getKey()) < one.getValue())) {
                nodes.add(name);
            }
        }
        return nodes;
    }

    /**
     * Keeps pods from nodes whose limits they would exceed by a plan, of each job those of one kind from one node, as its other pods may go
     * elsewhere then; returns whether there are any.
     *
     * @param ready the pods that wait
     */
    boolean exceed(Plan plan, Map<PodId, Request.Ready> ready) {
        Cluster now = tables.book().cluster();
        List<PodId> tried = new ArrayList<>();
        Set<Unit> exceeding = new HashSet<>();
        for (PlanStep.Bind step : plan.bindings()) {
            Request.Ready one = ready.get(step.pod());
            if (one == null || one.volumes().isEmpty()) {
                continue;
            }
            Placement charged = charges.tryOut(step.placement(), one.volumes());
            try {
                now = now.with(charged);
                tried.add(step.pod());
            } catch (PlacementConflictException e) {
                charges.forget(step.pod());
                if (exceeding.add(Unit.of(one.pod()))) {
                    keptFrom.computeIfAbsent(Kind.of(one), any -> new TreeSet<>())
                            .add(step.placement().node());
                }
            }
        }
        tried.forEach(charges::forget);
        return !exceeding.isEmpty();
    }

    /** Returns what is to be added to a refusal of a pod for which nodes were left out; empty if none was. */
    String words(Request.Ready ready) {
        Set<CsiVolume> shared = shared(ready);
        Set<String> nodes = new TreeSet<>(keptFrom.getOrDefault(Kind.of(ready), Set.of()));
        full.forEach((key, closed) -> {
            if (key.get(0).equals(shared)) {
                nodes.addAll(closed);
            }
        });
        return nodes.isEmpty()
                ? ""
                : "\n  "
                        + String.join(
                                ", ", AttachedVolumes.amounts(ready.volumes()).keySet()) + ": no room for volumes on "
                        + nodes.size() + (nodes.size() == 1 ? " node" : " nodes") + AttachLimits.WORDS;
    }
}
