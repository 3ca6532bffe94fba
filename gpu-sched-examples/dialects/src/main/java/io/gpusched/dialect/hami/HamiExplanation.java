package io.gpusched.dialect.hami;

import io.gpusched.dialect.internal.VgpuView;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says in HAMi's words why a node does not take a container: it counts GPUs under the first reason that each has. */
final class HamiExplanation {
    private static final VgpuShare NOTHING = new VgpuShare("", "", 0, 0);

    private final HamiPodRules rules;
    private final HamiQuota quota;

    HamiExplanation(HamiPodRules rules, HamiQuota quota) {
        this.rules = rules;
        this.quota = quota;
    }

    /** Returns the words for the first container that finds no place on the node as it is; empty if each does. */
    String of(NodeState node, List<Optional<VgpuRequest>> requests) {
        return requests.stream()
                .flatMap(Optional::stream)
                .map(request -> of(node, request))
                .filter(words -> !words.isEmpty())
                .findFirst()
                .orElse("");
    }

    private String of(NodeState node, VgpuRequest request) {
        List<VgpuDevice> gpus = VgpuView.gpus(node).stream()
                .filter(gpu -> gpu.type().toUpperCase(Locale.ROOT).contains(request.type()))
                .toList();
        boolean cut = gpus.stream()
                .anyMatch(gpu -> gpu.mode().equals(HamiPodRules.MIG) && rules.acceptsMode(HamiPodRules.MIG));
        if (request.count() > gpus.size() && !cut) {
            return HamiReason.NODE_INSUFFICIENT.word();
        }
        List<VgpuDevice> scan = new ArrayList<>(gpus);
        scan.sort(rules.order(request).reversed());
        Map<HamiReason, Integer> counts = new EnumMap<>(HamiReason.class);
        Map<Integer, Integer> fitting = new LinkedHashMap<>();
        Map<Integer, VgpuShare> counted = new HashMap<>();
        for (VgpuDevice gpu : scan) {
            int group = rules.numaBind() ? gpu.numa() : 0;
            Optional<HamiReason> reason = check(node, gpu, request, counted.getOrDefault(group, NOTHING));
            if (reason.isEmpty()) {
                counted.merge(group, share(node, gpu, request), HamiExplanation::sum);
            }
            int room = reason.isPresent() ? 0 : room(node, gpu, request);
            Optional<HamiReason> why =
                    reason.isPresent() || room >= asked(gpu, request) ? reason : Optional.of(HamiReason.MIG_INFEASIBLE);
            why.ifPresent(found -> counts.merge(found, 1, Integer::sum));
            fitting.merge(group, room, Integer::sum);
        }
        if (fitting.values().stream().anyMatch(found -> found >= request.count())) {
            return "";
        }
        int last = fitting.values().stream().reduce(0, (before, found) -> found);
        int earlier = fitting.values().stream().mapToInt(Integer::intValue).sum() - last;
        counts.merge(HamiReason.NUMA_NOT_FIT, earlier, Integer::sum);
        counts.merge(HamiReason.TOO_FEW_FIT, last, Integer::sum);
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(entry -> entry.getValue() + "/" + gpus.size() + " "
                        + entry.getKey().word())
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** A GPU in MIG mode gives as many instances as are asked for, another one share. */
    private static int asked(VgpuDevice gpu, VgpuRequest request) {
        return gpu.mode().equals(HamiPodRules.MIG) ? request.count() : 1;
    }

    private static int room(NodeState node, VgpuDevice gpu, VgpuRequest request) {
        return gpu.mode().equals(HamiPodRules.MIG)
                ? HamiMig.room(node, node.node().gpus().get(gpu.index()), request)
                : 1;
    }

    /** What a container would hold of GPUs together, for the quota. */
    private static VgpuShare sum(VgpuShare some, VgpuShare more) {
        return new VgpuShare("", "", some.memoryMib() + more.memoryMib(), some.cores() + more.cores());
    }

    private static VgpuShare share(NodeState node, VgpuDevice gpu, VgpuRequest request) {
        return VgpuView.share(node.node().gpus().get(gpu.index()), request);
    }

    /** The quota must admit a GPU beside the GPUs that were found before it. */
    private Optional<HamiReason> check(NodeState node, VgpuDevice gpu, VgpuRequest request, VgpuShare found) {
        Optional<HamiReason> unfit = rules.checkKind(gpu, request);
        if (unfit.isPresent()) {
            return unfit;
        }
        if (!rules.uuids().acceptsUuid(gpu.id())) {
            return Optional.of(HamiReason.UUID_MISMATCH);
        }
        VgpuShare share = sum(found, share(node, gpu, request));
        return rules.checkRoom(gpu, request, quota.admits(share.memoryMib(), share.cores()));
    }
}
