package io.gpusched.schedule.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.FirstFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.RuledWorld;
import io.gpusched.verify.Verifier;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Residents of a node are pods like others to the rules between pods, and no tenants. */
class ResidentsProperties {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 80 * 1024);

    private static Placement holdingNothing(Pod pod, String node) {
        List<ContainerGrant> none = pod.containers().stream()
                .map(container -> new ContainerGrant(container.name(), container.kind(), GpuGrant.none()))
                .toList();
        return new Placement(pod.id(), node, Resources.NONE, none).withSpec(pod.spec());
    }

    /** Two clusters, of which one has as residents what runs in the other and holds nothing there. */
    private static final class Pair {
        Cluster residents;
        Cluster tenants;
        final List<Placement> all = new ArrayList<>();

        Pair(Cluster cluster) {
            residents = cluster;
            tenants = cluster;
        }

        private Node machine(String name) {
            return residents.node(name).orElseThrow().node();
        }

        void add(Placement pod) {
            all.add(pod);
            residents = residents.withReplaced(
                    machine(pod.node()).toBuilder().resident(pod).build());
            tenants = tenants.with(pod);
        }

        void remove(Placement pod) {
            all.remove(pod);
            Node.Builder machine = withoutResidents(machine(pod.node())).toBuilder();
            all.stream().filter(other -> other.node().equals(pod.node())).forEach(machine::resident);
            residents = residents.withReplaced(machine.build());
            tenants = tenants.without(pod.pod());
        }

        private static Node withoutResidents(Node node) {
            return new Node(
                    node.name(),
                    node.mode(),
                    node.capacity(),
                    node.maxPods(),
                    node.labels(),
                    node.taints(),
                    node.topology(),
                    node.gpus(),
                    node.links(),
                    node.cordoned(),
                    List.of());
        }

        /** Another machine of the same name, with other labels and taints. */
        void replace(Node node) {
            Node.Builder machine = node.toBuilder();
            machine(node.name()).residents().forEach(machine::resident);
            residents = residents.withReplaced(machine.build());
            tenants = tenants.withReplaced(node);
        }

        /** A node that leaves takes its residents with it. */
        void removeNode(String name) {
            residents = residents.withoutNode(name);
            for (Placement pod : List.copyOf(all)) {
                if (pod.node().equals(name)) {
                    all.remove(pod);
                    tenants = tenants.without(pod.pod());
                }
            }
            tenants = tenants.withoutNode(name);
        }
    }

    @Property(tries = 100)
    void rulesCountAResident_asTheyCountATenantThatHoldsNothing(@ForAll long seed) {
        RuledWorld world = new RuledWorld(seed);
        Random random = new Random(seed);
        Pair pair = new Pair(world.cluster(5));
        for (int step = 0; step < 15; step++) {
            String name = pair.tenants
                    .nodes()
                    .get(random.nextInt(pair.tenants.size()))
                    .name();
            switch (random.nextInt(6)) {
                case 0, 1, 2 -> pair.add(holdingNothing(world.pod(), name));
                case 3 -> pair.replace(world.node(name));
                case 4 -> {
                    if (!pair.all.isEmpty()) {
                        pair.remove(pair.all.get(random.nextInt(pair.all.size())));
                    }
                }
                default -> {
                    if (pair.tenants.size() > 1) {
                        pair.removeNode(name);
                    }
                }
            }
            pair.residents.validate();
            Pod pod = world.pod();
            assertThat(nodeOf(pair.residents, pod)).as("%s", pod.rules()).isEqualTo(nodeOf(pair.tenants, pod));
        }
        Cluster afresh = Cluster.of(
                pair.residents.nodes().stream().map(node -> node.node()).toList());
        afresh.validate();
    }

    private static String nodeOf(Cluster cluster, Pod pod) {
        Decision decision = GpuScheduler.of(FirstFit.of()).schedule(cluster, pod);
        assertThat(Verifier.create().check(cluster, pod, decision)).isEmpty();
        return decision instanceof Placed placed ? placed.placement().node() : "none";
    }

    /** The rules of a resident that keep a newcomer away, and none: the only difference between two machines. */
    private static void checkReplaced(PodRules keepsAway, Pod newcomer) {
        Pod plain = pod("agent", GpuRequest.none());
        Pod ruled = plain.withRules(keepsAway);
        Node free = machine(plain);
        Node closed = machine(ruled);
        Cluster cluster = Cluster.of(List.of(free));
        GpuScheduler scheduler = GpuScheduler.create();
        for (int round = 0; round < 2; round++) {
            assertThat(scheduler.schedule(cluster, newcomer).isPlaced()).isTrue();
            assertThat(cluster.equals(cluster.withReplaced(closed))).isFalse();
            cluster = cluster.withReplaced(closed);
            cluster.validate();
            assertThat(scheduler.schedule(cluster, newcomer).isPlaced()).isFalse();
            cluster = cluster.withReplaced(free);
            cluster.validate();
        }
        Cluster cordoned = cluster.withReplaced(closed).withCordoned("n1", true).withoutNode("n1");
        assertThat(cordoned.size()).isZero();
    }

    private static Node machine(Pod resident) {
        return Node.builder("n1")
                .capacity(8_000, 8_000)
                .label("kubernetes.io/hostname", "n1")
                .resident(holdingNothing(resident, "n1"))
                .build();
    }

    @Example
    void aMachineWhoseResidentHasOtherAffinity_isAnother() {
        PodAffinity.Term all = PodAffinity.Term.of(LabelSelector.ALL, "kubernetes.io/hostname");
        checkReplaced(PodRules.NONE.withAntiAffinity(PodAffinity.required(all)), pod("p", GpuRequest.none()));
    }

    @Example
    void aMachineWhoseResidentHasOtherPorts_isAnother() {
        PodRules port = PodRules.NONE.withHostPorts(HostPort.tcp(8080));
        checkReplaced(port, pod("p", GpuRequest.none()).withRules(port));
    }

    private static Pod pod(String name, GpuRequest gpu) {
        return Pod.builder(name)
                .container("main", Resources.of(1_000, 1_000), gpu)
                .build();
    }

    @Example
    void theWholeNode_isGivenBesideResidents_butNotBesideATenant() {
        Placement exporter = holdingNothing(pod("exporter", GpuRequest.none()), "n1");
        Node machine = Node.builder("n1")
                .capacity(8_000, 8_000)
                .gpus(4, A100)
                .resident(exporter)
                .build();
        Pod all = pod("all", GpuRequest.wholeNode());

        Cluster cluster = Cluster.of(List.of(machine));
        assertThat(cluster.node(0).isEmpty()).isTrue();
        assertThat(GpuScheduler.create().schedule(cluster, all).isPlaced()).isTrue();

        Cluster busy = cluster.with(holdingNothing(pod("tenant", GpuRequest.none()), "n1"));
        assertThat(GpuScheduler.create().schedule(busy, all).isPlaced()).isFalse();
    }

    @Example
    void aResident_ofAnotherNode_orOneThatHoldsGpus_isRefused() {
        Node.Builder machine = Node.builder("n1").gpus(1, A100);
        assertThatThrownBy(() -> machine.resident(holdingNothing(pod("p", GpuRequest.none()), "n2"))
                        .build())
                .hasMessageContaining("node \"n1\": resident \"p\" must be on this node, got \"n2\"");
        Placement holder = new Placement(
                PodId.of("p"),
                "n1",
                Resources.NONE,
                List.of(ContainerGrant.of("main", new GpuGrant.Whole(List.of(0)))));
        assertThatThrownBy(
                        () -> Node.builder("n1").gpus(1, A100).resident(holder).build())
                .hasMessageContaining("must hold no gpu");
    }
}
