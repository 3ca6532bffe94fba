package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.internal.LinkedHalves;
import io.gpusched.dialect.internal.Runs;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Which devices of a node one container, or all containers of a pod, may get together. */
public enum DeviceSets {
    /** Any. */
    ANY(""),
    /** Any, those of the network with most free devices first (Ascend with network ids). */
    NETWORKS("") {
        @Override
        List<Integer> pick(NodeState node, List<Integer> scan, GpuRequest request, List<ContainerGrant> earlier) {
            return request.count() == 1 ? scan : Groups.largestFirst(node.node(), scan);
        }
    },
    /** Any; whole devices of the link zone with the fewest free that suffice (MetaX sGPU). */
    ZONES("") {
        @Override
        List<Integer> pick(NodeState node, List<Integer> scan, GpuRequest request, List<ContainerGrant> earlier) {
            return request instanceof GpuRequest.Exclusive && scan.size() > request.count()
                    ? Groups.tightest(node.node(), scan, request.count())
                    : scan;
        }
    },
    /** Several devices are whole modules of two (Ascend910C). */
    MODULES("AllocatedCardsInsufficientRequest: several devices must be whole modules of two") {
        @Override
        List<Integer> pick(NodeState node, List<Integer> scan, GpuRequest request, List<ContainerGrant> earlier) {
            return request.count() == 1 ? scan : Groups.modules(node.node(), scan, request.count());
        }
    },
    /** Of all containers of a pod one and the same device (Moore Threads). */
    ONE_DEVICE("CardNotFoundCustomFilterRule: all containers of a pod must use one device") {
        @Override
        List<Integer> pick(NodeState node, List<Integer> scan, GpuRequest request, List<ContainerGrant> earlier) {
            return scan.stream()
                    .filter(gpu -> earlier.stream()
                            .flatMap(grant -> grant.gpus().indexes().stream())
                            .filter(held -> Devices.areAlike(node, held, gpu))
                            .allMatch(gpu::equals))
                    .toList();
        }
    },
    /**
     * One core, one device of two cores, or a run of devices: any on nodes whose type names {@code inf}, else 4, 8 or 16 that
     * begin at a multiple of their number (AWS Neuron).
     */
    RUNS("NumaNotFit: several devices must be a run, of 4, 8 or 16 at a multiple of their number but on rings") {
        @Override
        List<Integer> pick(NodeState node, List<Integer> scan, GpuRequest request, List<ContainerGrant> earlier) {
            List<Integer> all = Devices.alike(node.node(), scan);
            BitSet open = new BitSet();
            scan.forEach(gpu -> open.set(gpu - all.get(0)));
            String type = node.node().labels().getOrDefault("node.kubernetes.io/instance-type", "");
            boolean ring = type.toLowerCase(Locale.ROOT).contains("inf");
            return scan.isEmpty() ? scan : new Runs(all.get(0), all.size(), open, ring).choose(request.count());
        }
    },
    /**
     * One, two, four or eight devices of eight in two halves, HAMi's wings (Kunlun): on one wing, the one with 1, 3, 2 or 4 free
     * for one device and the one with the fewest that suffice for more, the left of equals; else, for two and four, devices
     * that are linked across the halves.
     */
    HALVES("NumaNotFit: the devices of a container must be of one wing, or linked across the halves") {
        @Override
        List<Integer> pick(NodeState node, List<Integer> scan, GpuRequest request, List<ContainerGrant> earlier) {
            return LinkedHalves.of(Devices.alike(node.node(), scan), scan).choose(request.count());
        }

        @Override
        void check(String resource, int count) {
            checkHalves(resource, count);
        }
    },
    /** As {@link #HALVES}, of devices that are idle or whose tenants all have the same memory (Kunlun vxpu). */
    EQUAL_HALVES(
            "NumaNotFit: the devices of a container must be of one wing, or linked across the halves, and be idle or"
                    + " serve parts of the same size") {
        @Override
        List<Integer> pick(NodeState node, List<Integer> scan, GpuRequest request, List<ContainerGrant> earlier) {
            List<Integer> equal = scan.stream()
                    .filter(gpu -> Devices.servesEqual(node, gpu, request))
                    .toList();
            return HALVES.pick(node, equal, request, earlier);
        }

        @Override
        void check(String resource, int count) {
            checkHalves(resource, count);
        }
    };

    private final String words;

    DeviceSets(String words) {
        this.words = words;
    }

    private static void checkHalves(String resource, int count) {
        if (count > 8 || Integer.bitCount(count) != 1) {
            throw new IllegalArgumentException(resource + ": must be one of 1, 2, 4, 8, got " + count);
        }
    }

    /** Returns HAMi's word for a node where devices are free, but no set of them, and what it means. */
    String words() {
        return words;
    }

    /** Returns whether only some sets of devices are legal, so that a container that needs many should choose early. */
    public boolean isRestricted() {
        return !words.isEmpty();
    }

    /**
     * Returns the devices that a container may get, the preferred first, or exactly the set that it gets.
     *
     * @param node the node as the container finds it
     * @param scan the devices of the vendor with room for it, in HAMi's order, the preferred first
     * @param request what it asks
     * @param earlier what the containers before it hold
     */
    public List<Integer> choose(NodeState node, List<Integer> scan, GpuRequest request, List<ContainerGrant> earlier) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(scan, "scan");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(earlier, "earlier");
        return pick(node, scan, request, earlier);
    }

    List<Integer> pick(NodeState node, List<Integer> scan, GpuRequest request, List<ContainerGrant> earlier) {
        return scan;
    }

    /** Throws if there is no set of so many devices on any node. */
    void check(String resource, int count) {}
}
