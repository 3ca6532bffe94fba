package io.gpusched.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.PartitionWorld;
import io.gpusched.testkit.RackWorld;
import io.gpusched.testkit.RuledWorld;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The checker beside the scheduler on random small worlds: it agrees with what is right, and names what was made wrong. */
class VerifierProperties {
    private static final int WORLDS = 300;
    private static final Verifier VERIFIER = Verifier.ofTries(20_000);

    private final GpuScheduler scheduler = GpuScheduler.create();

    @Test
    void decisionsAboutPods_breakNoLaw() {
        for (long seed = 0; seed < WORLDS; seed++) {
            SmallWorld small = seed % 2 == 0 ? new SmallWorld(seed) : SmallWorld.withChoices(seed);
            Cluster cluster = small.cluster(4);
            assertThat(VERIFIER.check(cluster)).as("seed %d", seed).isEmpty();
            for (int i = 0; i < 5; i++) {
                requireRight(seed, cluster, small.pod());
            }
            PartitionWorld cut = new PartitionWorld(seed);
            Cluster cutCluster = cut.cluster();
            assertThat(VERIFIER.check(cutCluster)).as("seed %d", seed).isEmpty();
            requireRight(seed, cutCluster, cut.pod(100));
        }
    }

    @Test
    void decisionsUnderRules_breakNoLaw() {
        for (long seed = 0; seed < WORLDS; seed++) {
            RuledWorld world = new RuledWorld(seed);
            Cluster cluster = world.cluster(6);
            for (int step = 0; step < 10; step++) {
                Decision decision = requireRight(seed, cluster, world.pod());
                cluster = decision instanceof Placed placed ? cluster.with(placed.placement()) : cluster;
                cluster = world.oneIn(2) ? world.changed(cluster) : cluster;
            }
        }
    }

    @Test
    void decisionsAboutGroups_breakNoLaw() {
        Verifier fewTries = Verifier.ofTries(2_000);
        for (long seed = 0; seed < WORLDS; seed++) {
            SmallWorld small = new SmallWorld(seed);
            RackWorld racks = new RackWorld(seed);
            Map<PodGroup, Cluster> asked = Map.of(small.group(5), small.cluster(4), racks.group("g"), racks.cluster());
            for (Map.Entry<PodGroup, Cluster> each : asked.entrySet()) {
                GroupDecision decision = scheduler.schedule(each.getValue(), each.getKey());
                assertThat(fewTries.check(each.getValue(), each.getKey(), decision))
                        .as("seed %d: %s", seed, decision)
                        .isEmpty();
            }
        }
    }

    private Decision requireRight(long seed, Cluster cluster, Pod pod) {
        Decision decision = scheduler.schedule(cluster, pod);
        assertThat(VERIFIER.check(cluster, pod, decision))
                .as("seed %d: %s of %s", seed, decision, pod.containers())
                .isEmpty();
        return decision;
    }

    /** Each kind of fault is made many times, and its law named every time. */
    @Test
    void whatIsMadeWrong_isNamed() {
        Map<Law, Integer> named = new EnumMap<>(Law.class);
        for (long seed = 0; seed < WORLDS; seed++) {
            SmallWorld world = new SmallWorld(seed);
            Cluster cluster = world.cluster(4);
            Pod pod = world.pod();
            if (scheduler.schedule(cluster, pod) instanceof Placed placed) {
                for (Fault fault : faults(cluster, pod, placed.placement())) {
                    assertThat(laws(fault))
                            .as("seed %d: %s of %s", seed, fault.placement(), pod.containers())
                            .contains(fault.law());
                    named.merge(fault.law(), 1, Integer::sum);
                }
            }
        }
        assertThat(named)
                .containsKeys(
                        Law.NODE_EXISTS,
                        Law.CORDON,
                        Law.TAINT,
                        Law.NODE_NAME,
                        Law.HOST_PORT,
                        Law.POD_ANTI_AFFINITY,
                        Law.GRANT,
                        Law.GPU_HEALTH,
                        Law.NODE_MODE,
                        Law.DEVICE_EXISTS,
                        Law.DEVICE,
                        Law.WHOLE_NODE,
                        Law.CAPACITY,
                        Law.PLACEMENT_OF_POD,
                        Law.PLACED_ONCE,
                        Law.PROVEN_REFUSAL);
        assertThat(named.values()).allMatch(times -> times >= 5);
    }

