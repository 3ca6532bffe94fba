package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodResourceClaimBuilder;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.kubernetes.DeviceObjects;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random mixes of claims, of which some are allocated by others, of requests for devices of plugins and of grants by annotations: no
 * GPU is given out twice, whatever comes late, is lost, or is read again after a restart.
 */
class DeviceClaimProperties {
    private static final Set<String> BY_CLAIMS = Set.of("d0", "d1");

    private static final String EXTENDED = "deviceclass.resource.kubernetes.io/gpu";

    private Random random = new Random(0);
    private FakeApi api = new FakeApi();
    private SchedulerState state = FakeApi.scheduler("nvidia");
    private List<Change> watch = new ArrayList<>();
    private final Map<String, String> claims = new TreeMap<>();

    /** By claim what it has, and the pods that use it. */
    private final Map<String, List<String>> devices = new TreeMap<>();

    /** The claims that stand for extended resources, each with the identity of its pod. */
    private final Map<String, String> owned = new TreeMap<>();

    private final List<Binding> written = new ArrayList<>();
    private long now = 1_000;
    private int created;

    private static YamlNode parsed(String yaml) {
        return YamlReader.parse("object", yaml).get(0);
    }

    private void start(long seed) {
        random = new Random(seed);
        api = new FakeApi();
        claims.clear();
        owned.clear();
        devices.clear();
        written.clear();
        now = 1_000;
        created = 0;
        restart();
        api.put(Manifests.node("d0", Map.of(), Map.of()));
        api.put(Manifests.node("d1", Map.of(), Map.of()));
        api.put(Manifests.node("plugin", Map.of(), Map.of("nvidia.com/gpu", "3")));
    }

    private static Change put(String yaml) {
        return new Change.DevicesPut(parsed(yaml), true);
    }

    /** A new scheduler reads all, in whatever order. */
    private void restart() {
        state = FakeApi.scheduler("nvidia");
        api.watchers.clear();
        watch = api.watch();
        List<Change> objects = new ArrayList<>();
        objects.add(put(DeviceObjects.CLASS));
        objects.add(put(DeviceObjects.slice("d0", 4)));
        objects.add(put(DeviceObjects.slice("d1", 2)));
        claims.keySet().forEach(name -> objects.add(seen(name)));
        if (random.nextBoolean()) {
            watch.addAll(0, objects);
        } else {
            watch.addAll(objects);
        }
        written.clear();
    }

    private Change seen(String name) {
        List<String> has = devices.getOrDefault(name, List.of());
        String claim = claims.get(name);
        return put(
                has.isEmpty()
                        ? claim
                        : DeviceObjects.allocated(
                                        claim,
                                        has.get(0).substring(0, 2),
                                        has.stream()
                                                .map(device -> device.substring(3))
                                                .toList())
                                .replace(
                                        "request: r,",
                                        owned.containsKey(name) ? "request: container-0-request-1," : "request: r,"));
    }

