package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.hami.registration.NeuronCapacity;
import io.gpusched.dialect.hami.registration.NodeCapacity;
import io.gpusched.dialect.hami.registration.RegisteredJson;
import io.gpusched.dialect.hami.registration.RegisteredMetax;
import io.gpusched.dialect.hami.registration.RegisteredProfiles;
import io.gpusched.dialect.hami.registration.RegisteredText;
import java.util.ArrayList;
import java.util.List;

/** The families as HAMi 2.10 knows them, by the defaults of its chart. */
final class HamiVendors {
    private static final int SHARED_BY_MANY = 100;
    private static final int ILUVATAR_UNIT_MIB = 256;
    private static final int CAMBRICON_UNIT_MIB = 256;
    private static final int MOORE_THREADS_UNIT_MIB = 512;
    private static final int MOORE_THREADS_CORES = 16;

    private HamiVendors() {}

    static List<HamiVendor> all() {
        List<HamiVendor> all = new ArrayList<>();
        all.add(hygon());
        List.of("MR-V100", "MR-V50", "BI-V150", "BI-V100").forEach(chip -> all.add(iluvatar(chip)));
        all.add(cambricon());
        all.add(mooreThreads());
        all.add(metaxGpu());
        all.add(enflameGcu());
        all.add(kunlunXpu());
        all.add(kunlunVxpu());
        all.add(metaxSgpu());
        all.add(enflameDrs());
        all.add(neuron());
        all.addAll(AscendChips.all());
        return all;
    }

    private static HamiVendor hygon() {
        return new HamiVendor(
                "DCU",
                new VendorResources("hygon.com/dcunum", "hygon.com/dcumem", "hygon.com/dcucores"),
                new DeviceParts(1, DeviceParts.ALL_CORES, false),
                new RegisteredText("hami.io/node-dcu-register"),
                DeviceSets.ANY,
                VendorAnnotations.granted("dcu")
                        .withUuids("hygon.com/use-gpuuuid", "hygon.com/nouse-gpuuuid")
                        .withTypes("hygon.com/use-dcutype", "hygon.com/nouse-dcutype"),
                GrantForm.PLAIN);
    }

    /** A chip of Iluvatar's; HAMi's word for it is part of the names of annotations. */
    static HamiVendor iluvatar(String word) {
        return new HamiVendor(
                word,
                new VendorResources(
                        "iluvatar.ai/" + word + "-vgpu",
                        "iluvatar.ai/" + word + ".vMem",
                        "iluvatar.ai/" + word + ".vCore"),
                new DeviceParts(ILUVATAR_UNIT_MIB, 0, true),
                new RegisteredText("hami.io/node-" + word + "-register"),
                DeviceSets.ANY,
                VendorAnnotations.granted(word)
                        .withUuids("hami.io/use-" + word + "-uuid", "hami.io/no-use-" + word + "-uuid"),
                GrantForm.PLAIN);
    }

    private static HamiVendor cambricon() {
        String memory = "cambricon.com/mlu.smlu.vmemory";
        String cores = "cambricon.com/mlu.smlu.vcore";
        return new HamiVendor(
                "MLU",
                new VendorResources("cambricon.com/vmlu", memory, cores),
                new DeviceParts(CAMBRICON_UNIT_MIB, DeviceParts.ALL_CORES, false),
                new NodeCapacity(
                        cores,
                        DeviceParts.ALL_CORES,
                        DeviceParts.ALL_CORES,
                        memory,
                        CAMBRICON_UNIT_MIB,
                        SHARED_BY_MANY,
                        "-cambricon-mlu-",
                        1),
                DeviceSets.ANY,
                VendorAnnotations.granted("cambricon-mlu")
                        .withUuids("cambricon.com/use-gpuuuid", "cambricon.com/nouse-gpuuuid"),
                GrantForm.CAMBRICON);
    }

    private static HamiVendor mooreThreads() {
        String memory = "mthreads.com/sgpu-memory";
        String cores = "mthreads.com/sgpu-core";
        return new HamiVendor(
                "Mthreads",
                new VendorResources("mthreads.com/vgpu", memory, cores),
                new DeviceSlices(MOORE_THREADS_UNIT_MIB, MOORE_THREADS_CORES, List.of(2L, 4L, 8L, 16L, 32L, 64L, 96L)),
                new NodeCapacity(
                        cores,
                        MOORE_THREADS_CORES,
                        MOORE_THREADS_CORES,
                        memory,
                        MOORE_THREADS_UNIT_MIB,
                        SHARED_BY_MANY,
                        "-mthreads-",
                        1),
                DeviceSets.ONE_DEVICE,
                VendorAnnotations.granted("mthreads-vgpu")
                        .withoutPlugin()
                        .withUuids("mthreads.ai/use-gpuuuid", "mthreads.ai/nouse-gpuuuid"),
                GrantForm.MOORE_THREADS);
    }