    /** A world, a pod and a place that breaks one law there, or a refusal though there is one. */
    private record Fault(Law law, Cluster cluster, Pod pod, Placement placement) {}

    private static Set<Law> laws(Fault fault) {
        List<Violation> broken = fault.law() == Law.PROVEN_REFUSAL
                ? VERIFIER.check(
                        fault.cluster(),
                        fault.pod(),
                        io.gpusched.decision.Unschedulable.of("pod", io.gpusched.decision.Certainty.PROVEN, () -> {
                            throw new AssertionError("no diagnosis is needed");
                        }))
                : VERIFIER.check(fault.cluster(), fault.pod(), fault.placement());
        return broken.stream().map(Violation::law).collect(Collectors.toSet());
    }

    private static List<Fault> faults(Cluster cluster, Pod pod, Placement place) {
        List<Fault> faults = new ArrayList<>();
        Node node = cluster.node(place.node()).orElseThrow().node();
        faults.add(new Fault(Law.PROVEN_REFUSAL, cluster, pod, place));
        faults.add(new Fault(Law.NODE_EXISTS, cluster, pod, elsewhere(place, "nowhere", place.containers())));
        faults.add(new Fault(Law.CORDON, cluster.withCordoned(node.name(), true), pod, place));
        faults.add(new Fault(Law.PLACED_ONCE, cluster.with(place), pod, place));
        Node tainted = node.toBuilder().taint(Taint.noSchedule("new", "")).build();
        faults.add(new Fault(Law.TAINT, cluster.withReplaced(tainted), pod, place));
        Node small = node.toBuilder()
                .maxPods(cluster.node(node.name()).orElseThrow().podCount())
                .build();
        faults.add(new Fault(Law.CAPACITY, cluster.withReplaced(small), pod, place));
        Pod elsewhere = pod.withRules(PodRules.NONE.withNodeName("other"));
        faults.add(new Fault(Law.NODE_NAME, cluster, elsewhere, place.withSpec(elsewhere.spec())));
        Placement more = new Placement(
                place.pod(), place.node(), place.resources().plus(Resources.of(1, 0)), place.containers());
        faults.add(new Fault(Law.PLACEMENT_OF_POD, cluster, pod, more.withSpec(pod.spec())));
        if (!place.holdsWholeNode()) {
            faults.addAll(besideAnother(cluster, pod, place));
        }
        faults.addAll(ofDevices(cluster, pod, place, node));
        return faults;
    }

    /** Another pod runs there that takes a port, or keeps its like away. */
    private static List<Fault> besideAnother(Cluster cluster, Pod pod, Placement place) {
        List<Fault> faults = new ArrayList<>();
        PodRules port = PodRules.NONE.withHostPorts(HostPort.tcp(80));
        PodRules apart = PodRules.NONE
                .withLabels(Map.of("app", "web"))
                .withAntiAffinity(PodAffinity.required(PodAffinity.Term.of(LabelSelector.label("app", "web"), "disk")));
        PodRules web = PodRules.NONE.withLabels(Map.of("app", "web"));
        faults.add(beside(Law.HOST_PORT, cluster, pod.withRules(port), place, port));
        faults.add(beside(Law.POD_ANTI_AFFINITY, cluster, pod.withRules(apart), place, web));
        faults.add(beside(Law.POD_ANTI_AFFINITY, cluster, pod.withRules(web), place, apart));
        return faults;
    }

