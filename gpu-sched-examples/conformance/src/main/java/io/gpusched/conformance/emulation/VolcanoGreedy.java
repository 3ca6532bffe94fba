package io.gpusched.conformance.emulation;

import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.dialect.volcano.VolcanoPodRules;
import io.gpusched.dialect.volcano.VolcanoPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The own rule of Volcano's deviceshare plugin for a pod on a node: containers in their order, each gets the first GPUs
 * that fit in the policy's order, nothing is ever taken back. Use it to foretell what a Volcano cluster will do;
 *
 * Unlike Volcano it takes no unhealthy GPU.
 */
public final class VolcanoGreedy {
    private static final long ALL_CORES = 100;

    private final VolcanoPolicy policy;
    private final VolcanoPodRules rules;
    private final Map<String, Set<String>> groupsByGpu;

    private VolcanoGreedy(VolcanoPolicy policy, VolcanoPodRules rules, Map<String, Set<String>> groupsByGpu) {
        this.policy = policy;
        this.rules = rules;
        this.groupsByGpu = groupsByGpu;
    }

    /**
     * Returns the rule for a pod.
     *
     * @param groupsByGpu for each UUID the pod groups that run there, as {@code namespace/name}
     */
    public static VolcanoGreedy of(VolcanoPolicy policy, VolcanoPodRules rules, Map<String, Set<String>> groupsByGpu) {
        return new VolcanoGreedy(policy, rules, Map.copyOf(groupsByGpu));
    }

    /**
     * What happens to a pod on one node.
     *
     * @param containers what each container gets, in the order in which the GPUs were found; empty if it does not fit
     * @param score the sum of what the GPUs taken add, after the placement
     * @param gpus the node's GPUs afterwards, as they are if it does not fit
     * @param refusal Volcano's reason if it does not fit, else empty
     */
    public record OnNode(List<List<VgpuShare>> containers, double score, List<VgpuDevice> gpus, String refusal) {
        /** Returns whether the pod fits. */
        public boolean fits() {
            return refusal.isEmpty();
        }
    }

    /** Places a pod on the GPUs of a node; an empty request is a container without GPU. */
    public OnNode place(String node, List<VgpuDevice> gpus, List<Optional<VgpuRequest>> containers) {
        Attempt attempt = new Attempt(gpus);
        for (Optional<VgpuRequest> request : containers) {
            if (request.isPresent() && request.get().count() > gpus.size()) {
                return refused(gpus, "no enough gpu cards on node " + node);
            }
            if (request.isPresent() && !attempt.take(request.get())) {
                return refused(gpus, attempt.uuidMatched ? "not enough gpu fitted on this node" : rules.noUuid(node));
            }
            if (request.isEmpty()) {
                attempt.containers.add(List.of());
            }
        }
        return new OnNode(attempt.containers, attempt.score, attempt.gpus, "");
    }

    private static OnNode refused(List<VgpuDevice> gpus, String reason) {
        return new OnNode(List.of(), 0, List.copyOf(gpus), reason);
    }

    private boolean hasGroup(VgpuDevice gpu) {
        return rules.spreadsGroup()
                && rules.group().isPresent()
                && groupsByGpu
                        .getOrDefault(gpu.id(), Set.of())
                        .contains(rules.group().get());
    }

    private boolean fits(VgpuDevice gpu, VgpuRequest request, VgpuShare share) {
        long usedCores = gpu.cores().used();
        return gpu.healthy()
                && gpu.slots().used() < gpu.slots().total()
                && !hasGroup(gpu)
                && share.memoryMib() <= gpu.memoryMib().free()
                && usedCores + share.cores() <= ALL_CORES
                && !(share.cores() == ALL_CORES && gpu.isUsed())
                && !(share.cores() == 0 && usedCores == ALL_CORES)
                && gpu.type().toUpperCase(Locale.ROOT).contains(request.type())
                && rules.types().acceptsType(gpu.type())
                && (rules.mode().isEmpty() || rules.mode().get().equals(mode(gpu)));
    }

    /** A GPU is cut by software unless it says that it is in MIG mode. */
    private static String mode(VgpuDevice gpu) {
        return gpu.mode().equals("mig") ? "mig" : "hami-core";
    }

    /** The node while its containers are placed one after the other. */
    private final class Attempt {
        private final List<VgpuDevice> gpus;
        private final List<List<VgpuShare>> containers = new ArrayList<>();
        private double score;
        private boolean uuidMatched;

        Attempt(List<VgpuDevice> gpus) {
            this.gpus = new ArrayList<>(gpus);
        }

        boolean take(VgpuRequest request) {
            List<VgpuShare> shares = new ArrayList<>();
            uuidMatched = false;
            for (VgpuDevice gpu : gpus.stream().sorted(policy.order()).toList()) {
                VgpuShare share = new VgpuShare(
                        gpu.id(),
                        request.type(),
                        request.memoryMibOn(gpu.memoryMib().total()),
                        request.cores());
                boolean matches = rules.acceptsUuid(gpu.id());
                uuidMatched |= matches;
                if (matches && shares.size() < request.count() && fits(gpu, request, share)) {
                    VgpuDevice taken = gpu.plus(share);
                    gpus.set(gpus.indexOf(gpu), taken);
                    score += policy.score(taken);
                    shares.add(share);
                }
            }
            containers.add(List.copyOf(shares));
            return shares.size() == request.count();
        }
    }
}
