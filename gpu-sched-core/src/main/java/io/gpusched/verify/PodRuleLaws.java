package io.gpusched.verify;

import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rules between a new pod and running pods: kube-scheduler's NodePorts, InterPodAffinity and PodTopologySpread of 1.37
 * ({@code pkg/scheduler/framework/plugins}).
 */
final class PodRuleLaws {
    private PodRuleLaws() {}

    /** Judges a pod beside the running pods; it is not among them itself. */
    static List<Violation> check(World world, Pod pod, Node node) {
        List<Violation> broken = new ArrayList<>();
        ports(world, pod, node, broken);
        if (!pod.rules().affinity().required().isEmpty()) {
            affinity(world, pod, node, broken);
        }
        antiAffinity(world, pod, node, broken);
        existingAntiAffinity(world, pod, node, broken);
        for (TopologySpread spread : pod.rules().spread()) {
            if (spread.required()) {
                spread(world, pod, node, spread, broken);
            }
        }
        return broken;
    }

    private static String subject(Pod pod) {
        return "pod \"" + pod.id() + "\"";
    }

    /** The same port of the same protocol, at the same address or where either is any address. */
    private static void ports(World world, Pod pod, Node node, List<Violation> broken) {
        for (Placement other : world.all()) {
            if (!other.node().equals(node.name())) {
                continue;
            }
            for (HostPort mine : pod.rules().hostPorts()) {
                for (HostPort theirs : World.rules(other).hostPorts()) {
                    boolean meet = mine.ip().equals(theirs.ip())
                            || mine.ip().equals(HostPort.ANY_ADDRESS)
                            || theirs.ip().equals(HostPort.ANY_ADDRESS);
                    if (mine.port() == theirs.port() && mine.protocol() == theirs.protocol() && meet) {
                        broken.add(Violation.of(
                                Law.HOST_PORT,
                                subject(pod),
                                "pod \"" + other.pod() + "\" has host port " + theirs + " of node \"" + node.name()
                                        + "\""));
                    }
                }
            }
        }
    }

    /** Whether a term of a pod with this id means another: by namespace, then by labels. */
    private static boolean means(
            World world, PodId owner, PodAffinity.Term term, PodId other, Map<String, String> labels) {
        boolean own = term.namespaces().isEmpty() && term.namespaceSelector().isEmpty();
        Map<String, String> ofNamespace = world.namespaces().getOrDefault(other.namespace(), Map.of());
        boolean inNamespace = own
                ? owner.namespace().equals(other.namespace())
                : term.namespaces().contains(other.namespace())
                        || term.namespaceSelector()
                                .map(selector -> isMet(selector, ofNamespace))
                                .orElse(false);
        return inNamespace && isMet(term.pods(), labels);
    }

    static boolean isMet(LabelSelector selector, Map<String, String> labels) {
        return selector.requirements().stream().allMatch(requirement -> {
            boolean has = labels.containsKey(requirement.key());
            boolean named = has && requirement.values().contains(labels.get(requirement.key()));
            return switch (requirement.operator()) {
                case IN -> named;
                case NOT_IN -> !named;
                case EXISTS -> has;
                case DOES_NOT_EXIST -> !has;
            };
        });
    }

    private static boolean meansByAll(
            World world, PodId owner, List<PodAffinity.Term> terms, PodId pod, Map<String, String> labels) {
        return terms.stream().allMatch(term -> means(world, owner, term, pod, labels));
    }

    /**
     * A running pod counts if all terms mean it; the node has every topology key and, for each term, such a pod in its domain. Where no such
     * pod counts in any domain, the first of its kind may go anywhere that has the keys, if its own terms mean it.
     */
    private static void affinity(World world, Pod pod, Node node, List<Violation> broken) {
        List<PodAffinity.Term> terms = pod.rules().affinity().required();
        List<Placement> meant = world.all().stream()
                .filter(other -> meansByAll(
                        world, pod.id(), terms, other.pod(), World.rules(other).labels()))
                .toList();
        boolean anywhere = terms.stream()
                .anyMatch(term -> meant.stream().anyMatch(other -> domainOf(world, other, term.topologyKey()) != null));
        boolean first = !anywhere
                && meansByAll(world, pod.id(), terms, pod.id(), pod.rules().labels());
        for (PodAffinity.Term term : terms) {
            String domain = World.domain(node, term.topologyKey());
            boolean near = domain != null
                    && (first
                            || meant.stream()
                                    .anyMatch(other -> domain.equals(domainOf(world, other, term.topologyKey()))));
            if (!near) {
                broken.add(Violation.of(
                        Law.POD_AFFINITY,
                        subject(pod),
                        "no pod that it must be near is in the same " + term.topologyKey() + " as node \"" + node.name()
                                + "\""));
            }
        }
    }

