package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.kubernetes.decide.Binding;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.decide.Decisions;
import io.gpusched.kubernetes.decide.QueueSettings;
import io.gpusched.kubernetes.decide.Refusal;
import io.gpusched.kubernetes.decide.SchedulerState;
import io.gpusched.kubernetes.decide.Scope;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.manifests.claim.ClaimRequests;
import io.gpusched.manifests.claim.ClaimedGpus;
import io.gpusched.manifests.cluster.Kai;
import io.gpusched.manifests.cluster.PendingPods;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.cluster.SeenGroups;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.objects.OtherSchedulers;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What our scheduler would decide about one waiting pod, or about its group, as the cluster is: no other pod waits, its gates are open
 * and no queue holds it back.
 */
final class Question {
    private static final Scope SCOPE = Scope.of("gpu-sched-question");

    /** Late enough that no group waits for pods on their way. */
    private static final long NOW = 60_000;

    private final SeenCluster seen;
    private final Pod pod;
    private final List<String> notes = new ArrayList<>();
    private final Map<GroupKey, Change.GroupPut> groups;

    Question(SeenCluster seen, Pod pod) {
        this.seen = seen;
        this.pod = pod;
        this.groups = groups(seen.objects().groups());
    }

    /**
     * The answer.
     *
     * @param placement where the pod would go; empty if it has no place
     * @param members how many pods of its group are placed with it
     * @param refusal why it has none; empty if it has one
     */
    record Answer(Optional<Placement> placement, int members, String refusal) {}

    /** Returns what becomes of the claims of the pod and of the pods that wait with it; empty if they have none that are known. */
    Optional<ClaimQuestion.Answer> askClaims() {
        List<Pod> together = new ArrayList<>(List.of(pod));
        Optional<GroupKey> key = GroupVocabulary.groupOf(pod).filter(groups::containsKey);
        seen.waiting().stream()
                .filter(one -> key.isPresent() && GroupVocabulary.groupOf(one).equals(key))
                .filter(one -> !SeenCluster.idOf(one).equals(SeenCluster.idOf(pod)))
                .forEach(together::add);
        boolean isKnown = together.stream()
                .allMatch(one -> ClaimQuestion.missing(seen, one).isEmpty());
        boolean isAny = together.stream()
                .anyMatch(one -> !one.getSpec().getResourceClaims().isEmpty());
        return isAny && isKnown ? Optional.of(new ClaimQuestion(seen, together).ask()) : Optional.empty();
    }

    /** Returns what has to be said beside the answer. */
    List<String> notes() {
        return notes;
    }

    Answer ask() {
        return ask(asked());
    }

    private Answer ask(List<Pod> pods) {
        SchedulerState state = new SchedulerState(
                seen.dialects(), SCOPE, Backoff.DEFAULT, Long.MAX_VALUE / 2, Clock.systemUTC(), QueueSettings.NONE);
        List<Change> changes = new ArrayList<>();
        seen.nodes().forEach(node -> changes.add(new Change.NodePut(node)));
        seen.objects().namespaces().forEach(namespace -> changes.add(new Change.NamespacePut(namespace)));
        seen.objects().volumes().orElse(List.of()).forEach(object -> changes.add(new Change.VolumePut(object)));
        changes.addAll(groups.values());
        seen.holding().forEach(running -> changes.add(new Change.PodPut(running)));
        nominated(pods).forEach(kept -> changes.add(new Change.PodPut(kept)));
        pods.forEach(asked -> changes.add(new Change.PodPut(asked)));
        state.apply(changes, 0);
        return answer(state.decide(NOW));
    }

    /** Pods of other groups for which their scheduler keeps a node. */
    private List<Pod> nominated(List<Pod> asked) {
        Set<PodId> ids = asked.stream().map(SeenCluster::idOf).collect(Collectors.toSet());
        List<Pod> kept = PendingPods.of(seen).nominated(PendingPods.priority(pod), ids);
        kept.forEach(one -> note(PendingPods.words(one)));
        return kept;
    }

    private Answer answer(Decisions decisions) {
        PodId id = SeenCluster.idOf(pod);
        Optional<Placement> placement = decisions.bindings().stream()
                .map(Binding::placement)
                .filter(one -> one.pod().equals(id))
                .findFirst();
        String refusal = decisions.refusals().stream()
                .filter(one -> one.pod().id().equals(id))
                .map(Refusal::message)
                .map(message -> message.get())
                .findFirst()
                .orElse(placement.isPresent() ? "" : "nothing was decided about it");
        return new Answer(placement, decisions.bindings().size(), refusal);
    }

    private static Map<GroupKey, Change.GroupPut> groups(List<GenericKubernetesResource> objects) {
        Map<GroupKey, Change.GroupPut> groups = new LinkedHashMap<>();
        for (GenericKubernetesResource object : objects) {
            SeenGroups.spec(object).ifPresent(spec -> groups.put(spec.key(), new Change.GroupPut(spec, Map.of(), "")));
        }
        return groups;
    }

    /** The pod and those of its group that wait with it. */
    private List<Pod> asked() {
        Optional<GroupKey> key = GroupVocabulary.groupOf(pod);
        if (key.isPresent() && !groups.containsKey(key.get())) {
            notes.add("its group " + key.get() + " is not known; the pod is tried alone");
            return List.of(open(Kai.ungrouped(pod)));
        }
        return key.isEmpty()
                ? List.of(open(pod))
                : seen.waiting().stream()
                        .filter(one -> GroupVocabulary.groupOf(one).equals(key))
                        .map(this::open)
                        .toList();
    }

    /** The pod as this question's scheduler takes it: without gates, and without volumes where these are not known. */
    private Pod open(Pod asked) {
        OtherSchedulers.of(asked).forEach(one -> note(one.name() + ": " + one.problem()));
        return opened(seen.asked(asked));
    }

    private Pod opened(Pod asked) {
        Pod open = asked.edit()
                .editSpec()
                .withSchedulerName(SCOPE.schedulerName())
                .withSchedulingGates(List.of())
                .withPreemptionPolicy(null) // nothing is evicted for a question
                .withResourceClaims(List.of())
                .endSpec()
                .build();
        open.getSpec().getContainers().forEach(Question::withoutClaims);
        if (new ClaimRequests(
                                seen.objects().published().claims(),
                                List.of(seen.objects().published()))
                        .of(asked)
                instanceof ClaimedGpus.Refused refused) {
            note("kube does not place it: " + refused.why());
        }
        List<String> missing = ClaimQuestion.missing(seen, asked);
        if (!missing.isEmpty()) {
            note("its resource claims (" + String.join(", ", missing)
                    + ") are not looked at, for they are not among the objects; apart from them:");
        }
        if (seen.objects().volumes().isPresent() || !usesClaims(open)) {
            return open;
        }
        note("its volumes are not known and not looked at");
        return open.edit().editSpec().withVolumes(List.of()).endSpec().build();
    }

    static void withoutClaims(Container container) {
        if (container.getResources() != null) {
            container.getResources().setClaims(List.of());
        }
    }

    private void note(String note) {
        if (!notes.contains(note)) {
            notes.add(note);
        }
    }

    private static boolean usesClaims(Pod pod) {
        return pod.getSpec().getVolumes().stream()
                .anyMatch(volume -> volume.getPersistentVolumeClaim() != null || volume.getEphemeral() != null);
    }
}
