package io.gpusched.conformance.vgpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.conformance.emulation.HamiGreedy;
import io.gpusched.conformance.emulation.HamiNode;
import io.gpusched.dialect.hami.HamiPodRules;
import io.gpusched.dialect.hami.HamiQuota;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.dialect.hami.HamiTopology;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** HAMi's own way, emulated, against HAMi's dialect and the scheduler: one container on one node. */
class HamiLibraryProperties {
    private static final List<String> POLICIES =
            List.of("", "binpack", "spread", "mutex", "numa", "numa,binpack", "binpack,mutex", "topology-aware");

    @Property(tries = 2000)
    void oneContainer_getsTheSameGpus_orTheSameWords(@ForAll long seed) {
        Random random = new Random(seed);
        List<VgpuDevice> gpus = gpus(random);
        Map<String, String> annotations = annotations(random);
        HamiQuota quota = random.nextInt(6) == 0
                ? HamiQuota.of(Map.of("limits.nvidia.com/gpumem", 500L), HamiSettings.DEFAULT)
                : HamiQuota.NONE;
        List<Optional<VgpuRequest>> asked = List.of(Optional.of(request(random)));
        HamiNode node = new HamiNode("n1", gpus, Set.of(), topology(random, gpus));
        HamiLibrary library = new HamiLibrary(node, annotations, List.of(), asked, quota);
        HamiGreedy.OnNode greedy =
                HamiGreedy.of(HamiPodRules.of(annotations), quota).place(node, List.of(), asked);
        HamiGreedy.OnNode exact = library.exact();
        if (greedy.fits()) {
            assertThat(exact.fits()).as("%s: %s", library, exact.refusal()).isTrue();
            assertThat(VgpuJson.sortedIds(exact.containers().get(0)))
                    .as("%s", library)
                    .isEqualTo(VgpuJson.sortedIds(greedy.containers().get(0)));
            assertThat(memory(exact)).isEqualTo(memory(greedy));
        } else if (!HamiPodRules.of(annotations).numaBind() && quota.equals(HamiQuota.NONE)) {
            assertThat(exact.fits()).as("%s", library).isFalse();
            assertThat(exact.refusal()).as("%s", library).isEqualTo(greedy.refusal());
        }
    }

    private static List<Long> memory(HamiGreedy.OnNode placed) {
        return placed.containers().get(0).stream()
                .map(VgpuShare::memoryMib)
                .sorted()
                .toList();
    }

    private static List<VgpuDevice> gpus(Random random) {
        List<VgpuDevice> gpus = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int g = 0; g < count; g++) {
            boolean used = random.nextBoolean();
            gpus.add(new VgpuDevice(
                    "g" + g,
                    g,
                    random.nextInt(2),
                    random.nextInt(4) == 0 ? "NVIDIA-H100" : "NVIDIA-A100",
                    "",
                    random.nextInt(8) > 0,
                    new VgpuDevice.Amount(used ? 1 + random.nextInt(3) : 0, 3),
                    new VgpuDevice.Amount(used ? 100L * random.nextInt(11) : 0, 1_000),
                    new VgpuDevice.Amount(used ? 10L * random.nextInt(11) : 0, 100)));
        }
        return gpus;
    }

    private static HamiTopology topology(Random random, List<VgpuDevice> gpus) {
        Map<String, Map<String, Integer>> scores = new TreeMap<>();
        for (VgpuDevice from : gpus) {
            for (VgpuDevice to : gpus) {
                scores.computeIfAbsent(from.id(), id -> new TreeMap<>()).put(to.id(), random.nextInt(3));
            }
        }
        return new HamiTopology(scores);
    }

    private static Map<String, String> annotations(Random random) {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put("hami.io/gpu-scheduler-policy", POLICIES.get(random.nextInt(POLICIES.size())));
        if (random.nextInt(4) == 0) {
            annotations.put("nvidia.com/numa-bind", "true");
        }
        if (random.nextInt(5) == 0) {
            annotations.put("nvidia.com/use-gputype", "h100");
        }
        if (random.nextInt(5) == 0) {
            annotations.put(random.nextBoolean() ? "nvidia.com/use-gpuuuid" : "nvidia.com/nouse-gpuuuid", "g0,g2");
        }
        if (random.nextInt(5) == 0) {
            annotations.put("hami.io/device-scoring-weights", "slot=0,core=1,memory=3");
        }
        return annotations;
    }

    private static VgpuRequest request(Random random) {
        boolean percent = random.nextBoolean();
        int amount = 1 + random.nextInt(100);
        int cores = List.of(0, 10, 50, 100).get(random.nextInt(4));
        return new VgpuRequest(
                1 + random.nextInt(3),
                VgpuRequest.NVIDIA,
                percent ? 0 : 10L * amount,
                percent ? OptionalInt.of(amount) : OptionalInt.empty(),
                cores);
    }
}