    private static @Nullable String domainOf(World world, Placement placement, String key) {
        Node node = world.nodes().get(placement.node());
        return node == null ? null : World.domain(node, key);
    }

    private static void antiAffinity(World world, Pod pod, Node node, List<Violation> broken) {
        for (PodAffinity.Term term : pod.rules().antiAffinity().required()) {
            String domain = World.domain(node, term.topologyKey());
            for (Placement other : world.all()) {
                if (domain != null
                        && domain.equals(domainOf(world, other, term.topologyKey()))
                        && means(
                                world,
                                pod.id(),
                                term,
                                other.pod(),
                                World.rules(other).labels())) {
                    broken.add(Violation.of(
                            Law.POD_ANTI_AFFINITY,
                            subject(pod),
                            "pod \"" + other.pod() + "\", from which it must be apart, is in the same "
                                    + term.topologyKey() + " as node \"" + node.name() + "\""));
                }
            }
        }
    }

    private static void existingAntiAffinity(World world, Pod pod, Node node, List<Violation> broken) {
        for (Placement other : world.all()) {
            for (PodAffinity.Term term : World.rules(other).antiAffinity().required()) {
                String domain = World.domain(node, term.topologyKey());
                if (domain != null
                        && domain.equals(domainOf(world, other, term.topologyKey()))
                        && means(world, other.pod(), term, pod.id(), pod.rules().labels())) {
                    broken.add(Violation.of(
                            Law.POD_ANTI_AFFINITY,
                            subject(pod),
                            "pod \"" + other.pod() + "\" must be apart from it and is in the same " + term.topologyKey()
                                    + " as node \"" + node.name() + "\""));
                }
            }
        }
    }

    /** The number in the node's domain with the pod, less the fewest in any domain that counts, is at most the skew. */
    private static void spread(World world, Pod pod, Node node, TopologySpread spread, List<Violation> broken) {
        String mine = World.domain(node, spread.topologyKey());
        if (mine == null) {
            broken.add(Violation.of(
                    Law.TOPOLOGY_SPREAD, subject(pod), "node \"" + node.name() + "\" has no " + spread.topologyKey()));
            return;
        }
        Map<String, Long> counts = new HashMap<>();
        for (Node other : world.nodes().values()) {
            if (isCounted(pod, other, spread)) {
                String domain = Objects.requireNonNull(World.domain(other, spread.topologyKey()));
                counts.merge(domain, counted(world, pod, other, spread), Long::sum);
            }
        }
        long least = counts.size() < spread.minDomains()
                ? 0
                : counts.values().stream().mapToLong(count -> count).min().orElse(0);
        long self = isMet(spread.pods(), pod.rules().labels()) ? 1 : 0;
        long skew = counts.getOrDefault(mine, 0L) + self - least;
        if (skew > spread.maxSkew()) {
            broken.add(Violation.above(
                    Law.TOPOLOGY_SPREAD,
                    subject(pod),
                    "skew over " + spread.topologyKey() + " on node \"" + node.name() + "\"",
                    skew,
                    spread.maxSkew()));
        }
    }

    /** A node counts if it has the keys of all required constraints and the inclusion policies of this one admit it. */
    private static boolean isCounted(Pod pod, Node node, TopologySpread spread) {
        boolean hasKeys = pod.rules().spread().stream()
                .filter(TopologySpread::required)
                .allMatch(each -> World.domain(node, each.topologyKey()) != null);
        boolean selected = !spread.honorsNodeSelector() || ConditionLaws.isSelected(pod.nodeSelector(), node);
        boolean tolerated = !spread.honorsTaints()
                || node.taints().stream()
                        .allMatch(taint -> !taint.effect().forbids() || ConditionLaws.isTolerated(pod, taint));
        return hasKeys && selected && tolerated;
    }

    /** Pods of the same namespace that are meant and do not terminate; a selector without requirements counts none. */
    private static long counted(World world, Pod pod, Node node, TopologySpread spread) {
        if (spread.pods().requirements().isEmpty()) {
            return 0;
        }
        return world.all().stream()
                .filter(other -> other.node().equals(node.name()))
                .filter(other -> other.pod().namespace().equals(pod.id().namespace()))
                .map(World::rules)
                .filter(rules -> !rules.terminating() && isMet(spread.pods(), rules.labels()))
                .count();
    }
}