    private static Fault beside(Law law, Cluster cluster, Pod pod, Placement place, PodRules theirs) {
        Pod other = Pod.of("other", Resources.NONE, io.gpusched.workload.GpuRequest.none())
                .withRules(theirs);
        Placement there = new Placement(
                        other.id(),
                        place.node(),
                        other.resources(),
                        List.of(ContainerGrant.of("main", GpuGrant.none())))
                .withSpec(other.spec());
        Node roomy = cluster.node(place.node()).orElseThrow().node().toBuilder()
                .maxPods(100)
                .build();
        return new Fault(law, cluster.withReplaced(roomy).with(there), pod, place.withSpec(pod.spec()));
    }

    private static List<Fault> ofDevices(Cluster cluster, Pod pod, Placement place, Node node) {
        List<Fault> faults = new ArrayList<>();
        if (place.gpus().isEmpty()) {
            return faults;
        }
        faults.add(new Fault(
                Law.GPU_HEALTH, cluster.withGpuHealth(node.name(), place.gpus().get(0), false), pod, place));
        Pod twin = pod.withId(PodId.of("twin"));
        Placement twice = place.heldBy(twin.id(), twin.spec(), node.name());
        Law both = place.holdsWholeNode() ? Law.WHOLE_NODE : Law.DEVICE;
        if (place.holdsWholeNode() || place.containers().stream().anyMatch(VerifierProperties::isWhole)) {
            Node roomy = node.toBuilder().maxPods(100).build();
            faults.add(new Fault(both, cluster.withReplaced(roomy).with(place), twin, twice));
        }
        for (int i = 0; i < place.containers().size(); i++) {
            ContainerGrant held = place.containers().get(i);
            for (GpuGrant wrong : wrong(held.gpus(), node)) {
                List<ContainerGrant> changed = new ArrayList<>(place.containers());
                changed.set(i, new ContainerGrant(held.container(), held.kind(), wrong));
                boolean exists = wrong.indexes().stream()
                        .allMatch(gpu -> gpu < node.gpus().size());
                Law law = exists ? Law.GRANT : Law.DEVICE_EXISTS;
                faults.add(new Fault(
                        law,
                        cluster,
                        pod,
                        elsewhere(place, node.name(), changed).withSpec(pod.spec())));
            }
        }
        if (cluster.node(node.name()).orElseThrow().isEmpty()) {
            boolean whole = place.containers().stream().anyMatch(VerifierProperties::isWhole) || place.holdsWholeNode();
            Node other = node.toBuilder()
                    .mode(whole ? NodeMode.SHARED : NodeMode.EXCLUSIVE)
                    .build();
            faults.add(new Fault(Law.NODE_MODE, cluster.withReplaced(other), pod, place));
        }
        return faults;
    }

    private static boolean isWhole(ContainerGrant grant) {
        return grant.gpus() instanceof GpuGrant.Whole;
    }

    /** Another number of devices, other amounts, devices that are not there. */
    private static List<GpuGrant> wrong(GpuGrant grant, Node node) {
        List<GpuGrant> wrong = new ArrayList<>();
        if (grant instanceof GpuGrant.Whole whole) {
            wrong.add(GpuGrant.none());
            wrong.add(new GpuGrant.Whole(List.of(node.gpus().size())));
            if (whole.gpus().size() > 1) {
                wrong.add(
                        new GpuGrant.Whole(whole.gpus().subList(1, whole.gpus().size())));
            }
        } else if (grant instanceof GpuGrant.Shared shared) {
            GpuShare part = shared.shares().get(0);
            wrong.add(new GpuGrant.Whole(List.of(part.gpu())));
            wrong.add(new GpuGrant.Shared(
                    List.of(new GpuShare(part.gpu(), part.computeMillis(), part.memoryMib() + 1, part.slots()))));
            wrong.add(new GpuGrant.Shared(
                    List.of(new GpuShare(part.gpu(), part.computeMillis() + 1, part.memoryMib(), part.slots()))));
        }
        return wrong;
    }

    private static Placement elsewhere(Placement place, String node, List<ContainerGrant> containers) {
        return new Placement(place.pod(), node, place.resources(), containers);
    }
}
