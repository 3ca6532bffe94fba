package io.gpusched.cli.place;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Decides about all that is asked, one after the other, each on the cluster that the one before left. */
final class Placer {
    private final Optional<Dialect> dialect;
    private final Optional<DialectScheduler> dialectScheduler;
    private final GpuScheduler scheduler;

    /** Whether pods are placed by a policy that was named, not by the dialect's own rule. */
    private final boolean byPolicy;

    private Cluster cluster;

    Placer(Cluster cluster, Optional<Dialect> dialect, Optional<PlacementPolicy> policy) {
        this.cluster = cluster;
        this.dialect = dialect;
        this.dialectScheduler = dialect.map(DialectScheduler::of);
        this.scheduler = policy.map(GpuScheduler::of).orElseGet(GpuScheduler::create);
        this.byPolicy = policy.isPresent();
    }

    /** Returns the cluster with all that was placed. */
    Cluster cluster() {
        return cluster;
    }

    List<Answer> place(PlaceRequest asked) {
        List<Answer> answers = new ArrayList<>();
        asked.groups().forEach(group -> answers.add(placeGroup(group, asked)));
        asked.pods().forEach(pod -> answers.add(place(pod, asked)));
        return answers;
    }

    private Answer placeGroup(AskedGroup asking, PlaceRequest asked) {
        asking.after().forEach(pod -> cluster.placement(pod).ifPresent(ended -> cluster = cluster.without(ended)));
        List<PodGroup> ways = asking.ways();
        String subject = "group \"" + ways.get(0).name() + "\"";
        Answer answer = null;
        for (PodGroup group : ways) {
            GroupDecision decision = decide(group, asked);
            if (decision instanceof GroupPlaced placed) {
                return found(subject, placed, asked);
            }
            answer = new Answer.NoRoom(subject, ((Unschedulable) decision).diagnosis(), Map.of());
        }
        return Objects.requireNonNull(answer);
    }

    private Answer found(String subject, GroupPlaced placed, PlaceRequest asked) {
        cluster = cluster.withAll(placed.placements());
        List<Answer.Part> parts =
                placed.placements().stream().map(found -> part(found, asked)).toList();
        List<Answer.Waiting> waiting = placed.waiting().stream()
                .map(pod -> new Answer.Waiting(
                        pod.toString(),
                        Optional.ofNullable(placed.refusals().get(pod)).map(Unschedulable::diagnosis)))
                .toList();
        return new Answer.Found(subject, parts, waiting, placed.warnings());
    }

    private Answer place(Pod pod, PlaceRequest asked) {
        String subject = "pod \"" + pod.id() + "\"";
        Optional<PodManifest> manifest = Optional.ofNullable(asked.manifests().get(pod.id()));
        Decision decision = decide(pod, manifest);
        if (decision instanceof Placed placed) {
            cluster = cluster.with(placed.placement());
            return new Answer.Found(subject, List.of(part(placed.placement(), asked)), List.of(), placed.warnings());
        }
        Map<String, String> words = manifest.isPresent() && dialectScheduler.isPresent()
                ? words(pod, dialectScheduler.get().refusals(cluster, manifest.get()))
                : Map.of();
        return new Answer.NoRoom(subject, ((Unschedulable) decision).diagnosis(), words);
    }

    /** Members that came as manifests are placed by the dialect's own rule, as single pods are. */
    private GroupDecision decide(PodGroup group, PlaceRequest asked) {
        boolean asManifests =
                group.pods().stream().allMatch(pod -> asked.manifests().containsKey(pod.id()));
        return asManifests && dialectScheduler.isPresent() && !byPolicy
                ? dialectScheduler.get().schedule(cluster, group, asked.manifests())
                : scheduler.schedule(cluster, group);
    }

    private Decision decide(Pod pod, Optional<PodManifest> manifest) {
        return manifest.isPresent() && dialectScheduler.isPresent() && !byPolicy
                ? dialectScheduler.get().schedule(cluster, manifest.get())
                : scheduler.schedule(cluster, pod);
    }

    /** The system's own words of nodes that would take the pod if it asked for no GPUs: of the others they are untrue. */
    private Map<String, String> words(Pod pod, Map<String, String> all) {
        List<Container> bare = pod.containers().stream()
                .map(container ->
                        new Container(container.name(), container.kind(), container.resources(), GpuRequest.none()))
                .toList();
        Pod without =
                new Pod(pod.id(), bare, pod.nodeSelector(), pod.tolerations(), pod.overhead()).withRules(pod.rules());
        Map<String, String> words = new LinkedHashMap<>(all);
        words.keySet().removeIf(name -> {
            NodeState node = cluster.node(name).orElseThrow();
            return scheduler.place(node, without).isEmpty();
        });
        return words;
    }

    private Answer.Part part(Placement placement, PlaceRequest asked) {
        PodManifest manifest = asked.manifests().get(placement.pod());
        BindingMetadata metadata = manifest == null || dialect.isEmpty()
                ? BindingMetadata.NOTHING
                : dialect.get()
                        .write(
                                manifest,
                                cluster.node(placement.node()).orElseThrow().node(),
                                manifest.withoutClaimed(placement));
        return new Answer.Part(placement, metadata);
    }
}
