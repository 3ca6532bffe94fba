package io.gpusched.examples.manifest;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinity;
import io.fabric8.kubernetes.api.model.PodAntiAffinity;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Volume;
import io.gpusched.dialect.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds in a pod what kube-scheduler's filters and scores look at and this library does not.
 *
 * <p>The order is that of {@code kubectl explain pod.spec}: affinity, containers, and so on.
 */
public final class UnhonouredConstraints {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final Set<String> COUNTED = Set.of("cpu", "memory");

    private final Set<String> served;
    private final List<UnhonouredConstraint> found = new ArrayList<>();

    private UnhonouredConstraints(Set<String> served) {
        this.served = served;
    }

    /**
     * Returns what is not honoured of a pod that asks for a place.
     *
     * @param served the resources beside CPU and memory that somebody counts
     */
    public static List<UnhonouredConstraint> of(Pod pod, Set<String> served) {
        UnhonouredConstraints constraints = new UnhonouredConstraints(served);
        constraints.lookAt(pod.getSpec());
        return List.copyOf(constraints.found);
    }

    /**
     * Returns what a running pod does to others unnoticed: its anti-affinity may keep them away, and devices it holds under
     * another name than the one that is counted look free.
     *
     * @param served the resources beside CPU and memory that somebody counts
     * @param isDevice whether a resource means GPUs to any system
     */
    public static List<UnhonouredConstraint> ofRunning(Pod pod, Set<String> served, Predicate<String> isDevice) {
        UnhonouredConstraints constraints = new UnhonouredConstraints(served);
        Affinity affinity = pod.getSpec().getAffinity();
        if (affinity != null
                && affinity.getPodAntiAffinity() != null
                && !affinity.getPodAntiAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .isEmpty()) {
            constraints.required("spec.affinity.podAntiAffinity." + REQUIRED, "keeps other pods away unnoticed");
        }
        UnhonouredConstraints amounts = new UnhonouredConstraints(served);
        amounts.lookAtContainers(pod.getSpec());
        amounts.found.stream().filter(one -> isDevice.test(one.name())).forEach(constraints.found::add);
        return List.copyOf(constraints.found);
    }

    private void lookAt(PodSpec spec) {
        if (spec.getAffinity() != null) {
            lookAt(spec.getAffinity());
        }
        lookAtContainers(spec);
        lookAtPorts(spec);
        amounts("spec.overhead", ManifestReader.texts(spec.getOverhead()));
        if (!spec.getResourceClaims().isEmpty()) {
            required("spec.resourceClaims", "devices claimed this way are not counted");
        }
        amounts("spec.resources", spec.getResources());
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
        for (int i = 0; i < spec.getTopologySpreadConstraints().size(); i++) {
            boolean soft = "ScheduleAnyway"
                    .equals(spec.getTopologySpreadConstraints().get(i).getWhenUnsatisfiable());
            String path = "spec.topologySpreadConstraints[" + i + "]";
            add(path, "how pods spread over domains is not looked at", !soft);
        }
        for (int i = 0; i < spec.getVolumes().size(); i++) {
            lookAt(spec.getVolumes().get(i), "spec.volumes[" + i + "]");
        }
    }

    private void lookAt(Affinity affinity) {
        NodeAffinity nodes = affinity.getNodeAffinity();
        if (nodes != null) {
            lookAt(nodes);
        }
        PodAffinity with = affinity.getPodAffinity();
        if (with != null) {
            terms(
                    "spec.affinity.podAffinity.",
                    with.getRequiredDuringSchedulingIgnoredDuringExecution(),
                    with.getPreferredDuringSchedulingIgnoredDuringExecution());
        }
        PodAntiAffinity against = affinity.getPodAntiAffinity();
        if (against != null) {
            terms(
                    "spec.affinity.podAntiAffinity.",
                    against.getRequiredDuringSchedulingIgnoredDuringExecution(),
                    against.getPreferredDuringSchedulingIgnoredDuringExecution());
        }
    }

    private void terms(String path, List<?> required, List<?> preferred) {
        String problem = "which pods run where is not looked at";
        addIf(!required.isEmpty(), path + REQUIRED, problem, true);
        addIf(!preferred.isEmpty(), path + PREFERRED, problem, false);
    }

    private void lookAt(NodeAffinity nodes) {
        String path = "spec.affinity.nodeAffinity.";
        if (nodes.getRequiredDuringSchedulingIgnoredDuringExecution() != null) {
            List<NodeSelectorTerm> terms =
                    nodes.getRequiredDuringSchedulingIgnoredDuringExecution().getNodeSelectorTerms();
            for (int i = 0; i < terms.size(); i++) {
                String term = path + REQUIRED + ".nodeSelectorTerms[" + i + "].matchFields";
                addIf(!terms.get(i).getMatchFields().isEmpty(), term, "fields of nodes are not looked at", true);
            }
        }
        addIf(
                !nodes.getPreferredDuringSchedulingIgnoredDuringExecution().isEmpty(),
                path + PREFERRED,
                "what the pod prefers among nodes is not looked at",
                false);
    }

    private void lookAtContainers(PodSpec spec) {
        for (int i = 0; i < spec.getInitContainers().size(); i++) {
            amounts(
                    "spec.initContainers[" + i + "].resources",
                    spec.getInitContainers().get(i).getResources());
        }
        for (int i = 0; i < spec.getContainers().size(); i++) {
            amounts(
                    "spec.containers[" + i + "].resources",
                    spec.getContainers().get(i).getResources());
        }
    }

    private void amounts(String path, @Nullable ResourceRequirements resources) {
        if (resources == null) {
            return;
        }
        Map<String, String> limits = ManifestReader.texts(resources.getLimits());
        Map<String, String> requests = ManifestReader.texts(resources.getRequests());
        requests.keySet().removeAll(limits.keySet());
        amounts(path + ".limits", limits);
        amounts(path + ".requests", requests);
        if (resources.getClaims() != null && !resources.getClaims().isEmpty()) {
            required(path + ".claims", "devices claimed this way are not counted");
        }
    }

    private void amounts(String path, Map<String, String> amounts) {
        amounts.forEach((resource, amount) -> {
            boolean counted = COUNTED.contains(resource) || served.contains(resource);
            if (!counted
                    && ManifestReader.at(path, () -> Quantity.parse(amount))
                                    .value()
                                    .signum()
                            > 0) {
                String problem = amount + " asked, but this resource is not counted here";
                found.add(UnhonouredConstraint.resource(path, resource, problem));
            }
        });
    }

    /** Ports of init containers that end do not count; on the host's network every port is the host's. */
    private void lookAtPorts(PodSpec spec) {
        boolean host = Boolean.TRUE.equals(spec.getHostNetwork());
        for (int i = 0; i < spec.getInitContainers().size(); i++) {
            Container container = spec.getInitContainers().get(i);
            if ("Always".equals(container.getRestartPolicy())) {
                ports(container, "spec.initContainers[" + i + "].ports", host);
            }
        }
        for (int i = 0; i < spec.getContainers().size(); i++) {
            ports(spec.getContainers().get(i), "spec.containers[" + i + "].ports", host);
        }
    }

    private void ports(Container container, String path, boolean hostNetwork) {
        for (int i = 0; i < container.getPorts().size(); i++) {
            ContainerPort port = container.getPorts().get(i);
            boolean taken = port.getHostPort() != null && port.getHostPort() > 0;
            String field = taken ? ".hostPort" : ".containerPort";
            addIf(taken || hostNetwork, path + "[" + i + "]" + field, "ports of the host are not looked at", true);
        }
    }

    /** Volumes that are not to be had on every node, or not by everyone at once. */
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
