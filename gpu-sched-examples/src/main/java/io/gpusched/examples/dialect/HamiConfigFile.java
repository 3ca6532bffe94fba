package io.gpusched.examples.dialect;

import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.dialect.hami.vendor.ChipTemplate;
import io.gpusched.dialect.hami.vendor.ChipTemplates;
import io.gpusched.dialect.hami.vendor.DeviceParts;
import io.gpusched.dialect.hami.vendor.HamiVendor;
import io.gpusched.dialect.hami.vendor.VendorCatalog;
import io.gpusched.dialect.hami.vendor.VendorResources;
import io.gpusched.examples.yaml.YamlNode;
import io.gpusched.examples.yaml.YamlReader;
import java.nio.file.Path;
import java.util.List;

/**
 * HAMi's settings file {@code device-config.yaml}, alone or in the ConfigMap that holds it: names of resources, units, default
 * amounts, chips and their templates. A vendor without a section keeps HAMi's defaults; the lists of Iluvatar and Ascend chips replace
 * the defaults. What concerns only device plugins is passed over, and so are vendors that the dialect does not know (AMD, Vastai,
 * Biren); any other field that is not known is an error.
 */
final class HamiConfigFile {
    private static final String KEY = "device-config.yaml";

    private final YamlNode config;

    private HamiConfigFile(YamlNode config) {
        this.config = config;
    }

    /**
     * Returns HAMi's dialect with the settings of a file.
     *
     * @throws io.gpusched.examples.yaml.InputException if the file is missing or a field is not as it must be
     */
    static HamiDialect read(Path file) {
        YamlNode document = YamlReader.read(file).get(0);
        YamlNode nested = document.at("data").at(KEY);
        return new HamiConfigFile(
                        nested.isPresent()
                                ? YamlReader.parse(file + ", " + nested.path(), nested.text())
                                        .get(0)
                                : document)
                .dialect();
    }

    private HamiDialect dialect() {
        config.only(
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
        return config.build(
                () -> HamiAnnotations.dialect().withSettings(nvidia()).withVendors(vendors()));
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
                "disablecorelimit",
                "migstrategy");
        HamiSettings names = HamiSettings.DEFAULT;
        return nvidia.build(() -> new HamiSettings(
                nvidia.at("resourceCountName").textOr(names.countResource()),
                nvidia.at("resourceMemoryName").textOr(names.memoryResource()),
                nvidia.at("resourceMemoryPercentageName").textOr(names.percentageResource()),
                nvidia.at("resourceCoreName").textOr(names.coresResource()),
                memoryFactor(nvidia, names.memoryFactor()),
                nvidia.at("defaultMemory").numberOr(names.defaultMemoryMib()),
                nvidia.at("defaultCores").integerOr(names.defaultCores()),
                nvidia.at("defaultGPUNum").integerOr(names.defaultGpus()),
                names.lenient()));
    }

    private VendorCatalog vendors() {
        VendorCatalog catalog = VendorCatalog.DEFAULT;
        String count = "resourceCountName";
        String memory = "resourceMemoryName";
        String cores = "resourceCoreName";
        catalog = renamed(catalog, "MLU", config.at("cambricon").only(count, memory, cores), count, memory, cores);
        catalog = hygon(catalog, config.at("hygon").only(count, memory, cores, "memoryFactor"));
        catalog = renamed(catalog, "Mthreads", config.at("mthreads").only(count, memory, cores), count, memory, cores);
        YamlNode metax = config.at("metax")
                .only(count, "resourceVCountName", "resourceVMemoryName", "resourceVCoreName", "sgpuTopologyAware");
        catalog = renamed(catalog, "Metax-GPU", metax, count, "", "");
        catalog =
                renamed(catalog, "Metax-SGPU", metax, "resourceVCountName", "resourceVMemoryName", "resourceVCoreName");
        if (metax.at("sgpuTopologyAware").isTrue()) {
            throw metax.at("sgpuTopologyAware").error("must be false: node scores by topology are not supported");
        }
        YamlNode enflame = config.at("enflame")
                .only(
                        "resourceNameGCU",
                        "resourceNameDRSGCU",
                        "resourceNameGCUMemory",
                        "resourceNameGCUCore",
                        "resourceNameVGCU",
                        "resourceNameVGCUPercentage");
        catalog = renamed(catalog, "GCU", enflame, "resourceNameGCU", "", "");
        catalog = renamed(
                catalog, "Enflame", enflame, "resourceNameDRSGCU", "resourceNameGCUMemory", "resourceNameGCUCore");
        YamlNode kunlun = config.at("kunlun").only(count, "resourceVCountName", "resourceVMemoryName");
        catalog = renamed(catalog, "kunlun", kunlun, count, "", "");
        catalog = renamed(catalog, "XPU", kunlun, "resourceVCountName", "resourceVMemoryName", "");
        catalog = renamed(catalog, "AWSNeuron", config.at("awsneuron").only(count, cores), count, "", cores);
        return ascend(iluvatar(catalog, config.at("iluvatars")), config.at("vnpus"));
    }

