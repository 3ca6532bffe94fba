package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** A group that must stay within one rack, whose members use different volumes, finds the rack that has room for all. */
class VolumeDomainsTest {
    private static final String RACK = "rack";

    private final FakeApi api = new FakeApi();
    private final List<Change> untold = api.watch();
    private final SchedulerState state = FakeApi.scheduler("t9k");

    private void node(String name, String rack, int gpus, int limit) {
        api.put(Manifests.t9kNode(name, "xgn", gpus, Map.of(RACK, rack)));
        untold.add(VolumeObjects.limit(name, limit));
    }

    private void volumes(String... claims) {
        List.of(claims).forEach(claim -> untold.addAll(VolumeObjects.volume(claim)));
    }

    private void group(int minimum) {
        group(api, minimum);
    }

    private static void group(FakeApi api, int minimum) {
        GroupKey key = new GroupKey(GroupVocabulary.KUBERNETES, "default", "g");
        api.put(new GroupSpec(key, "g", minimum, Map.of(), GroupLocality.within(RACK), "", Optional.empty(), ""));
    }

    private void member(String name, String... claims) {
        api.create(member(VolumeObjects.claiming(Manifests.pod(name, T9kDialect.GPU, "1"), claims)));
    }

    private static Pod member(Pod pod) {
        return VolumeObjects.member(pod, "g");
    }

    private Map<String, String> places() {
        return places(state, untold);
    }

    private static Map<String, String> places(SchedulerState state, List<Change> untold) {
        state.apply(List.copyOf(untold), 0);
        untold.clear();
        Map<String, String> places = new TreeMap<>();
        state.decide(state.nextDecisionAt().orElse(0))
                .bindings()
                .forEach(binding -> places.put(
                        binding.pod().id().name(), binding.placement().node()));
        return places;
    }

    /** The first kind, three that share data, has room in the small rack, which is the tighter; the whole group only in the other. */
    @Test
    void aRackThatTakesOnlyTheLargestKind_isNotChosen() {
        node("small", "r1", 3, 1);
        node("large", "r2", 5, 2);
        volumes("data", "log");
        group(5);
        List.of("m0", "m1", "m2").forEach(name -> member(name, "data"));
        List.of("m3", "m4").forEach(name -> member(name, "log"));
        assertThat(places()).hasSize(5).containsValue("large").doesNotContainValue("small");
    }

    @Test
    void membersOfALocalVolume_drawTheOthersIntoTheirRack() {
        node("n1", "r1", 8, 9);
        node("n2", "r2", 8, 1);
        volumes("data");
        untold.addAll(local("disk", "r2"));
        group(4);
        List.of("m0", "m1").forEach(name -> member(name, "data"));
        member("m2", "disk");
        member("m3");
        assertThat(places())
                .hasSize(4)
                .containsOnly(
                        Map.entry("m0", "n2"), Map.entry("m1", "n2"), Map.entry("m2", "n2"), Map.entry("m3", "n2"));
    }

    @Test
    void membersOfALocalVolume_areHeard_alsoWhereTheyAreFewerAndShareVolumes() {
        node("n1", "r1", 8, 9);
        node("n2", "r2", 8, 2);
        volumes("data", "log");
        untold.addAll(local("disk", "r2"));
        group(5);
        List.of("m0", "m1", "m2").forEach(name -> member(name, "data"));
        List.of("m3", "m4").forEach(name -> member(name, "log", "disk"));
        assertThat(places()).hasSize(5).containsValue("n2").doesNotContainValue("n1");
    }

    @Test
    void aGroupThatNoRackTakes_waits_andItsMinimumLetsItStartWithTheKindThatFits() {
        node("n1", "r1", 3, 1);
        node("n2", "r2", 3, 1);
        volumes("data", "log");
        group(4);
        List.of("m0", "m1").forEach(name -> member(name, "data"));
        List.of("m2", "m3").forEach(name -> member(name, "log"));
        assertThat(places()).isEmpty();
        group(2);
        assertThat(places()).hasSize(2);
    }

