package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.kubernetes.DeviceObjects;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.yaml.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Gangs whose members share one claim for devices that has none yet. */
class SharedDeviceClaimsTest {
    private static final GroupKey KEY = new GroupKey(GroupVocabulary.COSCHEDULING, "default", "g");

    private final FakeApi api = new FakeApi();
    private final SchedulerState state = FakeApi.scheduler("nvidia");
    private final List<Change> watch = api.watch();
    private long now = 1_000;

    @BeforeEach
    void putClaim() {
        put(DeviceObjects.CLASS);
        put(DeviceObjects.claim("c", 2));
    }

    private void put(String yaml) {
        watch.add(new Change.DevicesPut(YamlReader.parse("object", yaml).get(0), true));
    }

    private void putNode(String name, int gpus) {
        put(DeviceObjects.slice(name, gpus));
        api.put(Manifests.node(name, Map.of(), Map.of()));
    }

    private void group(int minimum) {
        api.put(new GroupSpec(KEY, "u", minimum, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), ""));
    }

    private static Pod pod(String name, int cores) {
        return new PodBuilder(Manifests.pod(name, Map.of("cpu", String.valueOf(cores))))
                .editMetadata()
                .addToLabels("scheduling.x-k8s.io/pod-group", KEY.name())
                .endMetadata()
                .editSpec()
                .addNewResourceClaim()
                .withName("c")
                .withResourceClaimName("c")
                .endResourceClaim()
                .endSpec()
                .build();
    }

    private List<Binding> decide() {
        state.apply(List.copyOf(watch), now);
        watch.clear();
        now += 11_000;
        return state.decide(now).bindings();
    }

    @Test
    void allGoToANodeWithRoomForAll_andTheClaimIsAllocatedOnce() {
        putNode("d0", 2);
        putNode("d1", 2);
        api.create(Manifests.pod("other", "cpu", "40"));
        Binding other = decide().get(0);
        api.bind(other);
        group(3);
        for (String name : List.of("a", "b", "c")) {
            api.create(pod(name, 20));
        }
        List<Binding> bindings = decide();
        assertThat(bindings)
                .hasSize(3)
                .extracting(binding -> binding.placement().node())
                .containsOnly(other.placement().node().equals("d0") ? "d1" : "d0");
        assertThat(bindings)
                .allSatisfy(binding -> assertThat(binding.devices())
                        .singleElement()
                        .satisfies(claim -> assertThat(claim.name()).isEqualTo("c")));
        assertThat(bindings)
                .filteredOn(binding -> binding.devices().get(0).devices().isPresent())
                .hasSize(1);
        assertThat(state.cluster()
                        .node(bindings.get(0).placement().node())
                        .orElseThrow()
                        .idleGpus())
                .isZero();
    }

    @Test
    void noneStarts_whereNoNodeHasRoomForAll() {
        putNode("d0", 2);
        putNode("d1", 2);
        group(3);
        for (String name : List.of("a", "b", "c")) {
            api.create(pod(name, 30));
        }
        assertThat(decide()).isEmpty();
    }

    @Test
    void membersThatComeLater_goToTheDevices_onceTheClaimHasThem() {
        putNode("d0", 2);
        putNode("d1", 2);
        group(2);
        api.create(pod("a", 1));
        api.create(pod("b", 1));
        List<Binding> bindings = decide();
        assertThat(bindings).hasSize(2);
        String node = bindings.get(0).placement().node();
        api.create(pod("late", 1));
        assertThat(decide()).isEmpty();
        put(DeviceObjects.allocated(DeviceObjects.claim("c", 2), node, List.of("gpu-0", "gpu-1")));
        bindings.forEach(api::bind);
        List<Binding> late = decide();
        assertThat(late).hasSize(1);
        assertThat(late.get(0).placement().node()).isEqualTo(node);
        assertThat(late.get(0).devices().get(0).devices()).isEmpty();
    }

    private static Pod with(Pod pod, String claim) {
        return new PodBuilder(pod)
                .editSpec()
                .addNewResourceClaim()
                .withName(claim)
                .withResourceClaimName(claim)
                .endResourceClaim()
                .endSpec()
                .build();
    }

    private static Pod alone(String name, String claim) {
        Pod pod = pod(name, 1);
        pod.getSpec().getResourceClaims().get(0).setResourceClaimName(claim);
        return pod;
    }

    @Test
    void partOfAGangThatSharesAClaim_goesWhereAllOfItHasRoom_andEachMemberHasItsOwnClaimsBeside() {
        putNode("d0", 4);
        putNode("d1", 4);
        api.create(Manifests.pod("other", "cpu", "40"));
        Binding other = decide().get(0);
        api.bind(other);
        put(DeviceObjects.claim("e", 1));
        put(DeviceObjects.claim("f", 2));
        group(3);
        api.create(pod("a", 20));
        api.create(with(pod("b", 20), "e"));
        api.create(alone("x", "f"));
        List<Binding> bindings = decide();
        assertThat(bindings).hasSize(3);
        String free = other.placement().node().equals("d0") ? "d1" : "d0";
        Map<String, List<String>> claims = new TreeMap<>();
        for (Binding binding : bindings) {
            String name = binding.pod().id().name();
            if (!name.equals("x")) {
                assertThat(binding.placement().node()).isEqualTo(free);
            }
            binding.devices()
                    .forEach(claim -> claim.devices()
                            .ifPresent(devices -> claims.computeIfAbsent(name, any -> new ArrayList<>())
                                    .add(claim.name() + " " + devices.grants().size())));
        }
        assertThat(claims).hasToString("{a=[c 2], b=[e 1], x=[f 2]}");
        assertThat(bindings)
                .filteredOn(binding -> binding.devices().stream()
                        .anyMatch(claim -> claim.name().equals("c")))
                .hasSize(2);
    }

    @Test
    void sharersThatAreNotOfTheMinimum_startWithoutTheClaimOfOthersHavingToWait() {
        putNode("d0", 2);
        group(1);
        put(DeviceObjects.claim("f", 1));
        put(DeviceObjects.claim("g", 1));
        api.create(alone("x", "f"));
        api.create(alone("y", "g"));
        api.create(pod("a", 1));
        api.create(pod("b", 1));
        assertThat(decide()).extracting(binding -> binding.pod().id().name()).containsExactlyInAnyOrder("x", "y");
    }
}
