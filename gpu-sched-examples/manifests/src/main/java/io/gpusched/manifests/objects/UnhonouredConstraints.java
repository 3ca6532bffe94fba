package io.gpusched.manifests.objects;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Volume;
import io.gpusched.dialect.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds in a pod what kube-scheduler's filters and scores look at and this library does not.
 *
 * <p>The order is that of {@code kubectl explain pod.spec}: containers, volumes, and so on.
 */
public final class UnhonouredConstraints {
    private static final Set<String> COUNTED = Set.of("cpu", "memory");

    private final Set<String> served;
    private final Set<String> byName;
    private final Optional<String> claims;
    private final List<UnhonouredConstraint> found = new ArrayList<>();

    private UnhonouredConstraints(Set<String> served, Set<String> byName, Optional<String> claims) {
        this.served = served;
        this.byName = byName;
        this.claims = claims;
    }

    /** As {@link #of(Pod, Set, Set, Optional)}, for readers that honour no resource claims. */
    public static List<UnhonouredConstraint> of(Pod pod, Set<String> served, Set<String> byName) {
        return of(pod, served, byName, Optional.of("devices claimed this way are not counted"));
    }

    /**
     * Returns what is not honoured of a pod that asks for a place.
     *
     * @param served the resources beside CPU and memory that are counted of containers
     * @param byName those of them that are counted by name, and so of the pod as a whole too; devices are given to containers
     * @param claims why its resource claims are not honoured; nothing if they are
     */
    public static List<UnhonouredConstraint> of(
            Pod pod, Set<String> served, Set<String> byName, Optional<String> claims) {
        UnhonouredConstraints constraints = new UnhonouredConstraints(served, byName, claims);
        String exclusive = ExclusiveTopology.withoutJob(pod);
        if (!exclusive.isEmpty()) {
            constraints.required(
                    "metadata.annotations." + exclusive, "no label names the job that is to have a domain for itself");
        }
        constraints.lookAt(pod.getSpec());
        return List.copyOf(constraints.found);
    }

    private void lookAt(PodSpec spec) {
        lookAtContainers(spec);
        amounts("spec.overhead", ManifestReader.texts(spec.getOverhead()), byName);
        if (!spec.getResourceClaims().isEmpty()) {
            claims.ifPresent(why -> required("spec.resourceClaims", why));
        }
        amounts("spec.resources", spec.getResources(), hugePages());
        if (spec.getRuntimeClassName() != null && !spec.getRuntimeClassName().isEmpty()) {
            wish(
                    "spec.runtimeClassName",
                    "overhead, node selector and tolerations of the runtime class are not known here");
        }
        if (!spec.getSchedulingGates().isEmpty()) {
            required("spec.schedulingGates", "Kubernetes would not look at the pod before they are gone");
        }
        if (spec.getSchedulingGroup() != null) {
            required("spec.schedulingGroup", "the group is not looked at");
        }
        for (int i = 0; i < spec.getVolumes().size(); i++) {
            lookAt(spec.getVolumes().get(i), "spec.volumes[" + i + "]");
        }
    }

    /** Kubernetes counts CPU, memory and huge pages of a pod as a whole, and nothing else. */
    private Set<String> hugePages() {
        return byName.stream().filter(PodLevelAmounts::isHugePages).collect(Collectors.toSet());
    }

    private void lookAtContainers(PodSpec spec) {
        for (int i = 0; i < spec.getInitContainers().size(); i++) {
            amounts(
                    "spec.initContainers[" + i + "].resources",
                    spec.getInitContainers().get(i).getResources(),
                    served);
        }
        for (int i = 0; i < spec.getContainers().size(); i++) {
            amounts(
                    "spec.containers[" + i + "].resources",
                    spec.getContainers().get(i).getResources(),
                    served);
        }
    }

    private void amounts(String path, @Nullable ResourceRequirements resources, Set<String> counting) {
        if (resources == null) {
            return;
        }
        Map<String, String> limits = ManifestReader.texts(resources.getLimits());
        Map<String, String> requests = ManifestReader.texts(resources.getRequests());
        requests.keySet().removeAll(limits.keySet());
        amounts(path + ".limits", limits, counting);
        amounts(path + ".requests", requests, counting);
        if (resources.getClaims() != null && !resources.getClaims().isEmpty()) {
            claims.ifPresent(why -> required(path + ".claims", why));
        }
    }

    private void amounts(String path, Map<String, String> amounts, Set<String> counting) {
        amounts.forEach((resource, amount) -> {
            boolean counted = COUNTED.contains(resource) || counting.contains(resource);
            if (!counted
                    && ManifestReader.at(path, () -> Quantity.parse(amount))
                                    .value()
                                    .signum()
                            > 0) {
                String problem = amount + " requested, but this resource is not counted here";
                found.add(UnhonouredConstraint.resource(path, resource, problem));
            }
        });
    }

    /** Volumes that are not to be had on every node, or not by all pods at once. */
    private void lookAt(Volume volume, String path) {
        Map<String, @Nullable Object> sources = new LinkedHashMap<>();
        sources.put("awsElasticBlockStore", volume.getAwsElasticBlockStore());
        sources.put("azureDisk", volume.getAzureDisk());
        sources.put("cinder", volume.getCinder());
        sources.put("csi", volume.getCsi());
        sources.put("ephemeral", volume.getEphemeral());
        sources.put("gcePersistentDisk", volume.getGcePersistentDisk());
        sources.put("iscsi", volume.getIscsi());
        sources.put("persistentVolumeClaim", volume.getPersistentVolumeClaim());
        sources.put("portworxVolume", volume.getPortworxVolume());
        sources.put("rbd", volume.getRbd());
        sources.put("vsphereVolume", volume.getVsphereVolume());
        sources.forEach((name, source) ->
                addIf(source != null, path + "." + name, "where volumes can be reached is not looked at", true));
    }

    private void addIf(boolean present, String path, String problem, boolean required) {
        if (present) {
            add(path, problem, required);
        }
    }

    private void add(String path, String problem, boolean required) {
        found.add(required ? UnhonouredConstraint.required(path, problem) : UnhonouredConstraint.wish(path, problem));
    }

    private void required(String path, String problem) {
        add(path, problem, true);
    }

    private void wish(String path, String problem) {
        add(path, problem, false);
    }
}
