package io.gpusched.manifests.dialect;

import io.gpusched.dialect.hami.vendor.ChipTemplate;
import io.gpusched.dialect.hami.vendor.ChipTemplates;
import io.gpusched.dialect.hami.vendor.DeviceParts;
import io.gpusched.dialect.hami.vendor.HamiVendor;
import io.gpusched.dialect.hami.vendor.VendorCatalog;
import io.gpusched.dialect.hami.vendor.VendorResources;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sections of HAMi's settings file about vendors beside NVIDIA. */
final class HamiVendorSections {
    private static final String COUNT = "resourceCountName";
    private static final String MEMORY = "resourceMemoryName";
    private static final String CORES = "resourceCoreName";

    /** Sections whose only known field is the resource that counts devices. */
    static final Map<String, String> UNSUPPORTED =
            Map.of("amd", "amd.com/gpu", "vastai", "vastaitech.com/va", "biren", "birentech.com/gpu");

    private final YamlNode config;
    private final List<HamiVendor> vendors = new ArrayList<>();

    private HamiVendorSections(YamlNode config) {
        this.config = config;
    }

    /** Returns the families that a file names, and the one that HAMi has without being told. */
    static VendorCatalog read(YamlNode config) {
        HamiVendorSections sections = new HamiVendorSections(config);
        sections.vendors();
        return VendorCatalog.of(sections.vendors);
    }

    private void vendors() {
        hygon(section("hygon", COUNT, MEMORY, CORES, "memoryFactor"));
        config.at("iluvatars").list().forEach(chip -> vendors.add(iluvatar(chip)));
        family("MLU", complete("cambricon", COUNT, MEMORY, CORES), COUNT, MEMORY, CORES);
        family("Mthreads", complete("mthreads", COUNT, MEMORY, CORES), COUNT, MEMORY, CORES);
        metax(section(
                "metax", COUNT, "resourceVCountName", "resourceVMemoryName", "resourceVCoreName", "sgpuTopologyAware"));
        enflame(section(
                "enflame",
                "resourceNameGCU",
                "resourceNameDRSGCU",
                "resourceNameGCUMemory",
                "resourceNameGCUCore",
                "resourceNameVGCU",
                "resourceNameVGCUPercentage"));
        YamlNode kunlun = section("kunlun", COUNT, "resourceVCountName", "resourceVMemoryName");
        family("kunlun", kunlun, COUNT, "", "");
        family("XPU", kunlun, "resourceVCountName", "resourceVMemoryName", "");
        family("AWSNeuron", complete("awsneuron", COUNT, CORES), COUNT, "", CORES);
        ascend(config.at("vnpus"));
        UNSUPPORTED.forEach((name, resource) -> unsupported(section(name, COUNT, MEMORY, CORES), resource));
    }

    private YamlNode section(String name, String... fields) {
        return config.at(name).only(fields);
    }

    /** Without one of the names HAMi finds no such devices on nodes, or its webhook makes pods that Kubernetes refuses. */
    private YamlNode complete(String name, String... fields) {
        YamlNode section = section(name, fields);
        if (!HamiConfigFile.isEmpty(section)) {
            List.of(fields).forEach(field -> filled(section, field));
        }
        return section;
    }

    /** Adds a family under the names that its section states; without a name for the number of devices there is none. */
    private void family(String word, YamlNode section, String count, String memory, String cores) {
        names(section, count, memory, cores)
                .ifPresent(names -> vendors.add(section.build(() -> known(word).withResources(names))));
    }

    private static HamiVendor known(String word) {
        return VendorCatalog.DEFAULT.find(word).orElseThrow();
    }

    private static Optional<VendorResources> names(YamlNode section, String count, String memory, String cores) {
        String counted = text(section, count);
        boolean hasAmounts = !(text(section, memory) + text(section, cores)).isEmpty();
        if (counted.isEmpty() && hasAmounts) {
            throw section.at(count).error("must be there where other resources of these devices have a name");
        }
        return counted.isEmpty()
                ? Optional.empty()
                : Optional.of(new VendorResources(counted, text(section, memory), text(section, cores)));
    }

    private static String text(YamlNode section, String name) {
        return name.isEmpty() ? "" : section.at(name).textOr("");
    }

