package io.gpusched.examples.place;

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
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides about all that is asked, one after the other, each on the cluster that the one before left. */
final class Placer {
    private final Optional<Dialect> dialect;
    private final Optional<DialectScheduler> scheduler;
    private Cluster cluster;

    Placer(Cluster cluster, Optional<Dialect> dialect) {
        this.cluster = cluster;
        this.dialect = dialect;
        this.scheduler = dialect.map(DialectScheduler::of);
    }

    List<Answer> place(Asked asked) {
        List<Answer> answers = new ArrayList<>();
        asked.group().ifPresent(group -> answers.add(place(group, asked)));
        asked.pods().forEach(pod -> answers.add(place(pod, asked)));
        return answers;
    }

    private Answer place(PodGroup group, Asked asked) {
        String subject = "group \"" + group.name() + "\"";
        GroupDecision decision = GpuScheduler.create().schedule(cluster, group);
        if (decision instanceof GroupPlaced placed) {
            List<Answer.Part> parts = placed.placements().stream()
                    .map(found -> part(found, asked))
                    .toList();
            List<String> waiting =
                    placed.waiting().stream().map(Object::toString).toList();
            return new Answer.Found(subject, parts, waiting);
        }
        return new Answer.NoRoom(subject, ((Unschedulable) decision).diagnosis(), Map.of());
    }

    private Answer place(Pod pod, Asked asked) {
        String subject = "pod \"" + pod.id() + "\"";
        PodManifest manifest = asked.manifests().get(pod.id().toString());
        Decision decision = manifest != null && scheduler.isPresent()
                ? scheduler.get().schedule(cluster, manifest)
                : GpuScheduler.create().schedule(cluster, pod);
        if (decision instanceof Placed placed) {
            cluster = cluster.with(placed.placement());
            return new Answer.Found(subject, List.of(part(placed.placement(), asked)), List.of());
        }
        Map<String, String> words =
                manifest != null && scheduler.isPresent()
                ? scheduler.get().refusals(cluster, manifest)
                : Map.of();
        return new Answer.NoRoom(subject, ((Unschedulable) decision).diagnosis(), words);
    }

    private Answer.Part part(Placement placement, Asked asked) {
        PodManifest manifest = asked.manifests().get(placement.pod().toString());
        BindingMetadata writing = manifest == null || dialect.isEmpty()
                ? BindingMetadata.NOTHING
                : dialect.get()
                        .write(
                                manifest,
                                cluster.node(placement.node()).orElseThrow().node(),
                                placement);
        return new Answer.Part(placement, writing);
    }
}
