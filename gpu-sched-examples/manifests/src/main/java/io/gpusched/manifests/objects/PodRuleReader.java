package io.gpusched.manifests.objects;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.HostPort.Protocol;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads what a pod demands and prefers of the pods and nodes around it. */
final class PodRuleReader {
    private static final String REQUIRED = ".requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = ".preferredDuringSchedulingIgnoredDuringExecution";
    private static final Map<String, Protocol> PROTOCOLS =
            Map.of("", Protocol.TCP, "TCP", Protocol.TCP, "UDP", Protocol.UDP, "SCTP", Protocol.SCTP);
    private static final Map<String, Boolean> WHEN_UNSATISFIABLE =
            Map.of("", true, "DoNotSchedule", true, "ScheduleAnyway", false);
    private static final Map<String, Boolean> HONOR = Map.of("Honor", true, "Ignore", false);

    /** The pod's own labels. */
    private final Map<String, String> labels;

    /** Whether an API server has seen the pod. */
    private final boolean stored;

    private PodRuleReader(Map<String, String> labels, boolean stored) {
        this.labels = labels;
        this.stored = stored;
    }

    static PodRules of(Pod pod) {
        Map<String, String> labels =
                Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
        return new PodRuleReader(labels, pod.getMetadata().getUid() != null).read(pod);
    }

    private PodRules read(Pod pod) {
        PodSpec spec = pod.getSpec();
        PodRules rules = ManifestReader.at("metadata.labels", () -> PodRules.NONE.withLabels(labels))
                .withTerminating(pod.getMetadata().getDeletionTimestamp() != null)
                .withHostPorts(hostPorts(spec).toArray(HostPort[]::new))
                .withSpread(spread(spec).toArray(TopologySpread[]::new));
        Affinity affinity = ExclusiveTopology.affinity(pod);
        return affinity == null ? rules : with(rules, affinity);
    }

    private PodRules with(PodRules rules, Affinity affinity) {
        PodRules with = rules.withPreferredNodes(NodeConstraints.preferences(affinity));
        if (affinity.getPodAffinity() != null) {
            with = with.withAffinity(affinity(
                    affinity.getPodAffinity().getRequiredDuringSchedulingIgnoredDuringExecution(),
                    affinity.getPodAffinity().getPreferredDuringSchedulingIgnoredDuringExecution(),
                    "spec.affinity.podAffinity"));
        }
        if (affinity.getPodAntiAffinity() != null) {
            with = with.withAntiAffinity(affinity(
                    affinity.getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution(),
                    affinity.getPodAntiAffinity().getPreferredDuringSchedulingIgnoredDuringExecution(),
                    "spec.affinity.podAntiAffinity"));
        }
        return with;
    }

    private PodAffinity affinity(List<PodAffinityTerm> required, List<WeightedPodAffinityTerm> preferred, String path) {
        List<PodAffinity.Term> terms = new ArrayList<>();
        for (int i = 0; i < required.size(); i++) {
            terms.add(term(required.get(i), path + REQUIRED + "[" + i + "]"));
        }
        List<PodAffinity.Weighted> wishes = new ArrayList<>();
        for (int i = 0; i < preferred.size(); i++) {
            String at = path + PREFERRED + "[" + i + "]";
            int weight = Objects.requireNonNullElse(preferred.get(i).getWeight(), 0);
            PodAffinity.Term term = term(preferred.get(i).getPodAffinityTerm(), at + ".podAffinityTerm");
            wishes.add(ManifestReader.at(at + ".weight", () -> new PodAffinity.Weighted(weight, term)));
        }
        return new PodAffinity(terms, wishes);
    }

    private PodAffinity.Term term(@Nullable PodAffinityTerm term, String path) {
        if (term == null) {
            throw new ManifestException(path, "must be there");
        }
        LabelSelector written = LabelSelectors.of(term.getLabelSelector(), path + ".labelSelector");
        // The API server merges keys once, by the labels that the pod is created with.
        LabelSelector pods = stored
                ? written
                : LabelSelectors.merged(written, labels, term.getMatchLabelKeys(), term.getMismatchLabelKeys());
        Optional<LabelSelector> namespaces = term.getNamespaceSelector() == null
                ? Optional.empty()
                : Optional.of(LabelSelectors.of(term.getNamespaceSelector(), path + ".namespaceSelector"));
        String key = Objects.requireNonNullElse(term.getTopologyKey(), "");
        return ManifestReader.at(
                path, () -> new PodAffinity.Term(pods, new TreeSet<>(term.getNamespaces()), namespaces, key));
    }

    private List<TopologySpread> spread(PodSpec spec) {
        List<TopologySpread> spread = new ArrayList<>();
        for (int i = 0; i < spec.getTopologySpreadConstraints().size(); i++) {
            spread.add(spread(spec.getTopologySpreadConstraints().get(i), "spec.topologySpreadConstraints[" + i + "]"));
        }
        return spread;
    }

    private TopologySpread spread(TopologySpreadConstraint constraint, String path) {
        boolean required = NodeConstraints.oneOf(
                WHEN_UNSATISFIABLE, constraint.getWhenUnsatisfiable(), path + ".whenUnsatisfiable");
        LabelSelector pods = LabelSelectors.merged(
                LabelSelectors.of(constraint.getLabelSelector(), path + ".labelSelector"),
                labels,
                constraint.getMatchLabelKeys(),
                List.of());
        return ManifestReader.at(
                path,
                () -> new TopologySpread(
                        Objects.requireNonNullElse(constraint.getTopologyKey(), ""),
                        Objects.requireNonNullElse(constraint.getMaxSkew(), 0),
                        Objects.requireNonNullElse(constraint.getMinDomains(), 1),
                        required,
                        pods,
                        honors(constraint.getNodeAffinityPolicy(), true, path + ".nodeAffinityPolicy"),
                        honors(constraint.getNodeTaintsPolicy(), false, path + ".nodeTaintsPolicy")));
    }

    private static boolean honors(@Nullable String policy, boolean usual, String path) {
        return policy == null ? usual : NodeConstraints.oneOf(HONOR, policy, path);
    }

    /** Ports of init containers that end do not count; on the host's network every port is the host's. */
    private static List<HostPort> hostPorts(PodSpec spec) {
        boolean host = Boolean.TRUE.equals(spec.getHostNetwork());
        List<HostPort> ports = new ArrayList<>();
        for (int i = 0; i < spec.getInitContainers().size(); i++) {
            Container container = spec.getInitContainers().get(i);
            if ("Always".equals(container.getRestartPolicy())) {
                add(ports, container, "spec.initContainers[" + i + "].ports", host);
            }
        }
        for (int i = 0; i < spec.getContainers().size(); i++) {
            add(ports, spec.getContainers().get(i), "spec.containers[" + i + "].ports", host);
        }
        return ports;
    }

    private static void add(List<HostPort> ports, Container container, String path, boolean hostNetwork) {
        for (int i = 0; i < container.getPorts().size(); i++) {
            ContainerPort port = container.getPorts().get(i);
            String at = path + "[" + i + "]";
            boolean taken = port.getHostPort() != null && port.getHostPort() > 0;
            Integer number = taken ? port.getHostPort() : hostNetwork ? port.getContainerPort() : null;
            if (number != null) {
                Protocol protocol = NodeConstraints.oneOf(PROTOCOLS, port.getProtocol(), at + ".protocol");
                String ip = Objects.requireNonNullElse(port.getHostIP(), "");
                ports.add(ManifestReader.at(at, () -> new HostPort(number, protocol, ip)));
            }
        }
    }
}