    /** Returns a name that must not be empty. */
    private static String filled(YamlNode section, String name) {
        String text = section.need(name).text();
        if (text.isEmpty()) {
            throw section.at(name).error("must not be empty");
        }
        return text;
    }

    private void hygon(YamlNode section) {
        int factor = HamiConfigFile.memoryFactor(section);
        names(section, COUNT, MEMORY, CORES)
                .ifPresent(names -> vendors.add(section.build(
                        () -> known("DCU").withResources(names).withForm(new DeviceParts(factor, 100, false)))));
    }

    private void metax(YamlNode section) {
        family("Metax-GPU", section, COUNT, "", "");
        family("Metax-SGPU", section, "resourceVCountName", "resourceVMemoryName", "resourceVCoreName");
        if (section.at("sgpuTopologyAware").isTrue()) {
            throw section.at("sgpuTopologyAware").error("must be false: node scores by topology are not supported");
        }
    }

    /** HAMi has names of its own for devices cut by profiles, with a section or without. */
    private void enflame(YamlNode section) {
        family("GCU", section, "resourceNameGCU", "", "");
        HamiVendor drs = known("Enflame");
        VendorResources absent = drs.resources();
        String older = stated(section, "resourceNameVGCU", absent.count());
        VendorResources names = new VendorResources(
                stated(section, "resourceNameDRSGCU", older),
                stated(section, "resourceNameGCUMemory", absent.memory()),
                stated(section, "resourceNameGCUCore", absent.cores()));
        vendors.add(section.build(() -> drs.withResources(names)));
    }

    private static String stated(YamlNode section, String name, String absent) {
        String text = text(section, name);
        return text.isEmpty() ? absent : text;
    }

    /** Under names of their own these devices would be taken for resources that are only counted. */
    private static void unsupported(YamlNode section, String name) {
        YamlNode count = section.at(COUNT);
        if (!stated(section, COUNT, name).equals(name)) {
            throw count.error("must be " + name + ", got \"" + count.text()
                    + "\": these devices are not supported, and pods that request them are refused by that name");
        }
    }

    private static HamiVendor iluvatar(YamlNode chip) {
        chip.only("chipName", "commonWord", COUNT, MEMORY, CORES);
        return chip.build(() -> VendorCatalog.iluvatar(
                filled(chip, "commonWord"),
                new VendorResources(filled(chip, COUNT), filled(chip, MEMORY), filled(chip, CORES))));
    }

    /** Older versions of HAMi have the list itself. */
    private void ascend(YamlNode vnpus) {
        boolean isList = vnpus.kind() == YamlNode.Kind.LIST;
        boolean soft = !isList
                && vnpus.only("hamiVnpuCore", "configs").at("hamiVnpuCore").isTrue();
        for (YamlNode chip : isList ? vnpus.list() : vnpus.at("configs").list()) {
            vendors.add(chip.build(() -> chip(chip, soft)));
        }
    }

    private static HamiVendor chip(YamlNode chip, boolean soft) {
        chip.only(
                "chipName",
                "commonWord",
                "resourceName",
                MEMORY,
                CORES,
                "memoryAllocatable",
                "memoryCapacity",
                "memoryFactor",
                "aiCore",
                "aiCPU",
                "runtimeClassName",
                "overwriteEnv",
                "superPod",
                "templates");
        String word = filled(chip, "commonWord");
        List<ChipTemplate> templates = chip.at("templates").list().stream()
                .map(HamiVendorSections::template)
                .toList();
        long allocatable = chip.need("memoryAllocatable").number();
        if (HamiConfigFile.memoryFactor(chip) > 1) {
            throw chip.at("memoryFactor")
                    .error("must be 0 or 1: HAMi rounds to templates before it multiplies, so that a whole chip never"
                            + " fits");
        }
        ChipTemplates form = new ChipTemplates(
                1,
                allocatable,
                chip.at("memoryCapacity").numberOr(0),
                chip.at("aiCore").integerOr(0),
                chip.at("aiCPU").integerOr(0),
                templates,
                chip.at("superPod").isTrue() && word.equals("Ascend910C"),
                soft);
        VendorResources names =
                new VendorResources(filled(chip, "resourceName"), filled(chip, MEMORY), text(chip, CORES));
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
