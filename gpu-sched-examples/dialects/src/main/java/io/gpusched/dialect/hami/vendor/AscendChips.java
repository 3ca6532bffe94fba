package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.hami.registration.RegisteredJson;
import java.util.ArrayList;
import java.util.List;

/** Huawei's Ascend chips by the defaults of HAMi's chart. */
final class AscendChips {
    private static final String TRAINING = "Ascend910";

    private AscendChips() {}

    static List<HamiVendor> all() {
        List<ChipTemplate> b3 =
                List.of(template("vir05_1c_16g", 16_384, 5, 1), template("vir10_3c_32g", 32_768, 10, 3));
        List<HamiVendor> all = new ArrayList<>();
        all.add(chip(
                "Ascend910A",
                form(
                        32_768,
                        32_768,
                        30,
                        0,
                        List.of(
                                template("vir02", 2_184, 2, 0),
                                template("vir04", 4_369, 4, 0),
                                template("vir08", 8_738, 8, 0),
                                template("vir16", 17_476, 16, 0)))));
        all.add(chip(
                "Ascend910B2",
                form(
                        65_536,
                        65_536,
                        24,
                        6,
                        List.of(
                                template("vir03_1c_8g", 8_192, 3, 1),
                                template("vir06_1c_16g", 16_384, 6, 1),
                                template("vir12_3c_32g", 32_768, 12, 3)))));
        all.add(chip("Ascend910B3", form(65_536, 65_536, 20, 7, b3)));
        all.add(chip("Ascend910B4-1", form(65_536, 65_536, 20, 7, b3)));
        all.add(chip(
                "Ascend910B4",
                form(
                        32_768,
                        32_768,
                        20,
                        7,
                        List.of(template("vir05_1c_8g", 8_192, 5, 1), template("vir10_3c_16g", 16_384, 10, 3)))));
        all.add(chip(
                "Ascend310P",
                form(
                        21_527,
                        24_576,
                        8,
                        7,
                        List.of(
                                template("vir01", 3_072, 1, 1),
                                template("vir02", 6_144, 2, 2),
                                template("vir04", 12_288, 4, 4)))));
        all.add(chip("Ascend910C", new ChipTemplates(1, 65_536, 65_536, 20, 7, b3, true, false)));
        return all;
    }

    private static ChipTemplate template(String name, long memoryMib, int aiCores, int aiCpus) {
        return new ChipTemplate(name, memoryMib, aiCores, aiCpus);
    }

    private static ChipTemplates form(
            long allocatableMib, long capacityMib, int aiCores, int aiCpus, List<ChipTemplate> templates) {
        return new ChipTemplates(1, allocatableMib, capacityMib, aiCores, aiCpus, templates, false, false);
    }

    /** Returns a chip of this word, under the resource names that HAMi gives it. */
    static HamiVendor chip(String word, ChipTemplates form) {
        String resource = "huawei.com/" + word;
        return new HamiVendor(
                word,
                new VendorResources(resource, resource + "-memory", resource + "-core"),
                form,
                new RegisteredJson("hami.io/node-register-" + word),
                sets(word),
                VendorAnnotations.granted(word)
                        .withUuids("hami.io/use-" + word + "-uuid", "hami.io/no-use-" + word + "-uuid"),
                GrantForm.ASCEND);
    }

    /** Several chips of a 910C are whole modules, whether or not its nodes form super pods. */
    private static DeviceSets sets(String word) {
        return word.equals("Ascend910C")
                ? DeviceSets.MODULES
                : word.startsWith(TRAINING) ? DeviceSets.NETWORKS : DeviceSets.ANY;
    }
}
