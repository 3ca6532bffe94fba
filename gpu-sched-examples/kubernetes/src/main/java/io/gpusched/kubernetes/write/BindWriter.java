package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.kubernetes.decide.Binding;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.volume.VolumeBook;
import io.gpusched.kubernetes.write.ApiWriter.Lane;
import io.gpusched.kubernetes.write.ApiWriter.Write;
import io.gpusched.manifests.claim.ExtendedClaim;
import io.gpusched.manifests.grant.PodBinding;
import io.gpusched.model.PodId;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes bindings: one write for each pod, which carries the grant as annotations, and the pod's identity and version as
 * preconditions, so that it changes nothing if the pod is not the one that was decided on. If only something changed that the
 * decision does not depend on, such as a condition, the same binding is written for the pod's new version.
 *
 * <p>A write that gets no clear answer is repeated until it gets one. So what is reported as not bound never will be, and its
 * GPUs may be given to others. Thread-safe.
 */
public final class BindWriter {
    private static final Logger LOG = LoggerFactory.getLogger(BindWriter.class);

    private static final int CONFLICT = 409;
    private static final int MOST_CONFLICTS = 10;

    /** Answers after which the pod is another by now, or gone: no event is written. */
    private static final Set<Integer> OUTDATED = Set.of(404, CONFLICT);

    private final ApiWriter writer;
    private final DeviceClaimWriter devices;
    private final Consumer<Change> results;
    private final BindCounts counts;
    private final EventWriter events;

    /**
     * Creates it.
     *
     * @param results told of bindings that will never be
     * @param events told to people: where a pod was bound, and why the server refused it
     */
    public BindWriter(ApiWriter writer, Consumer<Change> results, BindCounts counts, EventWriter events) {
        this.writer = writer;
        this.devices = new DeviceClaimWriter(writer.requests());
        this.results = results;
        this.counts = counts;
        this.events = events;
    }

    /** Writes a binding in the background; one with claims tells these the node and leaves the pod for later. */
    public void write(Binding binding) {
        Write first = binding.claims().isEmpty() ? allocateOrBind(binding, 0) : new Select(binding);
        writer.put(Lane.BINDINGS, new Key(binding.pod().uid()), 0, first);
    }

    /** The claims for devices one after the other, then the binding itself. */
    private Write allocateOrBind(Binding binding, int claim) {
        return claim < binding.devices().size() ? new Allocate(binding, claim) : new Bind(binding, binding.write());
    }

    private record Key(String pod) {}

    /** A write whose failure is either not clear, or the end of the binding. */
    private abstract class Step implements Write {
        final Binding binding;

        Step(Binding binding) {
            this.binding = binding;
        }

        /** The names of the claims for devices that were written before. */
        Set<String> allocated() {
            return names(binding.devices());
        }

        @Override
        public boolean isTriedAgain(KubernetesClientException e, int attempts) {
            if (!Answers.isPassing(e)) {
                lost(binding, e, allocated());
                return false;
            }
            counts.repeated();
            LOG.atWarn()
                    .addKeyValue("pod", binding.pod().id())
                    .addKeyValue("status", e.getCode())
                    .addKeyValue("attempt", attempts)
                    .log("binding not answered, trying again");
            return true;
        }
    }

    private static Set<String> names(List<Binding.DeviceClaim> claims) {
        return claims.stream().map(Binding.DeviceClaim::name).collect(Collectors.toSet());
    }

    /** Gives a claim its devices. After a conflict it is looked at again. */
    private final class Allocate extends Step {
        private final int claim;

        Allocate(Binding binding, int claim) {
            super(binding);
            this.claim = claim;
        }

        @Override
        Set<String> allocated() {
            return names(binding.devices().subList(0, claim));
        }

        @Override
        public Write run() {
            Binding.DeviceClaim written = binding.devices().get(claim);
            devices.write(binding, written);
            written.extended().ifPresent(extended -> tell(written.name(), extended));
            return allocateOrBind(binding, claim + 1);
        }

        /** Tells the pod which requests serve its extended resources, for its kubelet. */
        private void tell(String name, ExtendedClaim extended) {
            List<Map<String, String>> mappings = extended.mappings().stream()
                    .map(one -> Map.of(
                            "containerName", one.container(),
                            "resourceName", one.resource(),
                            "requestName", one.request()))
                    .toList();
            Map<String, Object> status = Map.of("resourceClaimName", name, "requestMappings", mappings);
            writer.requests()
                    .patchPod(
                            binding.pod().id(),
                            binding.pod().uid(),
                            Map.of(),
                            Map.of("extendedResourceClaimStatus", status));
        }

