package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.hami.registration.NeuronCapacity;
import io.gpusched.dialect.internal.VgpuView;
import io.gpusched.dialect.vgpu.VgpuCodec;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How HAMi writes what is held of AWS Neuron devices: by device, with the cores as a mask. */
final class NeuronGrant {
    private NeuronGrant() {}

    static List<List<VgpuShare>> shares(VendorGrant grant) {
        List<List<VgpuShare>> all = new ArrayList<>();
        for (VendorGrant.Container container : grant.containers()) {
            Map<String, Long> masks = new LinkedHashMap<>();
            container
                    .held()
                    .forEach(held -> masks.merge(
                            NeuronCapacity.device(held.share().gpu()),
                            1L << held.index() % NeuronCapacity.CORES,
                            Long::sum));
            List<VgpuShare> shares = new ArrayList<>();
            masks.forEach((device, mask) -> shares.add(
                    new VgpuShare(device, container.held().get(0).share().type(), 0, mask)));
            all.add(shares);
        }
        return all;
    }

    static Map<String, String> annotations(VendorGrant grant) {
        Map<String, String> annotations = new TreeMap<>();
        boolean byCores = grant.held().stream().anyMatch(held -> !isByDevice(held));
        annotations.put(
                "AWS_NEURON_IDS",
                grant.containers().stream()
                        .flatMap(container -> container.held().stream()
                                .map(held -> isByDevice(held) ? held.index() / NeuronCapacity.CORES : held.index())
                                .distinct())
                        .map(String::valueOf)
                        .collect(Collectors.joining(",")));
        annotations.put("NEURON_ALLOCATED", "false");
        annotations.put("aws.amazon.com/predicate-node", grant.node());
        if (byCores) {
            annotations.put("NEURON_RESOURCE_TYPE", grant.names().cores());
        }
        return annotations;
    }

    private static boolean isByDevice(VendorGrant.Held held) {
        return held.share().cores() == NeuronCapacity.CORES;
    }

    static List<Integer> indexes(String annotation, int container, Node node) {
        List<List<VgpuShare>> devices = VgpuCodec.decode(annotation.trim());
        List<VgpuShare> cores = new ArrayList<>();
        for (VgpuShare share : container < devices.size() ? devices.get(container) : List.<VgpuShare>of()) {
            for (int core = 0; core < NeuronCapacity.CORES; core++) {
                if ((share.cores() >>> core & 1) != 0) {
                    cores.add(new VgpuShare(NeuronCapacity.core(share.gpu(), core), share.type(), 0, 1));
                }
            }
        }
        return VgpuView.indexes(VgpuCodec.encodeHami(List.of(cores)), 0, node);
    }
}
