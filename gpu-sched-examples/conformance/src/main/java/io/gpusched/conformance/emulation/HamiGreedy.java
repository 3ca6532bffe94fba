package io.gpusched.conformance.emulation;

import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiPodRules;
import io.gpusched.dialect.hami.HamiQuota;
import io.gpusched.dialect.hami.HamiReason;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * HAMi's own rule for whole pods: containers in their order, each gets the first GPUs that fit in the order of the pod's
 * policy, nothing is ever taken back. A pod that could be placed may be refused ({@code 40} and then {@code 100} percent
 * on GPUs with 100 and 60 percent free, with spread). Use it to foretell what a HAMi cluster will do;
 * {@link HamiDialect} places exactly.
 */
public final class HamiGreedy {
    private final HamiPodRules rules;
    private final HamiQuota quota;

    private HamiGreedy(HamiPodRules rules, HamiQuota quota) {
        this.rules = rules;
        this.quota = quota;
    }

    /** Returns the rule for a pod with these annotations in a namespace with this quota. */
    public static HamiGreedy of(HamiPodRules rules, HamiQuota quota) {
        return new HamiGreedy(rules, quota);
    }

    /**
     * What happens to a pod on one node.
     *
     * @param node the node's name
     * @param score how full the node is before the pod, see {@link HamiPodRules#fullness}
     * @param containers what each container gets, init containers first; empty if the pod does not fit
     * @param refusal HAMi's reason if it does not fit, else empty
     */
    public record OnNode(String node, double score, List<List<VgpuShare>> containers, String refusal) {
        /** Returns whether the pod fits. */
        public boolean fits() {
            return refusal.isEmpty();
        }
    }

    /**
     * Places a pod on one node.
     *
     * @param initContainers what each init container asks, empty for no GPU; each runs alone on the node as it is
     * @param containers what each app container asks; they run together
     */
    public OnNode place(
            HamiNode node, List<Optional<VgpuRequest>> initContainers, List<Optional<VgpuRequest>> containers) {
        double score = HamiPodRules.fullness(node.gpus());
        List<List<VgpuShare>> given = new ArrayList<>();
        List<VgpuDevice> gpus = node.gpus();
        for (int c = 0; c < initContainers.size() + containers.size(); c++) {
            boolean init = c < initContainers.size();
            Optional<VgpuRequest> request = init ? initContainers.get(c) : containers.get(c - initContainers.size());
            if (request.isEmpty()) {
                given.add(List.of());
                continue;
            }
            List<VgpuDevice> sorted = sort(init ? node.gpus() : gpus, request.get());
            HamiAnswer answer = fit(node.withGpus(sorted), request.get(), initContainers.size(), given);
            if (answer instanceof HamiAnswer.Refused refused) {
                return new OnNode(node.name(), score, List.of(), refused.reason());
            }
            List<VgpuShare> shares = ((HamiAnswer.Chosen) answer).shares();
            given.add(shares);
            gpus = init ? gpus : book(sorted, shares);
        }
        return new OnNode(node.name(), score, given, "");
    }

    /**
     * Returns the node HAMi takes among those on which the pod fits: the last of {@link #nodeOrder}; among equals, where
     * HAMi leaves it to chance, the first of the list.
     */
    public Optional<OnNode> choose(List<OnNode> nodes) {
        return nodes.stream()
                .filter(OnNode::fits)
                .min(nodeOrder(rules.spreadsNodes()).reversed());
    }

    /** Returns the order of nodes, of which the last is taken: the fullest last, or with spreading nodes the emptiest. */
    public static Comparator<OnNode> nodeOrder(boolean spreadsNodes) {
        Comparator<OnNode> fuller = Comparator.comparingDouble(OnNode::score);
        return spreadsNodes ? fuller.reversed() : fuller;
    }

    private List<VgpuDevice> sort(List<VgpuDevice> gpus, VgpuRequest request) {
        List<VgpuDevice> sorted = new ArrayList<>(gpus);
        sorted.sort(rules.order(request));
        return sorted;
    }

    private HamiAnswer fit(HamiNode node, VgpuRequest request, int initContainers, List<List<VgpuShare>> given) {
        if (!request.type().equals(VgpuRequest.NVIDIA)) {
            return HamiAnswer.Refused.of(HamiReason.UNKNOWN_TYPE);
        }
        HamiNode ofVendor = node.ofVendor(request.type());
        if (request.count() > ofVendor.gpus().size()) {
            return HamiAnswer.Refused.of(HamiReason.NODE_INSUFFICIENT);
        }
        return HamiFit.fit(ofVendor, rules, request, (found, next) -> {
            List<VgpuShare> current = new ArrayList<>(found);
            current.add(next);
            List<List<VgpuShare>> all = new ArrayList<>(given);
            all.add(current);
            return quota.admits(initContainers, all);
        });
    }

    private static List<VgpuDevice> book(List<VgpuDevice> gpus, List<VgpuShare> shares) {
        Map<String, VgpuShare> byGpu = new HashMap<>();
        shares.forEach(share -> byGpu.put(share.gpu(), share));
        return gpus.stream()
                .map(gpu -> byGpu.containsKey(gpu.id()) ? gpu.plus(byGpu.get(gpu.id())) : gpu)
                .toList();
    }
}
