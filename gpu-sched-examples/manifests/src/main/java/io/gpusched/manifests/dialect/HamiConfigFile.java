package io.gpusched.manifests.dialect;

import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import java.nio.file.Path;
import java.util.List;

/**
 * HAMi's settings file {@code device-config.yaml}, alone or in the ConfigMap that holds it: names of resources, units, default
 * amounts, chips and their templates. As in HAMi a vendor without a section is not there, and a resource without a name cannot be
 * asked for. What concerns only device plugins is passed over; any other field that is not known is an error.
 */
final class HamiConfigFile {
    private static final String KEY = "device-config.yaml";

    private static final List<String> SECTIONS = List.of(
            "nvidia",
            "cambricon",
            "hygon",
            "metax",
            "enflame",
            "mthreads",
            "iluvatars",
            "kunlun",
            "awsneuron",
            "vnpus",
            "amd",
            "vastai",
            "biren");

    private final YamlNode config;

    private HamiConfigFile(YamlNode config) {
        this.config = config;
    }

    /**
     * Returns a file.
     *
     * @throws io.gpusched.manifests.yaml.InputException if the file is missing or is no YAML
     */
    static HamiConfigFile read(Path file) {
        YamlNode document = YamlReader.read(file).get(0);
        YamlNode nested = document.at("data").at(KEY);
        return new HamiConfigFile(
                nested.isPresent()
                        ? YamlReader.parse(file + ", " + nested.path(), nested.text())
                                .get(0)
                        : document);
    }

    /**
     * Returns HAMi's dialect with these settings.
     *
     * @throws io.gpusched.manifests.yaml.InputException if a field is not as it must be
     */
    HamiDialect dialect() {
        config.only(SECTIONS.toArray(String[]::new));
        if (SECTIONS.stream().allMatch(name -> isEmpty(config.at(name)))) {
            throw config.error("must have a section that is not empty, or HAMi does not start");
        }
        return config.build(
                () -> HamiAnnotations.dialect().withSettings(nvidia()).withVendors(HamiVendorSections.read(config)));
    }

    /** Returns the resource that tells a container the priority of its task, or nothing. */
    String priorityResource() {
        return config.at("nvidia").at("resourcePriorityName").textOr("");
    }

    /** Returns whether a section says nothing. */
    static boolean isEmpty(YamlNode section) {
        return switch (section.kind()) {
            case NOTHING -> true;
            case LIST -> section.list().isEmpty();
            case MAPPING -> section.map().isEmpty();
            default -> false;
        };
    }

    /** To HAMi 0 means 1. */
    static int memoryFactor(YamlNode section) {
        YamlNode field = section.at("memoryFactor");
        int factor = field.integerOr(1);
        if (factor < 0) {
            throw field.error("must be 0 or more, got " + factor);
        }
        return Math.max(1, factor);
    }

    private HamiSettings nvidia() {
        YamlNode nvidia = config.at("nvidia");
        nvidia.only(
                "resourceCountName",
                "resourceMemoryName",
                "resourceMemoryPercentageName",
                "resourceCoreName",
                "resourcePriorityName",
                "defaultMemory",
                "defaultCores",
                "defaultGPUNum",
                "memoryFactor",
                "overwriteEnv",
                "preConfiguredDeviceMemory",
                "deviceSplitCount",
                "deviceMemoryScaling",
                "deviceCoreScaling",
                "enableNumaTopology",
                "gpuCorePolicy",
                "libCudaLogLevel",
                "runtimeClassName",
                "migProfileAllowlist",
                "knownMigGeometries",
                "disableCoreLimit",
                "disablecorelimit",
                "migstrategy");
        YamlNode count = nvidia.at("resourceCountName");
        if (!isEmpty(nvidia) && count.textOr("").isEmpty()) {
            throw count.error("must be there, or HAMi gives out none of NVIDIA's GPUs");
        }
        return nvidia.build(() -> new HamiSettings(
                count.textOr(""),
                nvidia.at("resourceMemoryName").textOr(""),
                nvidia.at("resourceMemoryPercentageName").textOr(""),
                nvidia.at("resourceCoreName").textOr(""),
                memoryFactor(nvidia),
                nvidia.at("defaultMemory").numberOr(0),
                nvidia.at("defaultCores").integerOr(0),
                nvidia.at("defaultGPUNum").integerOr(0),
                false));
    }
}
