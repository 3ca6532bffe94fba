package io.gpusched.manifests.claim;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.claim.Claim;
import io.gpusched.claim.NodeScope;
import io.gpusched.dialect.dra.ExtendedResources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The claim that stands for the extended resources of a pod that device classes offer.
 *
 * @param claim the claim; without an identity it is still to be made
 * @param mappings which of its requests serve which container
 */
public record ExtendedClaim(SeenClaim claim, List<ExtendedResources.Mapping> mappings) {
    /** The annotation by which such a claim is known. */
    public static final String ANNOTATION = "resource.kubernetes.io/extended-resource-claim";

    private static final int LONGEST_PREFIX = 58;
    private static final int SUFFIX = 10;

    /** Copies the list. */
    public ExtendedClaim {
        Objects.requireNonNull(claim, "claim");
        mappings = List.copyOf(mappings);
    }

    /**
     * Returns the claim of a pod; nothing if it asks for no resource that a class offers. One that was made stays the pod's.
     *
     * @param hasPlugin whether a device plugin offers a resource, which is not claimed then
     */
    public static Optional<ExtendedClaim> of(ClaimObjects objects, Pod pod, Predicate<String> hasPlugin) {
        Optional<SeenClaim> made = objects.extendedOf(pod);
        ExtendedResources.Split split =
                objects.extended().split(containers(pod), made.isPresent() ? any -> false : hasPlugin);
        return split.claim().map(asked -> new ExtendedClaim(made.orElseGet(() -> claim(pod, asked)), split.mappings()));
    }

    /** Returns whether a pod asks for a resource that a class offers, whether or not a device plugin does so too. */
    public static boolean isOffered(ClaimObjects objects, Pod pod) {
        return containers(pod).stream()
                .flatMap(container -> container.requests().keySet().stream())
                .anyMatch(resource -> objects.extended().classOf(resource).isPresent());
    }

    private static SeenClaim claim(Pod pod, Claim asked) {
        ObjectMeta metadata = pod.getMetadata();
        String prefix = namePrefix(metadata.getName());
        String name = metadata.getNamespace() + "/" + prefix.substring(0, Math.min(LONGEST_PREFIX, prefix.length()))
                + suffix(metadata.getUid());
        return new SeenClaim(
                new Claim(name, asked.requests(), asked.constraints()),
                Optional.empty(),
                new NodeScope.AllNodes(),
                List.of(),
                false,
                "",
                metadata.getUid(),
                false);
    }

    /** Returns what Kubernetes lets the name of such a claim begin with. */
    public static String namePrefix(String pod) {
        return pod + "-extended-resources-";
    }

    /** Always the same for one pod, so that a claim whose creation was not answered is not made twice. */
    private static String suffix(String uid) {
        String hex = uid.replace("-", "");
        return hex.substring(0, Math.min(SUFFIX, hex.length()));
    }

    private static List<ExtendedResources.AskingContainer> containers(Pod pod) {
        List<ExtendedResources.AskingContainer> all = new ArrayList<>();
        pod.getSpec()
                .getInitContainers()
                .forEach(container -> all.add(asking(container, !"Always".equals(container.getRestartPolicy()))));
        pod.getSpec().getContainers().forEach(container -> all.add(asking(container, false)));
        return all;
    }

    private static ExtendedResources.AskingContainer asking(Container container, boolean isInit) {
        Map<String, Quantity> requests = new HashMap<>();
        if (container.getResources() != null) {
            requests.putAll(Objects.requireNonNullElse(container.getResources().getLimits(), Map.of()));
            requests.putAll(Objects.requireNonNullElse(container.getResources().getRequests(), Map.of()));
        }
        Map<String, Long> amounts = new HashMap<>();
        requests.forEach((name, amount) -> amounts.put(
                name,
                ExtendedResources.isExtended(name) ? amount.getNumericalAmount().longValue() : 0));
        return new ExtendedResources.AskingContainer(container.getName(), isInit, amounts);
    }

    /** Returns a pod without the resources that the claim stands for. */
    public Pod without(Pod pod) {
        return without(
                pod, mappings.stream().map(ExtendedResources.Mapping::resource).collect(Collectors.toSet()));
    }

    static Pod without(Pod pod, Set<String> resources) {
        return new PodBuilder(pod)
                .editSpec()
                .withInitContainers(without(pod.getSpec().getInitContainers(), resources))
                .withContainers(without(pod.getSpec().getContainers(), resources))
                .endSpec()
                .build();
    }

    private static List<Container> without(List<Container> containers, Set<String> resources) {
        return containers.stream()
                .map(container -> container.getResources() == null
                        ? container
                        : new ContainerBuilder(container)
                                .editResources()
                                .withLimits(without(container.getResources().getLimits(), resources))
                                .withRequests(without(container.getResources().getRequests(), resources))
                                .endResources()
                                .build())
                .toList();
    }

    private static Map<String, Quantity> without(Map<String, Quantity> amounts, Set<String> resources) {
        Map<String, Quantity> rest = new HashMap<>(Objects.requireNonNullElse(amounts, Map.of()));
        rest.keySet().removeAll(resources);
        return rest;
    }
}