    private static HamiVendor metaxGpu() {
        return new HamiVendor(
                "Metax-GPU",
                VendorResources.counted("metax-tech.com/gpu"),
                new WholeDevices(0),
                NodeCapacity.counted("metax-tech.com/gpu", 65_536, 1, "-metax-"),
                DeviceSets.ANY,
                VendorAnnotations.granted("metax-gpu"),
                GrantForm.PLAIN);
    }

    /** HAMi states 100 for the memory of each device, in percent. */
    private static HamiVendor enflameGcu() {
        return new HamiVendor(
                "GCU",
                VendorResources.counted("enflame.com/gcu"),
                new WholeDevices(100),
                NodeCapacity.counted("enflame.com/gcu", 0, 1, "-GCU-"),
                DeviceSets.ANY,
                VendorAnnotations.granted("enflame-gcu"),
                GrantForm.PLAIN);
    }

    private static HamiVendor kunlunXpu() {
        return new HamiVendor(
                "kunlun",
                VendorResources.counted("kunlunxin.com/xpu"),
                new WholeDevices(0),
                new NodeCapacity(
                        "kunlunxin.com/xpu", 1, DeviceParts.ALL_CORES, "", 98_304, SHARED_BY_MANY, "-kunlun-", 2),
                DeviceSets.HALVES,
                kunlunSelectors(new VendorAnnotations("", "hami.io/kunlun-allocated", List.of(), List.of(), "", "")),
                GrantForm.KUNLUN);
    }

    private static HamiVendor kunlunVxpu() {
        return new HamiVendor(
                "XPU",
                new VendorResources("kunlunxin.com/vxpu", "kunlunxin.com/vxpu-memory", ""),
                new RoundedShares(List.of(24_576L, 49_152L, 98_304L)),
                new RegisteredJson("hami.io/node-register-xpu"),
                DeviceSets.EQUAL_HALVES,
                kunlunSelectors(VendorAnnotations.granted("xpu")),
                GrantForm.PLAIN);
    }

    private static HamiVendor metaxSgpu() {
        return new HamiVendor(
                "Metax-SGPU",
                new VendorResources("metax-tech.com/sgpu", "metax-tech.com/vmemory", "metax-tech.com/vcore"),
                MetaxShares.DEFAULT,
                new RegisteredMetax("metax-tech.com/node-gpu-devices"),
                DeviceSets.ZONES,
                VendorAnnotations.granted("metax-sgpu")
                        .withUuids("metax-tech.com/use-gpuuuid", "metax-tech.com/nouse-gpuuuid"),
                GrantForm.METAX);
    }

    private static HamiVendor enflameDrs() {
        return new HamiVendor(
                "Enflame",
                new VendorResources("enflame.com/drs-gcu", "enflame.com/gcu-memory", "enflame.com/gcu-core"),
                new DeviceProfiles(),
                new RegisteredProfiles("enflame.com/gcu-drs-capacity"),
                DeviceSets.ANY,
                VendorAnnotations.granted("enflame-vgpu")
                        .withoutPlugin()
                        .withUuids("enflame.com/use-gpuuuid", "enflame.com/nouse-gpuuuid"),
                GrantForm.ENFLAME);
    }

    private static HamiVendor neuron() {
        return new HamiVendor(
                "AWSNeuron",
                new VendorResources("aws.amazon.com/neuron", "", "aws.amazon.com/neuroncore"),
                new NeuronCores(),
                new NeuronCapacity("aws.amazon.com/neuron", "aws.amazon.com/neuroncore"),
                DeviceSets.RUNS,
                VendorAnnotations.granted("aws-neuron")
                        .withoutPlugin()
                        .withUuids("aws.amazon.com/use-neuron-uuid", "aws.amazon.com/nouse-neuron-uuid"),
                GrantForm.NEURON);
    }

    private static VendorAnnotations kunlunSelectors(VendorAnnotations annotations) {
        return annotations
                .withUuids("hami.io/use-xpu-uuid", "hami.io/no-use-xpu-uuid")
                .withUuids("baidu.com/use-gpuuuid", "baidu.com/nouse-gpuuuid");
    }
}