        @Override
        public boolean isTriedAgain(KubernetesClientException e, int attempts) {
            if (attempts < MOST_CONFLICTS && DeviceClaimWriter.isConflict(e)) {
                counts.repeated();
                return true;
            }
            return super.isTriedAgain(e, attempts);
        }
    }

    private final class Bind extends Step {
        private final PodBinding write;

        Bind(Binding binding, PodBinding write) {
            super(binding);
            this.write = write;
        }

        @Override
        public @Nullable Write run() {
            PodId id = binding.pod().id();
            try {
                writer.requests()
                        .post(
                                "/api/v1/namespaces/" + id.namespace() + "/pods/" + id.name() + "/binding",
                                write.object());
            } catch (KubernetesClientException e) {
                if (e.getCode() == CONFLICT) {
                    return new Settle(this, e);
                }
                throw e;
            }
            bound(binding);
            return null;
        }
    }

    /**
     * A conflict may be the answer to a write of ours that came through before, or to one that came between, such as that of a condition:
     * the pod itself tells. If it still waits and asks for the same, the binding is written for its new version.
     */
    private final class Settle extends Step {
        private final Bind bind;
        private final KubernetesClientException conflict;

        Settle(Bind bind, KubernetesClientException conflict) {
            super(bind.binding);
            this.bind = bind;
            this.conflict = conflict;
        }

        @Override
        public @Nullable Write run() {
            PodId id = binding.pod().id();
            Pod pod = writer.client()
                    .pods()
                    .inNamespace(id.namespace())
                    .withName(id.name())
                    .get();
            if (pod != null && bind.write.isHeldBy(pod)) {
                bound(binding);
                return null;
            }
            if (pod != null && bind.write.mayBeHeldBy(pod) && binding.pod().isAskedBy(pod)) {
                counts.repeated();
                return new Bind(binding, bind.write.on(pod));
            }
            lost(binding, conflict, allocated());
            return null;
        }

        /** Until it is known what the pod says. */
        @Override
        public boolean isTriedAgain(KubernetesClientException e, int attempts) {
            return Answers.isPassing(e) ? super.isTriedAgain(e, attempts) : true;
        }
    }

    /** Tells volume claims the node of their first consumer, so that their volumes are made there. */
    private final class Select extends Step {
        Select(Binding binding) {
            super(binding);
        }

        @Override
        Set<String> allocated() {
            return Set.of();
        }

        @Override
        public @Nullable Write run() {
            Map<String, Object> change = Map.of(
                    "metadata",
                    Map.of(
                            "annotations",
                            Map.of(VolumeBook.SELECTED_NODE, binding.placement().node())));
            for (String claim : binding.claims()) {
                writer.requests()
                        .patch(
                                "/api/v1/namespaces/" + binding.pod().id().namespace() + "/persistentvolumeclaims/"
                                        + claim,
                                ApiWrites.MERGE,
                                change);
            }
            return null;
        }
    }

    private void bound(Binding binding) {
        counts.bound(age(binding));
        events.write(
                EventSubject.of(binding.pod().object()),
                "Normal",
                "Scheduled",
                "assigned to " + binding.placement().node());
        PodId id = binding.pod().id();
        LOG.atInfo()
                .addKeyValue("pod", id.namespace() + "/" + id.name())
                .addKeyValue("node", binding.placement().node())
                .addKeyValue("gpus", binding.placement().gpus())
                .log("bound");
    }

    /** The API server says it in whole seconds, by its own clock. */
    private static Duration age(Binding binding) {
        String created = binding.pod().object().getMetadata().getCreationTimestamp();
        try {
            Duration age = Duration.between(Instant.parse(String.valueOf(created)), Instant.now());
            return age.isNegative() ? Duration.ZERO : age;
        } catch (DateTimeParseException e) {
            return Duration.ZERO;
        }
    }

    private void lost(Binding binding, KubernetesClientException refusal, Set<String> allocated) {
        String node = binding.placement().node();
        String why = String.valueOf(refusal.getMessage());
        counts.lost();
        LOG.atWarn()
                .addKeyValue("pod", binding.pod().id())
                .addKeyValue("node", node)
                .addKeyValue("why", why)
                .log("not bound");
        if (!OUTDATED.contains(refusal.getCode())) {
            events.write(
                    EventSubject.of(binding.pod().object()),
                    "Warning",
                    "FailedScheduling",
                    "cannot be bound to node " + node + ": " + why);
        }
        results.accept(new Change.NotBound(binding.pod().id(), binding.pod().uid(), why, allocated));
    }
}