    /** A claim whose volume is on the nodes of a rack alone, of no CSI driver. */
    private static List<Change> local(String claim, String rack) {
        List<Change> changes = new ArrayList<>(VolumeObjects.volume(claim));
        changes.set(
                0,
                new Change.VolumePut(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName("pv-" + claim)
                        .endMetadata()
                        .withNewSpec()
                        .withNewLocal(null, "/mnt/" + claim)
                        .withNewNodeAffinity()
                        .withNewRequired()
                        .addNewNodeSelectorTerm()
                        .addNewMatchExpression()
                        .withKey(RACK)
                        .withOperator("In")
                        .withValues(rack)
                        .endMatchExpression()
                        .endNodeSelectorTerm()
                        .endRequired()
                        .endNodeAffinity()
                        .endSpec()
                        .build()));
        return changes;
    }

    /** A world that can be told with all of its racks or with one. */
    private record World(List<Room> nodes, List<Set<String>> members, int minimum) {
        record Room(String name, String rack, int gpus, int limit) {}

        static World of(long seed) {
            Random random = new Random(seed);
            List<Room> nodes = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                nodes.add(new Room("n" + i, "r" + i % 3, 1 + random.nextInt(4), random.nextInt(4)));
            }
            List<Set<String>> members = new ArrayList<>();
            for (int i = 2 + random.nextInt(4); i > 0; i--) {
                Set<String> claims = new TreeSet<>();
                for (int c = random.nextInt(3); c > 0; c--) {
                    claims.add(random.nextInt(6) == 0 ? "disk" + random.nextInt(3) : "v" + random.nextInt(3));
                }
                members.add(claims);
            }
            return new World(nodes, members, members.size() - random.nextInt(2));
        }

        Map<String, String> places(Predicate<Room> there) {
            FakeApi api = new FakeApi();
            List<Change> untold = api.watch();
            for (int i = 0; i < 3; i++) {
                untold.addAll(VolumeObjects.volume("v" + i));
                untold.addAll(local("disk" + i, "r" + i));
            }
            nodes.stream().filter(there).forEach(room -> {
                api.put(Manifests.t9kNode(room.name(), "xgn", room.gpus(), Map.of(RACK, room.rack())));
                untold.add(VolumeObjects.limit(room.name(), room.limit()));
            });
            group(api, minimum);
            for (int i = 0; i < members.size(); i++) {
                Pod pod = Manifests.pod("m" + i, T9kDialect.GPU, "1");
                api.create(member(VolumeObjects.claiming(pod, members.get(i).toArray(String[]::new))));
            }
            return VolumeDomainsTest.places(FakeApi.scheduler("t9k"), untold);
        }
    }

    /** Rack by rack, each as if it were alone. */
    @Property(tries = 400)
    void aGroupStarts_ifAndOnlyIfAnyRackAloneWouldTakeIt(@ForAll long seed) {
        World world = World.of(seed);
        boolean any = Set.of("r0", "r1", "r2").stream()
                .anyMatch(
                        rack -> !world.places(room -> room.rack().equals(rack)).isEmpty());
        Map<String, String> places = world.places(room -> true);
        assertThat(!places.isEmpty()).as("placed, of %s", world).isEqualTo(any);
        checkLimits(world, places);
    }

    private static void checkLimits(World world, Map<String, String> places) {
        Set<String> racks = new TreeSet<>();
        for (World.Room room : world.nodes()) {
            Set<String> attached = new TreeSet<>();
            places.forEach((pod, node) -> {
                if (node.equals(room.name())) {
                    racks.add(room.rack());
                    attached.addAll(world.members().get(Integer.parseInt(pod.substring(1))));
                }
            });
            attached.removeIf(claim -> claim.startsWith("disk"));
            assertThat(attached.size()).as("volumes of %s in %s", room, world).isLessThanOrEqualTo(room.limit());
        }
        assertThat(racks.size()).as("racks").isLessThan(2);
        assertThat(places.isEmpty() || places.size() >= world.minimum())
                .as("the minimum")
                .isTrue();
    }
}
