package io.gpusched.dialect;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * HAMi's own rule for one container on the GPUs of a node: the GPUs are scanned from the end of the list, the first that
 * pass every check are taken. {@link HamiGreedy} sorts them first and places whole pods.
 *
 * <p>Known traits of the rule, all of them reproduced here and none of them in {@link HamiDialect}: compute above 100 is
 * read as 100; with NUMA binding only GPUs that stand next to each other in the list are found, and a GPU of another
 * NUMA node breaks the run even if it is excluded by its UUID.
 */
public final class HamiFit {
    /** Compute that asks for a GPU of one's own. */
    private static final long ALL_CORES = 100;

    private final HamiNode node;
    private final HamiPodRules rules;
    private final VgpuRequest request;
    private final QuotaCheck quota;
    private final HamiAnswer.Tally refusals = new HamiAnswer.Tally();
    private List<VgpuShare> found = new ArrayList<>();
    private int run = -1;

    private HamiFit(HamiNode node, HamiPodRules rules, VgpuRequest request, QuotaCheck quota) {
        this.node = node;
        this.rules = rules;
        this.request = request;
        this.quota = quota;
    }

    /** Says whether a namespace's quota admits a share on top of those found for the container so far. */
    @FunctionalInterface
    public interface QuotaCheck {
        /** No bound. */
        QuotaCheck NONE = (found, next) -> true;

        /** Returns whether it does. */
        boolean admits(List<VgpuShare> found, VgpuShare next);
    }

    /**
     * Returns which GPUs one container gets, or HAMi's reasons. O(GPUs), with topology-aware times combinations.
     *
     * @param node the node with its GPUs in scanning order, to be scanned from the last
     * @param rules the pod's annotations
     * @param request what the container asks
     * @param quota the namespace's quota
     */
    public static HamiAnswer fit(HamiNode node, HamiPodRules rules, VgpuRequest request, QuotaCheck quota) {
        return new HamiFit(node, rules, request, quota).scan();
    }

    private HamiAnswer scan() {
        List<VgpuDevice> gpus = node.gpus();
        for (int i = gpus.size() - 1; i >= 0; i--) {
            VgpuDevice gpu = gpus.get(i);
            VgpuShare share = new VgpuShare(
                    gpu.id(),
                    request.type(),
                    request.memoryMibOn(gpu.memoryMib().total()),
                    cores());
            Optional<HamiReason> refusal = check(gpu, share);
            if (refusal.isPresent()) {
                refusals.add(refusal.get(), 1);
                continue;
            }
            found.add(share);
            if (!rules.gpuPolicy().isTopologyAware() && found.size() == request.count()) {
                return new HamiAnswer.Chosen(found);
            }
        }
        if (rules.gpuPolicy().isTopologyAware() && found.size() >= request.count()) {
            return new HamiAnswer.Chosen(node.topology().choose(found, request.count()));
        }
        refusals.add(HamiReason.TOO_FEW_FIT, found.size());
        return refusals.refused(gpus.size());
    }

    private long cores() {
        return Math.min(request.cores(), ALL_CORES);
    }

    private Optional<HamiReason> check(VgpuDevice gpu, VgpuShare share) {
        if (!gpu.healthy()) {
            return Optional.of(HamiReason.NOT_HEALTHY);
        }
        if (node.cordoned().contains(gpu.id())) {
            return Optional.of(HamiReason.CORDONED);
        }
        if (!request.type().equals(VgpuRequest.NVIDIA)
                || !rules.types().acceptsType(gpu.type())
                || !rules.acceptsMode(gpu.mode())) {
            return Optional.of(HamiReason.TYPE_MISMATCH);
        }
        followRun(gpu);
        if (!rules.uuids().acceptsUuid(gpu.id())) {
            return Optional.of(HamiReason.UUID_MISMATCH);
        }
        return checkRoom(gpu, share);
    }

    /** Starts over when the NUMA node changes. */
    private void followRun(VgpuDevice gpu) {
        if (rules.numaBind() && gpu.numa() != run) {
            if (!rules.gpuPolicy().isTopologyAware()) {
                refusals.add(HamiReason.NUMA_NOT_FIT, found.size());
            }
            run = gpu.numa();
            found = new ArrayList<>();
        }
    }

    private Optional<HamiReason> checkRoom(VgpuDevice gpu, VgpuShare share) {
        HamiReason reason = null;
        if (gpu.slots().total() <= gpu.slots().used()) {
            reason = HamiReason.TIME_SLICING_EXHAUSTED;
        } else if (rules.gpuPolicy().isMutex() && gpu.isUsed()) {
            reason = HamiReason.EXCLUSIVE_CONFLICT;
        } else if (!quota.admits(List.copyOf(found), share)) {
            reason = HamiReason.QUOTA_NOT_FIT;
        } else if (gpu.memoryMib().free() < share.memoryMib()) {
            reason = HamiReason.INSUFFICIENT_MEMORY;
        } else if (gpu.cores().free() < share.cores()) {
            reason = HamiReason.INSUFFICIENT_CORE;
        } else if (gpu.cores().total() == ALL_CORES && share.cores() == ALL_CORES && gpu.isUsed()) {
            reason = HamiReason.EXCLUSIVE_CONFLICT;
        } else if (gpu.cores().total() != 0 && gpu.cores().used() == gpu.cores().total() && share.cores() == 0) {
            reason = HamiReason.COMPUTE_EXHAUSTED;
        }
        return Optional.ofNullable(reason);
    }
}