    private static VendorCatalog renamed(
            VendorCatalog catalog, String word, YamlNode section, String count, String memory, String cores) {
        HamiVendor vendor = catalog.find(word).orElseThrow();
        return section.build(
                () -> catalog.with(vendor.withResources(names(section, count, memory, cores, vendor.resources()))));
    }

    /** Names that a section states; others stay. */
    private static VendorResources names(
            YamlNode section, String count, String memory, String cores, VendorResources absent) {
        return new VendorResources(
                section.at(count).textOr(absent.count()),
                memory.isEmpty() ? absent.memory() : section.at(memory).textOr(absent.memory()),
                cores.isEmpty() ? absent.cores() : section.at(cores).textOr(absent.cores()));
    }

    /** To HAMi 0 means 1. */
    private static int memoryFactor(YamlNode section, int absent) {
        YamlNode field = section.at("memoryFactor");
        int factor = field.integerOr(absent);
        if (factor < 0) {
            throw field.error("must be 0 or more, got " + factor);
        }
        return Math.max(1, factor);
    }

    private static VendorCatalog hygon(VendorCatalog catalog, YamlNode section) {
        VendorCatalog names =
                renamed(catalog, "DCU", section, "resourceCountName", "resourceMemoryName", "resourceCoreName");
        int factor = memoryFactor(section, 1);
        return names.with(names.find("DCU").orElseThrow().withForm(new DeviceParts(factor, 100, false)));
    }

    private static VendorCatalog iluvatar(VendorCatalog catalog, YamlNode chips) {
        if (!chips.isPresent()) {
            return catalog;
        }
        VendorCatalog without =
                catalog.without(vendor -> vendor.resources().count().startsWith("iluvatar.ai/"));
        for (YamlNode chip : chips.list()) {
            chip.only("chipName", "commonWord", "resourceCountName", "resourceMemoryName", "resourceCoreName");
            VendorCatalog before = without;
            without = chip.build(() -> before.with(VendorCatalog.iluvatar(
                    chip.need("commonWord").text(),
                    new VendorResources(
                            chip.need("resourceCountName").text(),
                            chip.at("resourceMemoryName").textOr(""),
                            chip.at("resourceCoreName").textOr("")))));
        }
        return without;
    }

    /** Older versions of HAMi have the list itself. */
    private static VendorCatalog ascend(VendorCatalog catalog, YamlNode vnpus) {
        if (!vnpus.isPresent()) {
            return catalog;
        }
        boolean isList = vnpus.kind() == YamlNode.Kind.LIST;
        boolean soft = !isList
                && vnpus.only("hamiVnpuCore", "configs").at("hamiVnpuCore").isTrue();
        VendorCatalog without = catalog.without(vendor -> vendor.form() instanceof ChipTemplates);
        for (YamlNode chip : isList ? vnpus.list() : vnpus.at("configs").list()) {
            VendorCatalog before = without;
            without = chip.build(() -> before.with(chip(chip, soft)));
        }
        return without;
    }

    private static HamiVendor chip(YamlNode chip, boolean soft) {
        chip.only(
                "chipName",
                "commonWord",
                "resourceName",
                "resourceMemoryName",
                "resourceCoreName",
                "memoryAllocatable",
                "memoryCapacity",
                "memoryFactor",
                "aiCore",
                "aiCPU",
                "runtimeClassName",
                "overwriteEnv",
                "superPod",
                "templates");
        String word = chip.need("commonWord").text();
        List<ChipTemplate> templates = chip.at("templates").list().stream()
                .map(HamiConfigFile::template)
                .toList();
        long allocatable = chip.need("memoryAllocatable").number();
        ChipTemplates form = new ChipTemplates(
                memoryFactor(chip, 1),
                allocatable,
                chip.at("memoryCapacity").numberOr(allocatable),
                chip.at("aiCore").integerOr(0),
                chip.at("aiCPU").integerOr(0),
                templates,
                chip.at("superPod").isTrue() && word.equals("Ascend910C"),
                soft);
        VendorResources names = new VendorResources(
                chip.need("resourceName").text(),
                chip.at("resourceMemoryName").textOr(""),
                chip.at("resourceCoreName").textOr(""));
        return VendorCatalog.ascend(word, names, form);
    }

    private static ChipTemplate template(YamlNode template) {
        template.only("name", "memory", "aiCore", "aiCPU");
        return template.build(() -> new ChipTemplate(
                template.need("name").text(),
                template.need("memory").number(),
                template.at("aiCore").integerOr(0),
                template.at("aiCPU").integerOr(0)));
    }
}
