package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.volume.VolumeBook;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Bindings that wait for their volumes to be made on the node that was chosen, each for a time and no longer: what a pod is to hold
 * there is kept from others meanwhile. Not thread-safe.
 */
final class AwaitedVolumes {
    private final VolumeBook volumes;
    private final PodTable pods;
    private final PodLives lives;
    private final long longestMillis;
    private final Map<PodId, Long> until = new HashMap<>();
    private final List<Binding> made = new ArrayList<>();
    private final List<Refusal> refusals = new ArrayList<>();

    AwaitedVolumes(VolumeBook volumes, PodTable pods, PodLives lives, long longestMillis) {
        this.volumes = volumes;
        this.pods = pods;
        this.lives = lives;
        this.longestMillis = longestMillis;
    }

    /** These were decided just now. */
    void add(List<Binding> bindings, long now) {
        bindings.stream()
                .filter(binding -> !binding.claims().isEmpty())
                .forEach(binding -> until.put(binding.pod().id(), now + longestMillis));
    }

    /**
     * Bindings whose volumes have been made may be written. A provisioner that cannot make one on the node takes the node
     * from the claim; then the pod is placed again.
     */
    void look(long now) {
        for (PodRow row : pods.binding()) {
            Binding binding = Objects.requireNonNull(row.binding());
            if (binding.claims().isEmpty()) {
                continue;
            }
            String namespace = row.id().namespace();
            if (binding.claims().stream().anyMatch(claim -> volumes.isRejected(namespace, claim))) {
                until.remove(row.id());
                lives.notBound(new Change.NotBound(row.id(), row.uid(), "a volume cannot be made on the node"), now);
            } else if (binding.claims().stream().allMatch(claim -> volumes.isBound(namespace, claim))) {
                Binding next = new Binding(binding.pod(), binding.write(), List.of(), binding.devices());
                pods.put(row.bindingTo(next, row.claims()));
                until.remove(row.id());
                made.add(next);
            }
        }
    }

    /** Pods whose time is over wait again, and what they were to hold is free; returns whether there are any. */
    boolean expire(long now) {
        int before = refusals.size();
        for (PodId id : List.copyOf(until.keySet())) {
            PodRow row = pods.row(id);
            Binding binding = row == null ? null : row.binding();
            if (binding == null || binding.claims().isEmpty()) {
                until.remove(id);
            } else if (Objects.requireNonNull(until.get(id)) <= now) {
                String problem = "volume claims " + binding.claims() + " were not provisioned on node \""
                        + binding.placement().node() + "\" within " + longestMillis / 1_000 + " s";
                until.remove(id);
                lives.gaveUp(new Change.NotBound(id, Objects.requireNonNull(row).uid(), problem), now);
                refusals.add(new Refusal(binding.pod(), PendingReason.PROVISIONING, () -> problem));
            }
        }
        return refusals.size() > before;
    }

    /** Moves what is to be written, and whose time is over, to the decisions. */
    void moveTo(Decisions decisions) {
        decisions.bindings().addAll(made);
        decisions.refusals().addAll(refusals);
        made.clear();
        refusals.clear();
    }

    /** When there is something to decide next: a time that is past if there is already. */
    OptionalLong nextAt() {
        return made.isEmpty() && refusals.isEmpty()
                ? until.values().stream().mapToLong(Long::longValue).min()
                : OptionalLong.of(Long.MIN_VALUE);
    }
}
