package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Pods and groups that share volumes come and go; what is attached is counted by hand from the pods alone. */
class AttachLimitsProperties {
    private static final int GPUS = 6;

    private final FakeApi api = new FakeApi();
    private List<Change> untold = api.watch();
    private SchedulerState state = FakeApi.scheduler("t9k");
    private final Map<String, Integer> limits = new TreeMap<>();
    private final List<Change> world = new ArrayList<>();
    private Random random = new Random(0);
    private long now;
    private int groups;

    @Property(tries = 150)
    void noNodeAttachesMoreThanItsLimit_andAPodWaitsOnlyIfNoNodeWouldTakeIt(@ForAll long seed) {
        new AttachLimitsProperties().liveThrough(seed);
    }

    private void liveThrough(long seed) {
        random = new Random(seed);
        for (String node : List.of("a", "b", "c")) {
            api.put(Manifests.t9kNode(node, "xgn", GPUS));
            limits.put(node, random.nextInt(4));
            world.add(VolumeObjects.limit(node, limits.get(node)));
        }
        for (int i = 0; i < 5; i++) {
            world.addAll(VolumeObjects.volume("v" + i));
        }
        untold.addAll(world);
        for (int i = 0; i < 40; i++) {
            step(i);
            settle();
            check();
        }
        fill();
    }

    private void step(int i) {
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> api.create(using("p" + i));
            case 3 -> group(i);
            case 4 -> restart();
            default ->
                List.copyOf(api.pods.keySet()).stream()
                        .skip(api.pods.isEmpty() ? 0 : random.nextInt(api.pods.size()))
                        .findFirst()
                        .ifPresent(api::delete);
        }
    }

    private void group(int i) {
        String name = "g" + groups++;
        api.put(VolumeObjects.group(name, 3));
        String shared = "v" + random.nextInt(5);
        for (int m = 0; m < 3; m++) {
            Pod member = random.nextBoolean()
                    ? using("g" + i + "-" + m)
                    : Manifests.pod("g" + i + "-" + m, T9kDialect.GPU, "1");
            api.create(VolumeObjects.member(VolumeObjects.claiming(member, shared), name));
        }
    }

    private Pod using(String name) {
        Pod pod = Manifests.pod(name, T9kDialect.GPU, "1");
        for (int i = random.nextInt(3); i >= 0; i--) {
            pod = VolumeObjects.claiming(pod, "v" + random.nextInt(5));
        }
        return pod;
    }

    private void restart() {
        api.watchers.clear();
        state = FakeApi.scheduler("t9k");
        untold = api.watch();
        untold.addAll(random.nextInt(untold.size() + 1), world);
    }

    private void settle() {
        for (int i = 0; i < 5; i++) {
            now += 20_000;
            state.apply(List.copyOf(untold), now);
            untold.clear();
            for (Binding binding : state.decide(now).bindings()) {
                boolean lost = random.nextInt(6) == 0;
                if (lost) {
                    untold.add(new Change.NotBound(
                            binding.pod().id(), binding.pod().uid(), "conflict"));
                } else {
                    api.bind(binding).ifPresent(untold::add);
                }
            }
        }
        now += 20_000;
        state.apply(List.copyOf(untold), now);
        untold.clear();
    }

    private void check() {
        Map<String, Set<String>> attached = attached();
        limits.forEach((node, limit) -> {
            int used = attached.getOrDefault(node, Set.of()).size();
            assertThat(used).as("volumes of %s", node).isLessThanOrEqualTo(limit);
            assertThat(state.cluster().node(node).orElseThrow().freeNamed().amount(VolumeObjects.RESOURCE))
                    .as("what %s can still attach", node)
                    .isEqualTo(limit - used);
        });
        assertThat(state.troubles()).isEmpty();
        state.cluster().validate();
    }

    /** Without lost writes, what fits by hand must go. */
    private void fill() {
        for (int i = 0; i < 4; i++) {
            Pod pod = using("last" + i);
            boolean fits = limits.keySet().stream().anyMatch(node -> fits(pod, node));
            api.create(pod);
            settleWithoutLoss();
            assertThat(api.pods.get("last" + i).getSpec().getNodeName() != null)
                    .as("bound, of %s beside %s", claims(pod), attached())
                    .isEqualTo(fits);
        }
    }

    private void settleWithoutLoss() {
        for (int round = 0; round < 3; round++) {
            now += 20_000;
            state.apply(List.copyOf(untold), now);
            untold.clear();
            state.decide(now).bindings().forEach(binding -> api.bind(binding).ifPresent(untold::add));
        }
    }

    private boolean fits(Pod pod, String node) {
        Set<String> all = new HashSet<>(attached().getOrDefault(node, Set.of()));
        all.addAll(claims(pod));
        long pods = api.pods.values().stream()
                .filter(other -> node.equals(other.getSpec().getNodeName()))
                .count();
        return all.size() <= limits.get(node) && pods < GPUS;
    }

    private Map<String, Set<String>> attached() {
        Map<String, Set<String>> attached = new HashMap<>();
        api.pods.values().stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .forEach(pod -> attached.computeIfAbsent(pod.getSpec().getNodeName(), any -> new HashSet<>())
                        .addAll(claims(pod)));
        return attached;
    }

    private static Set<String> claims(Pod pod) {
        return pod.getSpec().getVolumes().stream()
                .map(Volume::getPersistentVolumeClaim)
                .map(claim -> claim.getClaimName())
                .collect(Collectors.toSet());
    }

    /** On one node there is nothing to choose, so what fits by hand must go. */
    @Property(tries = 150)
    void onOneNode_aGroupStartsIfTheNodeCanAttachItsDistinctVolumes_andOnlyThen(@ForAll long seed) {
        new AttachLimitsProperties().placeGroupOnOneNode(seed);
    }

    private void placeGroupOnOneNode(long seed) {
        random = new Random(seed);
        api.put(Manifests.t9kNode("a", "xgn", 2 * GPUS));
        limits.put("a", random.nextInt(6));
        untold.add(VolumeObjects.limit("a", limits.get("a")));
        for (int i = 0; i < 5; i++) {
            untold.addAll(VolumeObjects.volume("v" + i));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            api.create(using("p" + i));
        }
        settleWithoutLoss();
        Set<String> all = new HashSet<>(attached().getOrDefault("a", Set.of()));
        int members = 2 + random.nextInt(4);
        api.put(VolumeObjects.group("g", members));
        for (int i = 0; i < members; i++) {
            Pod member = random.nextInt(4) == 0 ? Manifests.pod("m" + i, T9kDialect.GPU, "1") : using("m" + i);
            all.addAll(claims(member));
            api.create(VolumeObjects.member(member, "g"));
        }
        settleWithoutLoss();
        long bound = api.pods.values().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith("m")
                        && pod.getSpec().getNodeName() != null)
                .count();
        assertThat(bound).as("bound, with %s to attach", all).isEqualTo(all.size() <= limits.get("a") ? members : 0);
        check();
    }
}
