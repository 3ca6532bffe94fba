package io.gpusched.examples.place;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.aliyun.AliyunGpuShareDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuDialect;
import io.gpusched.dialect.elasticgpu.ElasticGpuPolicy;
import io.gpusched.dialect.gaia.GaiaGpuDialect;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiTopology;
import io.gpusched.dialect.nanogpu.NanoGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuPolicy;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.dialect.nvidia.NvidiaSharing;
import io.gpusched.dialect.nvidia.NvidiaSharingDialect;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.dialect.volcano.VolcanoDialect;
import io.gpusched.dialect.volcano.VolcanoPolicy;
import io.gpusched.examples.dialect.HamiAnnotations;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The dialects of the command line by name. A name may be followed by a setting, as in {@code nano-gpu:spread}. */
final class Dialects {
    /** The name of Slurm's dialect, which has a form of its own. */
    static final String SLURM = "slurm";

    private static final Map<String, Supplier<Dialect>> BY_NAME = names();

    private Dialects() {}

    private static Map<String, Supplier<Dialect>> names() {
        Map<String, Supplier<Dialect>> names = new LinkedHashMap<>();
        names.put("t9k", T9kDialect::of);
        names.put("device-plugin", () -> DevicePluginDialect.of("nvidia.com/gpu"));
        names.put("device-plugin:amd.com/gpu", () -> DevicePluginDialect.of("amd.com/gpu"));
        names.put("device-plugin:huawei.com/Ascend910", () -> DevicePluginDialect.of("huawei.com/Ascend910"));
        names.put("nvidia-sharing", () -> NvidiaSharingDialect.of(NvidiaSharing.timeSlicing(2)));
        names.put("nvidia-sharing:mps", () -> NvidiaSharingDialect.of(NvidiaSharing.mps(2)));
        names.put("nano-gpu", () -> NanoGpuDialect.of(NanoGpuPolicy.BINPACK));
        names.put("nano-gpu:spread", () -> NanoGpuDialect.of(NanoGpuPolicy.SPREAD));
        names.put("gpushare", () -> AliyunGpuShareDialect.of(AliyunGpuShareDialect.Unit.GIB));
        names.put("gpushare:mib", () -> AliyunGpuShareDialect.of(AliyunGpuShareDialect.Unit.MIB));
        names.put("elastic-gpu", () -> ElasticGpuDialect.of(ElasticGpuPolicy.BINPACK));
        names.put("gaia", GaiaGpuDialect::of);
        names.put("hami", HamiAnnotations::dialect);
        names.put("volcano", () -> VolcanoDialect.of(VolcanoPolicy.BINPACK));
        names.put("volcano:spread", () -> VolcanoDialect.of(VolcanoPolicy.SPREAD));
        return names;
    }

    /** Returns a dialect with what it has to know of all nodes of a cluster together. */
    static Dialect knowing(List<YamlNode> objects, Dialect dialect) {
        if (!(dialect instanceof HamiDialect hami)) {
            return dialect;
        }
        Map<String, Map<String, Integer>> scores = new HashMap<>();
        for (YamlNode node : KubernetesPods.ofKind(objects, "Node")) {
            YamlNode text = node.at("metadata").at("annotations").at(HamiAnnotations.PAIR_SCORES);
            if (text.isPresent()) {
                scores.putAll(text.build(() -> HamiAnnotations.pairScores(text.text())));
            }
        }
        return hami.withTopology(new HamiTopology(scores));
    }

    /** Returns the names. */
    static Set<String> known() {
        return BY_NAME.keySet();
    }

    /** Returns a dialect, or nothing if the name is unknown; any {@code device-plugin:vendor/resource} is known. */
    static Optional<Dialect> find(String name) {
        Supplier<Dialect> known = BY_NAME.get(name);
        if (known == null && name.startsWith("device-plugin:")) {
            return Optional.of(DevicePluginDialect.of(name.substring(name.indexOf(':') + 1)));
        }
        return Optional.ofNullable(known).map(Supplier::get);
    }
}
