package io.gpusched.conformance.emulation;

import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiTopology;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuSelector;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A node as HAMi sees it.
 *
 * @param name its name
 * @param gpus its GPUs, in the order in which HAMi lists them
 * @param cordoned UUIDs of GPUs that take nothing new
 * @param topology how its GPUs are connected
 */
public record HamiNode(String name, List<VgpuDevice> gpus, Set<String> cordoned, HamiTopology topology) {
    /** Copies the collections. */
    public HamiNode {
        gpus = List.copyOf(gpus);
        cordoned = Set.copyOf(cordoned);
    }

    /** Returns a node whose annotations may cordon GPUs. */
    public static HamiNode of(
            String name, List<VgpuDevice> gpus, Map<String, String> annotations, HamiTopology topology) {
        return new HamiNode(name, gpus, Set.copyOf(VgpuSelector.names(annotations.get(HamiDialect.CORDON))), topology);
    }

    /** Returns this node with other GPUs, or the same in another order or use. */
    HamiNode withGpus(List<VgpuDevice> others) {
        return new HamiNode(name, others, cordoned, topology);
    }

    /** Returns this node with only the GPUs whose type names this vendor, letter case aside. */
    HamiNode ofVendor(String vendor) {
        String word = vendor.toLowerCase(Locale.ROOT);
        return withGpus(gpus.stream()
                .filter(gpu -> gpu.type().toLowerCase(Locale.ROOT).contains(word))
                .toList());
    }
}
