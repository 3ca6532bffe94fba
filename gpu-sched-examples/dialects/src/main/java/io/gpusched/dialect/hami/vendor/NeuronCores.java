package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.hami.registration.NeuronCapacity;
import io.gpusched.dialect.internal.AskedAmounts;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Cores of devices that have two each, by number of devices or of cores: one core, or all cores of one or more devices (AWS
 * Neuron). A core is a GPU here, so that it is known which of the two is taken.
 *
 * <p>In HAMi's words the cores of a request are 2 where it is by devices, 1 where it is by cores.
 */
public record NeuronCores() implements VendorForm {
    private static final int CORES = NeuronCapacity.CORES;

    @Override
    public Optional<VgpuRequest> read(
            String word, VendorResources names, PodManifest pod, ContainerManifest container) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(container, "container");
        AskedAmounts asked = new AskedAmounts(container.limits(), container.requests());
        boolean byDevices = asked.has(names.count());
        boolean byCores = asked.has(names.cores());
        if (byDevices && byCores) {
            throw new IllegalArgumentException(names.count() + ": devices are asked for by number or by cores, got "
                    + asked.text(names.count()) + " and " + names.cores() + " " + asked.text(names.cores()));
        }
        if (!byDevices && !byCores) {
            return Optional.empty();
        }
        String name = byDevices ? names.count() : names.cores();
        int most = byDevices ? Node.MAX_GPUS / CORES : Node.MAX_GPUS;
        int amount = (int) AskedAmounts.inRange(name, asked.number(name, 0), 1, most);
        if (byCores && amount > 1 && amount % CORES != 0) {
            throw new IllegalArgumentException(name + ": must be 1 or a multiple of " + CORES + ", got " + amount);
        }
        int cores = byDevices ? amount * CORES : amount;
        return Optional.of(new VgpuRequest(cores, word, 0, OptionalInt.empty(), byDevices ? CORES : 1));
    }

    @Override
    public GpuRequest request(VgpuRequest asked, PodManifest pod, List<Gpu> devices) {
        Objects.requireNonNull(asked, "asked");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(devices, "devices");
        return GpuRequest.exclusive(asked.count());
    }

    @Override
    public boolean isIdle(NodeState node, int gpu) {
        Objects.requireNonNull(node, "node");
        List<Gpu> all = node.node().gpus();
        String device = NeuronCapacity.device(all.get(gpu).uuid());
        return all.stream()
                .filter(core -> NeuronCapacity.device(core.uuid()).equals(device))
                .allMatch(core -> node.isIdle(core.index()));
    }

    /** A request for a device means its cores. */
    @Override
    public List<String> uuids(String name) {
        Objects.requireNonNull(name, "name");
        return IntStream.range(0, CORES)
                .mapToObj(core -> NeuronCapacity.core(name, core))
                .toList();
    }
}
