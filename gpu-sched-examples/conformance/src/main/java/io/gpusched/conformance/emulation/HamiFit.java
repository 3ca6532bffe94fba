package io.gpusched.conformance.emulation;

import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiPodRules;
import io.gpusched.dialect.hami.HamiReason;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
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
            VgpuShare share = share(gpu);
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
            List<VgpuDevice> fitting = found.stream()
                    .map(share -> gpus.stream()
                            .filter(gpu -> gpu.id().equals(share.gpu()))
                            .findFirst()
                            .orElseThrow())
                    .toList();
            return new HamiAnswer.Chosen(node.topology().bestFirst(fitting, request.count()).stream()
                    .limit(request.count())
                    .map(this::share)
                    .toList());
        }
        refusals.add(HamiReason.TOO_FEW_FIT, found.size());
        return refusals.refused(gpus.size());
    }

    private VgpuShare share(VgpuDevice gpu) {
        return new VgpuShare(
                gpu.id(),
                request.type(),
                request.memoryMibOn(gpu.memoryMib().total()),
                Math.min(request.cores(), ALL_CORES));
    }

    private Optional<HamiReason> check(VgpuDevice gpu, VgpuShare share) {
        if (gpu.healthy() && node.cordoned().contains(gpu.id())) {
            return Optional.of(HamiReason.CORDONED);
        }
        Optional<HamiReason> unfit = rules.checkKind(gpu, request);
        if (unfit.isPresent()) {
            return unfit;
        }
        followRun(gpu);
        if (!rules.uuids().acceptsUuid(gpu.id())) {
            return Optional.of(HamiReason.UUID_MISMATCH);
        }
        return rules.checkRoom(gpu, request, quota.admits(List.copyOf(found), share));
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
}