    private void step() {
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> createWithClaim();
            case 3 ->
                api.create(Manifests.pod("p" + created++, random.nextBoolean() ? "nvidia.com/gpu" : EXTENDED, "1"));
            case 4 -> share();
            case 5 -> allocateByOthers();
            case 6 -> delete();
            case 7 -> release();
            case 8 -> {
                if (random.nextInt(4) == 0) {
                    restart();
                }
            }
            default -> writeOne();
        }
        if (random.nextInt(3) > 0) {
            decide();
        }
    }

    private void createWithClaim() {
        String name = "p" + created++;
        claims.put(name, DeviceObjects.claim(name, requests()));
        Change claim = seen(name);
        boolean isLate = random.nextBoolean();
        if (!isLate) {
            watch.add(claim);
        }
        api.create(withClaim(name, name));
        if (isLate) {
            watch.add(claim);
        }
    }

    private String requests() {
        String large = ", selectors: [{cel: {expression: \"device.capacity['gpu.nvidia.com'].memory.compareTo("
                + "quantity('60Gi')) >= 0\"}}]";
        return switch (random.nextInt(4)) {
            case 0 -> "{name: r, exactly: {deviceClassName: gpu, count: 1" + large + "}}";
            case 1 -> "{name: r, exactly: {deviceClassName: gpu, count: 2}}";
            case 2 ->
                "{name: r, firstAvailable: [{name: a, deviceClassName: gpu, count: 3},"
                        + " {name: b, deviceClassName: gpu, count: 1}]}";
            default ->
                "{name: r, exactly: {deviceClassName: gpu}}, {name: s, exactly: {deviceClassName: gpu" + large + "}}";
        };
    }

    private static Pod withClaim(String name, String claim) {
        return new PodBuilder(Manifests.pod(name, Map.of()))
                .editSpec()
                .withResourceClaims(new PodResourceClaimBuilder()
                        .withName("c")
                        .withResourceClaimName(claim)
                        .build())
                .endSpec()
                .build();
    }

    /** One more pod uses a claim. */
    private void share() {
        any(claims.keySet())
                .filter(claim -> !owned.containsKey(claim))
                .ifPresent(claim -> api.create(withClaim("p" + created++, claim)));
    }

    private Optional<String> any(Set<String> names) {
        return names.stream().skip(random.nextInt(Math.max(1, names.size()))).findFirst();
    }

    private void allocateByOthers() {
        List<String> free = new ArrayList<>(IntStream.range(0, 6)
                .mapToObj(gpu -> gpu < 4 ? "d0/gpu-" + gpu : "d1/gpu-" + (gpu - 4))
                .toList());
        devices.values().forEach(free::removeAll);
        // what is being bound is decided already: kube-scheduler would be a second writer of the same pool
        if (!free.isEmpty() && written.isEmpty() && watch.isEmpty()) {
            String name = "p" + created++;
            claims.put(name, DeviceObjects.claim(name, 1));
            devices.put(name, List.of(free.get(random.nextInt(free.size()))));
            watch.add(seen(name));
            state.apply(List.copyOf(watch), now);
            watch.clear();
        }
    }

    private void delete() {
        any(api.pods.keySet()).ifPresent(name -> {
            String uid = api.pods.get(name).getMetadata().getUid();
            api.delete(name);
            claims.keySet().removeIf(claim -> owned.remove(claim, uid) && isCollected(claim));
        });
    }

    /** What Kubernetes' garbage collector does. */
    private boolean isCollected(String claim) {
        devices.remove(claim);
        return watch.add(new Change.DevicesGone(parsed(claims.get(claim))));
    }

    /** What Kubernetes' controller of claims does: a claim that no pod uses loses its devices. */
    private void release() {
        any(devices.keySet())
                .filter(claim -> api.pods.values().stream().noneMatch(pod -> uses(pod, claim)))
                .ifPresent(claim -> {
                    devices.remove(claim);
                    if (random.nextBoolean()) {
                        watch.add(seen(claim));
                    } else {
                        watch.add(new Change.DevicesGone(parsed(claims.remove(claim))));
                    }
                });
    }

    private boolean uses(Pod pod, String claim) {
        return pod.getMetadata().getUid().equals(owned.get(claim))
                || pod.getSpec().getResourceClaims().stream().anyMatch(one -> claim.equals(one.getResourceClaimName()));
    }

    private void decide() {
        state.apply(List.copyOf(watch), now);
        watch.clear();
        now += 11_000;
        written.addAll(state.decide(now).bindings());
    }

    /** As the writer does it: first the claims, then the pod; either may be lost. */
    private void writeOne() {
        if (written.isEmpty()) {
            return;
        }
        Binding binding = written.remove(random.nextInt(written.size()));
        Set<String> allocated = new TreeSet<>();
        List<Change> claimsSeen = new ArrayList<>();
        for (Binding.DeviceClaim claim : binding.devices()) {
            Pod owner = api.pods.get(binding.pod().id().name());
            if (claim.uid().isEmpty()
                    && owner != null
                    && owner.getMetadata().getUid().equals(binding.pod().uid())) {
                owned.put(claim.name(), binding.pod().uid());
                claims.put(claim.name(), DeviceObjects.extended(claim.name(), owner, "container-0-request-1", 1));
                claimsSeen.add(seen(claim.name()));
            }
            boolean isThere = claims.containsKey(claim.name());
            boolean hasDevices = devices.containsKey(claim.name());
            if (!isThere || hasDevices == claim.devices().isPresent() || random.nextInt(8) == 0) {
                lose(binding, allocated, claimsSeen);
                return;
            }
            allocated.add(claim.name());
            claim.devices().ifPresent(allocation -> {
                devices.put(claim.name(), names(allocation));
                claimsSeen.add(seen(claim.name()));
            });
        }
        if (random.nextInt(8) == 0) {
            lose(binding, allocated, claimsSeen);
        } else if (random.nextBoolean()) {
            watch.addAll(claimsSeen);
            if (api.bind(binding).isPresent()) {
                lose(binding, allocated, List.of());
            }
        } else {
            if (api.bind(binding).isPresent()) {
                lose(binding, allocated, List.of());
            }
            decide();
            watch.addAll(claimsSeen);
        }
        checkDevices();
    }

    /** What claims have got is seen before or after it is known that the pod is not bound. */
    private void lose(Binding binding, Set<String> allocated, List<Change> claimsSeen) {
        Change lost = new Change.NotBound(binding.pod().id(), binding.pod().uid(), "lost", allocated);
        if (random.nextBoolean()) {
            watch.addAll(claimsSeen);
            watch.add(lost);
        } else {
            watch.add(lost);
            decide();
            watch.addAll(claimsSeen);
        }
    }

    private static List<String> names(ClaimAllocation allocation) {
        return allocation.grants().stream()
                .map(grant -> grant.device().pool() + "/" + grant.device().device())
                .toList();
    }

    private void checkDevices() {
        Map<String, String> claimOf = new HashMap<>();
        devices.forEach((claim, has) -> has.forEach(device -> assertThat(claimOf.put(device, claim))
                .as("claims %s and %s have %s", claimOf.get(device), claim, device)
                .isNull()));
        api.pods.values().stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .forEach(pod -> pod.getSpec()
                        .getResourceClaims()
                        .forEach(one -> assertThat(devices.get(one.getResourceClaimName()))
                                .as(
                                        "devices of %s on its node",
                                        pod.getMetadata().getName())
                                .isNotEmpty()
                                .allMatch(device ->
                                        device.startsWith(pod.getSpec().getNodeName() + "/"))));
        Map<String, Integer> byResource = new HashMap<>();
        api.pods.values().stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .filter(pod -> pod.getSpec().getResourceClaims().isEmpty()
                        && (pod.getStatus() == null || pod.getStatus().getExtendedResourceClaimStatus() == null))
                .forEach(pod -> byResource.merge(pod.getSpec().getNodeName(), 1, Integer::sum));
        assertThat(byResource.keySet()).doesNotContainAnyElementsOf(BY_CLAIMS);
        assertThat(byResource.getOrDefault("plugin", 0)).isLessThanOrEqualTo(3);
    }

    @Property(tries = 100)
    void whateverHappens_noGpuIsGivenTwice_andWhatClaimsHaveIsHeld(@ForAll long seed) {
        start(seed);
        for (int i = 0; i < 60; i++) {
            step();
            checkDevices();
        }
        while (!written.isEmpty()) {
            writeOne();
        }
        state.apply(List.copyOf(watch), now);
        watch.clear();
        state.cluster().validate();
        Map<String, Integer> held = new TreeMap<>();
        devices.values().forEach(has -> has.forEach(device -> held.merge(device.substring(0, 2), 1, Integer::sum)));
        for (String node : BY_CLAIMS) {
            Set<Integer> gpus = new TreeSet<>();
            state.cluster()
                    .node(node)
                    .orElseThrow()
                    .placements()
                    .forEach(placement -> assertThat(gpus.addAll(placement.gpus())
                                    || placement.gpus().isEmpty())
                            .isTrue());
            assertThat(gpus).as("GPUs held of %s, seed %d", node, seed).hasSize(held.getOrDefault(node, 0));
        }
    }
}
