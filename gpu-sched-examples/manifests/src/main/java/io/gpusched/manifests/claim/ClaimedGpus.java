package io.gpusched.manifests.claim;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.dialect.PodManifest;
import io.gpusched.workload.Container;
import io.gpusched.workload.NodeSelector;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** What the claims of a pod ask for, in the library's terms, or why that cannot be said. */
public sealed interface ClaimedGpus {
    /**
     * GPUs of nodes that have those of their slices.
     *
     * @param requests one for each request of a claim that has no devices yet
     * @param nodes the nodes whose devices serve them, and from which devices of other claims can be reached
     * @param open the claims that are to be allocated
     * @param held the claims that have their devices already
     * @param shared claims that are to be allocated for another pod of its group, on whose node it must be
     * @param extended one of these claims, if it stands for extended resources of the pod
     */
    record Asked(
            List<Part> requests,
            NodeSelector nodes,
            List<SeenClaim> open,
            List<SeenClaim> held,
            List<SeenClaim> shared,
            Optional<ExtendedClaim> extended)
            implements ClaimedGpus {
        /** What a pod without claims asks for. */
        public static final Asked NOTHING =
                new Asked(List.of(), NodeSelector.ANY, List.of(), List.of(), List.of(), Optional.empty());

        /** Copies the lists. */
        public Asked {
            requests = List.copyOf(requests);
            Objects.requireNonNull(nodes, "nodes");
            open = List.copyOf(open);
            held = List.copyOf(held);
            shared = List.copyOf(shared);
            Objects.requireNonNull(extended, "extended");
        }

        /** Returns what is asked for if another pod of the group is given the devices of some of the open claims. */
        public Asked sharing(Set<String> claims) {
            return new Asked(
                    requests.stream()
                            .filter(part -> !claims.contains(part.claim()))
                            .toList(),
                    nodes,
                    open.stream()
                            .filter(claim -> !claims.contains(claim.claim().name()))
                            .toList(),
                    held,
                    open.stream()
                            .filter(claim -> claims.contains(claim.claim().name()))
                            .toList(),
                    extended);
        }

        /** Returns a pod without the resources that are claimed for it. */
        public Pod rest(Pod pod) {
            return extended.map(claim -> claim.without(pod)).orElse(pod);
        }

        /** Returns a pod that asks for the rest as one that asks for these GPUs too, on nodes that have them. */
        public PodManifest with(PodManifest rest) {
            return rest.onNodes(nodes)
                    .withClaimed(
                            requests.stream().map(ClaimedGpus.Part::container).toList());
        }
    }

    /**
     * A request of a claim.
     *
     * @param claim the name of the claim
     * @param request the request
     * @param container asks for its GPUs
     */
    record Part(String claim, Claim.Request request, Container container) {
        /** Returns how an allocation names the request and one of its alternatives. */
        String nameOf(int alternative) {
            return request.isPrioritized()
                    ? request.name() + "/"
                            + request.alternatives().get(alternative).name()
                    : request.name();
        }
    }

    /**
     * The claims cannot be served by now.
     *
     * @param why what is missing
     */
    record Waiting(String why) implements ClaimedGpus {}

    /**
     * Something that no translation honours.
     *
     * @param why what it is, with the claim and request
     */
    record Refused(String why) implements ClaimedGpus {}

    /**
     * What a pod was placed with.
     *
     * @param claims each claim that was open, with its devices
     */
    record Chosen(List<ClaimAllocation> claims) {
        /** Copies the list. */
        public Chosen {
            claims = List.copyOf(claims);
        }
    }
}
