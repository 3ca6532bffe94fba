package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.analysis.Drain;
import io.gpusched.analysis.ScaleDown;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Cluster.NodeLoss;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.policy.BestFit;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.verify.Verifier;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** Whatever happens to groups that run, their required locality holds; on random small clusters, against a look at every node. */
class RunningGroupProperties {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 81_920);
    private static final List<PlacementPolicy> POLICIES = List.of(BinPack.of(), FirstFit.of(), BestFit.of());

    /** A cluster on which groups run, and more groups of the kind. */
    private static final class World {
        private final SplittableRandom random;
        private final GpuScheduler scheduler;
        private Cluster cluster;
        private int names;

        World(long seed) {
            random = new SplittableRandom(seed);
            scheduler = GpuScheduler.of(POLICIES.get(random.nextInt(POLICIES.size())));
            List<Node> nodes = new ArrayList<>();
            for (int i = 2 + random.nextInt(8); i > 0; i--) {
                Node.Builder node = Node.builder("n" + i)
                        .mode(NodeMode.MIXED)
                        .capacity(64_000, 64_000)
                        .gpus(1 + random.nextInt(4), A100);
                int rack = random.nextInt(4);
                nodes.add((random.nextInt(8) == 0
                                ? node
                                : node.topology(Topology.of("zone", "z" + rack / 2, "rack", "r" + rack % 2)))
                        .build());
            }
            cluster = Cluster.of(nodes);
            for (int i = random.nextInt(5); i > 0; i--) {
                add(scheduler.schedule(cluster, group()));
            }
        }

        private Pod pod() {
            GpuRequest gpu =
                    random.nextInt(3) == 0 ? GpuRequest.percent(40) : GpuRequest.exclusive(1 + random.nextInt(2));
            return Pod.of("p" + names++, Resources.of(1, 1), gpu);
        }

        private List<Pod> pods(int count) {
            List<Pod> pods = new ArrayList<>();
            while (pods.size() < count) {
                pods.add(pod());
            }
            return pods;
        }

        private Locality locality() {
            Locality locality = switch (random.nextInt(4)) {
                case 0 -> Locality.oneNode();
                case 1 -> Locality.within("zone");
                case 2 -> Locality.ANYWHERE;
                default -> Locality.within("rack");
            };
            return random.nextInt(4) == 0 ? locality.preferred() : locality;
        }

        PodGroup group() {
            String name = "g" + names++;
            if (random.nextInt(3) > 0) {
                return PodGroup.of(name, pods(1 + random.nextInt(4))).withLocality(locality());
            }
            PodGroup one = PodGroup.of("one", pods(1 + random.nextInt(2))).withLocality(Locality.within("rack"));
            PodGroup other = PodGroup.of("other", pods(1 + random.nextInt(2))).withLocality(locality());
            return PodGroup.ofGroups(name, List.of(one, other)).withLocality(locality());
        }

        void add(GroupDecision decision) {
            if (decision instanceof GroupPlaced placed) {
                cluster = cluster.withAll(placed.placements());
            }
        }

        List<String> nodes() {
            List<String> some = new ArrayList<>();
            cluster.nodes().forEach(node -> {
                if (random.nextInt(3) == 0) {
                    some.add(node.name());
                }
            });
            return some;
        }
    }

    /** The domain of a locality that a node is in. */
    private static String domain(Locality locality, NodeState node) {
        return locality.scope() == Locality.Scope.NODE
                ? node.name()
                : node.node().topology().upTo(locality.level()).toString();
    }

    private static Map<List<String>, Set<String>> domains(Cluster cluster) {
        Map<List<String>, Set<String>> domains =
                new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        for (Placement placement : cluster.placements()) {
            NodeState node = cluster.node(placement.node()).orElseThrow();
            for (GroupMembership group :
                    placement.group().map(GroupMembership::all).orElse(List.of())) {
                if (group.locality().isBinding()) {
                    domains.computeIfAbsent(group.path(), any -> new HashSet<>())
                            .add(domain(group.locality(), node));
                }
            }
        }
        return domains;
    }

    private static void assertTogether(Cluster cluster) {
        domains(cluster)
                .forEach((group, domains) -> assertThat(domains)
                        .as("%s in %s", group, cluster.placements())
                        .hasSize(1)
                        .doesNotContain("nowhere"));
        cluster.validate();
    }

    /** The nodes on which a pod has room and is where its groups demand. */
    private static List<String> legal(Cluster cluster, Pod pod) {
        Map<List<String>, Set<String>> domains = domains(cluster);
        return cluster.nodes().stream()
                .filter(node -> GpuScheduler.create().place(node, pod).isPresent())
                .filter(node -> pod.group().map(GroupMembership::all).orElse(List.of()).stream()
                        .allMatch(group -> !group.locality().isBinding()
                                || isIn(domains.get(group.path()), domain(group.locality(), node))))
                .map(NodeState::name)
                .toList();
    }

    private static boolean isIn(@Nullable Set<String> domains, String domain) {
        return domains == null ? !domain.equals("nowhere") : domains.contains(domain);
    }

    @Property(tries = 1_000)
    void aNodeLost_everyMemberComesBackWhereItsGroupsRun_orIsRefusedForCertain(@ForAll long seed) {
        World world = new World(seed);
        assertTogether(world.cluster);
        String node =
                world.cluster.node(world.random.nextInt(world.cluster.size())).name();
        NodeLoss loss = world.cluster.withNodeLost(node);
        Cluster now = loss.after();
        for (Placement lost : loss.lost()) {
            Pod pod = Pod.of(lost).orElseThrow();
            Decision decision = world.scheduler.schedule(now, pod);
            assertThat(Verifier.create().check(now, pod, decision)).isEmpty();
            assertThat(GpuScheduler.of(world.scheduler.policy())
                            .schedule(now, pod)
                            .toString())
                    .isEqualTo(decision.toString());
            List<String> legal = legal(now, pod);
            if (decision instanceof Placed placed) {
                assertThat(legal).contains(placed.placement().node());
                assertThat(placed.placement().group()).isEqualTo(lost.group());
                assertThat(now.with(placed.placement()).without(pod.id())).isEqualTo(now);
                now = now.with(placed.placement());
            } else {
                assertThat(legal).isEmpty();
                assertThat(((Unschedulable) decision).certainty()).isEqualTo(Certainty.PROVEN);
                assertThat(((Unschedulable) decision)
                                .diagnosis().reasons().stream()
                                        .mapToInt(reason -> reason.nodes())
                                        .sum())
                        .isEqualTo(now.size());
            }
        }
        domains(now)
                .forEach((group, domains) -> assertThat(domains).as("%s", group).hasSize(1));
    }

    @Property(tries = 1_000)
    void aDrain_keepsAllGroupsTogether(@ForAll long seed) {
        World world = new World(seed);
        Drain drain = Drain.of(world.cluster, world.nodes(), world.scheduler);
        assertTogether(drain.after());
        assertThat(drain.after().placements().size())
                .isEqualTo(world.cluster.placements().size());
        drain.moves()
                .forEach(move -> assertThat(move.group())
                        .isEqualTo(world.cluster
                                .placement(move.pod())
                                .orElseThrow()
                                .group()));
        for (Drain.Obstacle obstacle : drain.obstacles()) {
            assertThat(obstacle.refusal().orElseThrow().diagnosis()).isNotNull();
        }
    }

    @Property(tries = 300)
    void aScaleDown_keepsAllGroupsTogether(@ForAll long seed) {
        World world = new World(seed);
        ScaleDown down = ScaleDown.of(world.cluster);
        assertTogether(down.after());
        assertThat(down.after().placements().size())
                .isEqualTo(world.cluster.placements().size());
    }

    @Property(tries = 1_000)
    void growth_joinsWhatRuns_orIsRefused_andLeavesNoTraceOnceReleased(@ForAll long seed) {
        World world = new World(seed);
        for (int i = 0; i < 3; i++) {
            PodGroup first = world.group();
            world.add(world.scheduler.schedule(world.cluster, first));
            Cluster before = world.cluster;
            PodGroup more = PodGroup.of(first.name(), world.pods(1 + world.random.nextInt(3)))
                    .withLocality(first.locality());
            GroupDecision decision = world.scheduler.schedule(before, more);
            assertThat(Verifier.create().check(before, more, decision)).isEmpty();
            world.add(decision);
            assertTogether(world.cluster);
            if (decision instanceof GroupPlaced placed) {
                Cluster now = world.cluster;
                for (Placement placement : placed.placements()) {
                    now = now.without(placement);
                }
                assertThat(now).isEqualTo(before);
            } else {
                assertThat(legalTogether(before, more) && ((Unschedulable) decision).certainty() == Certainty.PROVEN)
                        .isFalse();
                assertThat(((Unschedulable) decision)
                                .diagnosis().reasons().stream()
                                        .mapToInt(reason -> reason.nodes())
                                        .sum())
                        .isEqualTo(before.size());
            }
        }
    }

    /** Whether members of one kind or another find places one after the other, in some domain, by first fit. */
    private static boolean legalTogether(Cluster before, PodGroup more) {
        GroupMembership membership = GroupMembership.of(more.name(), more.locality());
        Cluster now = before;
        for (Pod pod : more.pods()) {
            List<String> legal = legal(now, pod.withGroup(Optional.of(membership)));
            if (legal.isEmpty()) {
                return false;
            }
            NodeState node = now.node(legal.get(0)).orElseThrow();
            now = now.with(GpuScheduler.create()
                    .place(node, pod.withGroup(Optional.of(membership)))
                    .orElseThrow());
        }
        return true;
    }
}
