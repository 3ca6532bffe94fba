package io.gpusched.dialect.slurm;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What Slurm writes for a job on a node, and how it prints what the job holds. */
public final class SlurmEnvironment {
    private SlurmEnvironment() {}

    /**
     * Returns the environment of a job's tasks on one node: {@code SLURM_JOB_GPUS} and {@code SLURM_STEP_GPUS} hold
     * indexes of the node, {@code CUDA_VISIBLE_DEVICES}, {@code ROCR_VISIBLE_DEVICES}, {@code ZE_AFFINITY_MASK} and
     * {@code GPU_DEVICE_ORDINAL} count from 0, as they do where cgroups constrain devices.
     */
    public static Map<String, String> of(Node node, Placement placement) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        List<Integer> gpus = placement.gpus();
        Map<String, String> environment = new TreeMap<>();
        if (gpus.isEmpty()) {
            return environment;
        }
        String global = join(gpus);
        String local = join(IntStream.range(0, gpus.size()).boxed().toList());
        environment.put("SLURM_JOB_GPUS", global);
        environment.put("SLURM_STEP_GPUS", global);
        environment.put("SLURM_GPUS_ON_NODE", String.valueOf(gpus.size()));
        for (String name :
                List.of("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK", "GPU_DEVICE_ORDINAL")) {
            environment.put(name, local);
        }
        for (ContainerGrant grant : placement.containers()) {
            if (grant.gpus() instanceof GpuGrant.Shared shared) {
                addShares(environment, node, shared);
            }
        }
        return environment;
    }

    private static void addShares(Map<String, String> environment, Node node, GpuGrant.Shared shared) {
        long slots = shared.shares().stream().mapToLong(GpuShare::slots).sum();
        if (SlurmNode.total(node, SlurmGres.MPS) > 0) {
            GpuShare first = shared.shares().get(0);
            long device = node.gpus().get(first.gpu()).slots();
            environment.put(
                    "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", String.valueOf(activeThreadPercentage(first.slots(), device)));
        } else {
            environment.put("SLURM_SHARDS_ON_NODE", String.valueOf(slots));
        }
    }

    /**
     * Returns the part of a device's threads that so many of its mps units are worth, at least 1 and 0 for a device
     * without units: 200 of 1,300 are 15.
     */
    public static long activeThreadPercentage(long units, long deviceUnits) {
        return deviceUnits == 0 ? 0 : Math.max(1, units * 100 / deviceUnits);
    }

    /** Returns what {@code scontrol -d show job} prints, such as {@code gpu:a100:2(IDX:0-1)}. */
    public static String grant(Node node, Placement placement) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        List<String> parts = new ArrayList<>();
        for (ContainerGrant grant : placement.containers()) {
            if (grant.gpus() instanceof GpuGrant.Shared shared) {
                String name = SlurmNode.total(node, SlurmGres.MPS) > 0 ? SlurmGres.MPS : SlurmGres.SHARD;
                long slots = shared.shares().stream().mapToLong(GpuShare::slots).sum();
                parts.add(name + ":" + slots + "(IDX:" + ranges(shared.indexes()) + ")");
            } else if (grant.gpus() instanceof GpuGrant.Whole whole) {
                parts.addAll(byType(node, whole.gpus()));
            }
        }
        return String.join(",", parts);
    }

    private static List<String> byType(Node node, List<Integer> gpus) {
        Map<String, List<Integer>> types = new TreeMap<>();
        for (int gpu : gpus) {
            String type = node.gpus().get(gpu).model().name();
            types.computeIfAbsent(type.equals("gpu") ? "" : ":" + type, key -> new ArrayList<>())
                    .add(gpu);
        }
        return types.entrySet().stream()
                .map(entry -> "gpu" + entry.getKey() + ":" + entry.getValue().size() + "(IDX:"
                        + ranges(entry.getValue()) + ")")
                .toList();
    }

    /** Returns indexes as Slurm lists them: {@code 0-2,5}. */
    static String ranges(List<Integer> indexes) {
        List<String> parts = new ArrayList<>();
        List<Integer> sorted = List.copyOf(new TreeSet<>(indexes));
        int start = 0;
        for (int i = 1; i <= sorted.size(); i++) {
            if (i == sorted.size() || sorted.get(i) != sorted.get(i - 1) + 1) {
                int first = sorted.get(start);
                int last = sorted.get(i - 1);
                parts.add(first == last ? "" + first : first + "-" + last);
                start = i;
            }
        }
        return String.join(",", parts);
    }

    private static String join(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
