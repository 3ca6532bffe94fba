package io.gpusched.cli.look;

import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Placement;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a pod holds of GPUs, in words. */
final class Held {
    private Held() {}

    /** Returns whether a pod holds any GPU. */
    static boolean any(Placement placement) {
        return placement.containers().stream().anyMatch(grant -> !(grant.gpus() instanceof GpuGrant.None));
    }

    /**
     * Returns what a pod holds.
     *
     * @param seen the cluster that it is of
     */
    static String words(Placement placement, SeenCluster seen) {
        boolean countsOnly = seen.countsOnly(placement.node());
        boolean isSliced = seen.cluster()
                .node(placement.node())
                .filter(SeenCluster::isSliced)
                .isPresent();
        List<String> words = new ArrayList<>();
        Set<Integer> whole = new TreeSet<>();
        Map<Integer, GpuShare> shares = shares(placement);
        Map<String, Integer> partitions = new TreeMap<>();
        for (ContainerGrant grant : placement.containers()) {
            boolean isInit = grant.kind() == ContainerKind.INIT;
            if (grant.gpus() instanceof GpuGrant.Whole one) {
                whole.addAll(one.gpus());
            } else if (grant.gpus() instanceof GpuGrant.Partitions cut && !isInit) {
                cut.partitions().forEach(one -> partitions.merge(one.profile(), 1, Integer::sum));
            } else if (grant.gpus() instanceof GpuGrant.WholeNode) {
                words.add("the whole node");
            }
        }
        // containers that run before the others hold what these hold later, and may hold more
        for (ContainerGrant grant : placement.containers()) {
            if (grant.gpus() instanceof GpuGrant.Partitions cut && grant.kind() == ContainerKind.INIT) {
                Map<String, Integer> first = new TreeMap<>();
                cut.partitions().forEach(one -> first.merge(one.profile(), 1, Integer::sum));
                first.forEach((profile, count) -> partitions.merge(profile, count, Math::max));
            }
        }
        if (!whole.isEmpty()) {
            words.add(gpus(whole.size()) + (countsOnly ? "" : " " + whole));
        }
        String slot = isSliced ? "slice" : "slot";
        if (countsOnly && shares.values().stream().allMatch(Held::isSlots)) {
            int slots = shares.values().stream().mapToInt(GpuShare::slots).sum();
            words.addAll(slots == 0 ? List.of() : List.of(slots + " " + slot + (slots == 1 ? "" : "s")));
        } else {
            shares.values().forEach(share -> words.add(share(share, slot)));
        }
        partitions.forEach((profile, count) -> words.add(count + " x " + profile));
        return words.isEmpty() ? "no GPU" : String.join(", ", words);
    }

    /** Returns what a pod holds of each shared GPU. Containers that run before the others hold what these hold later, or more. */
    static Map<Integer, GpuShare> shares(Placement placement) {
        Map<Integer, GpuShare> shares = new TreeMap<>();
        for (ContainerGrant grant : placement.containers()) {
            if (grant.gpus() instanceof GpuGrant.Shared shared && grant.kind() != ContainerKind.INIT) {
                shared.shares().forEach(share -> shares.merge(share.gpu(), share, Held::sum));
            }
        }
        for (ContainerGrant grant : placement.containers()) {
            if (grant.gpus() instanceof GpuGrant.Shared shared && grant.kind() == ContainerKind.INIT) {
                shared.shares().forEach(share -> shares.merge(share.gpu(), share, Held::greater));
            }
        }
        return shares;
    }

    private static boolean isSlots(GpuShare share) {
        return share.computeMillis() == 0 && share.memoryMib() == 0;
    }

    private static GpuShare sum(GpuShare one, GpuShare other) {
        return new GpuShare(
                one.gpu(),
                one.computeMillis() + other.computeMillis(),
                one.memoryMib() + other.memoryMib(),
                one.slots() + other.slots());
    }

    private static GpuShare greater(GpuShare one, GpuShare other) {
        return new GpuShare(
                one.gpu(),
                Math.max(one.computeMillis(), other.computeMillis()),
                Math.max(one.memoryMib(), other.memoryMib()),
                Math.max(one.slots(), other.slots()));
    }

    /** What is not held is left out; a slot is named where there is nothing else. */
    private static String share(GpuShare share, String slot) {
        List<String> parts = new ArrayList<>();
        if (share.computeMillis() > 0) {
            parts.add(BigDecimal.valueOf(share.computeMillis(), 1)
                            .stripTrailingZeros()
                            .toPlainString() + " %");
        }
        if (share.memoryMib() > 0) {
            parts.add(share.memoryMib() + " MiB");
        }
        if (parts.isEmpty()) {
            return share.slots() + " " + slot + (share.slots() == 1 ? "" : "s") + " on GPU " + share.gpu();
        }
        return String.join(" and ", parts) + " of GPU " + share.gpu();
    }

    static String gpus(int count) {
        return count + (count == 1 ? " GPU" : " GPUs");
    }
}
