package io.gpusched.model.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The geometries of NVIDIA's models, against an enumeration by the plain rule. */
class MigGeometryTest {
    /** A profile at a start. */
    private record At(PartitionProfile profile, int start) {
        boolean overlaps(At other) {
            return start < other.start + other.profile.size() && other.start < start + profile.size();
        }
    }

    private static List<At> places(PartitionGeometry geometry) {
        List<At> places = new ArrayList<>();
        geometry.profiles().forEach(profile -> profile.starts().forEach(start -> places.add(new At(profile, start))));
        return places;
    }

    private static boolean isLegal(PartitionGeometry geometry, List<At> set) {
        for (int i = 0; i < set.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (set.get(i).overlaps(set.get(j))) {
                    return false;
                }
            }
        }
        for (PartitionProfile profile : geometry.profiles()) {
            if (set.stream().filter(at -> at.profile().equals(profile)).count() > profile.max()) {
                return false;
            }
        }
        for (String name : geometry.totals().names()) {
            long sum = set.stream()
                    .mapToLong(at -> at.profile().counters().amount(name))
                    .sum();
            if (sum > geometry.totals().amount(name)) {
                return false;
            }
        }
        return true;
    }

    private static void enumerate(
            PartitionGeometry geometry, List<At> places, int from, List<At> set, Set<Set<At>> all) {
        all.add(new HashSet<>(set));
        for (int i = from; i < places.size(); i++) {
            set.add(places.get(i));
            if (isLegal(geometry, set)) {
                enumerate(geometry, places, i + 1, set, all);
            }
            set.remove(set.size() - 1);
        }
    }

    private static Set<Set<At>> all(PartitionGeometry geometry) {
        Set<Set<At>> all = new HashSet<>();
        enumerate(geometry, places(geometry), 0, new ArrayList<>(), all);
        return all;
    }

    private static PartitionGeometry basicA100() {
        PartitionGeometry a100 = MigGeometry.A100_40GB.geometry();
        List<PartitionProfile> basic = a100.profiles().stream()
                .filter(profile ->
                        !profile.name().contains("+") && !profile.name().equals("1g.10gb"))
                .toList();
        return PartitionGeometry.of("five basic profiles", 8, a100.totals(), basic);
    }

    private static List<Set<At>> maximal(PartitionGeometry geometry, Set<Set<At>> all) {
        return all.stream()
                .filter(set -> places(geometry).stream().noneMatch(at -> {
                    List<At> more = new ArrayList<>(set);
                    more.add(at);
                    return !set.contains(at) && isLegal(geometry, more);
                }))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(MigGeometry.class)
    void maximalPlacements_areThoseOfThePlainRule(MigGeometry model) {
        PartitionGeometry geometry = model.geometry();
        PartitionTable table = geometry.table();
        Set<Long> expected = new HashSet<>();
        for (Set<At> set : maximal(geometry, all(geometry))) {
            expected.add(set.stream()
                    .mapToLong(at -> table.word(table.find(at.profile().name(), at.start(), "")))
                    .sum());
        }
        Set<Long> found = new HashSet<>();
        for (int at = 0; at < table.states().size(); at++) {
            long word = table.states().word(at);
            if (table.capability(word) == 0) {
                found.add(word);
            }
        }
        assertThat(found).isEqualTo(expected).isNotEmpty();
    }

    @Test
    void basicProfilesOfTheA100_haveNineteenMaximalPlacements_of297() {
        PartitionGeometry basic = basicA100();
        Set<Set<At>> all = all(basic);
        assertThat(all).hasSize(297 + 1);
        assertThat(maximal(basic, all)).hasSize(19);
    }

    @ParameterizedTest
    @EnumSource(MigGeometry.class)
    void everyState_isReachedAndHasRoomForWhatTheRuleAllows(MigGeometry model) {
        PartitionGeometry geometry = model.geometry();
        PartitionTable table = geometry.table();
        Set<Set<At>> all = all(geometry);
        Set<Long> words = new HashSet<>();
        List<At> places = places(geometry);
        for (Set<At> set : all) {
            long word = 0;
            for (At at : set) {
                word += table.word(table.find(at.profile().name(), at.start(), ""));
            }
            words.add(word);
            int capability = 0;
            for (At at : places) {
                List<At> more = new ArrayList<>(set);
                more.add(at);
                boolean legal = !set.contains(at) && all.contains(new HashSet<>(more));
                int place = table.find(at.profile().name(), at.start(), "");
                assertThat(table.fits(word, place)).as("%s and %s", set, at).isEqualTo(legal);
                capability |= legal ? 1 << table.nameOf(place) : 0;
            }
            assertThat(table.capability(word)).isEqualTo(capability);
            long compute =
                    set.stream().mapToLong(at -> at.profile().computeMillis()).sum();
            assertThat((long) table.computeMillis(word)).isEqualTo(compute).isLessThanOrEqualTo(1_000);
        }
        assertThat(table.states().size()).isEqualTo(words.size());
        assertThat(table.states().isComplete()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(MigGeometry.class)
    void takingAndReturning_inAnyOrder_endsWhereItBegan(MigGeometry model) {
        PartitionTable table = model.geometry().table();
        Random random = new Random(17);
        for (int round = 0; round < 50; round++) {
            List<Integer> held = new ArrayList<>();
            long word = 0;
            for (int i = 0; i < 60; i++) {
                int place = random.nextInt(table.places());
                if (random.nextBoolean() && table.fits(word, place)) {
                    held.add(place);
                    word += table.word(place);
                } else if (!held.isEmpty()) {
                    word -= table.word(held.remove(random.nextInt(held.size())));
                }
                int units =
                        held.stream().mapToInt(at -> table.profile(at).size()).sum();
                assertThat(Long.bitCount(table.units(word))).isEqualTo(units);
            }
            while (!held.isEmpty()) {
                word -= table.word(held.remove(random.nextInt(held.size())));
            }
            assertThat(word).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(MigGeometry.class)
    void levels_rankWhatStillFits_andTellEachProfileWhereToLook(MigGeometry model) {
        PartitionTable table = model.geometry().table();
        for (int state = 0; state < table.states().size(); state++) {
            long word = table.states().word(state);
            for (int name = 0; name < table.names().size(); name++) {
                boolean listed = (table.levels(name) >>> table.level(word) & 1) != 0;
                assertThat(listed).isEqualTo(table.hasRoom(word, name));
            }
            assertThat(table.level(word)).isLessThanOrEqualTo(table.level(0));
        }
    }

    @Test
    void afterOne3gAtTheUpperHalf_asManyFitAsTheDriverLists() {
        PartitionTable table = MigGeometry.A100_80GB.geometry().table();
        long word = table.word(table.find("3g.40gb", 4, ""));
        assertThat(table.mostOf(word, table.name("1g.10gb"))).isEqualTo(4);
        assertThat(table.mostOf(word, table.name("1g.10gb+me"))).isEqualTo(1);
        assertThat(table.mostOf(word, table.name("2g.20gb"))).isEqualTo(2);
        assertThat(table.mostOf(word, table.name("3g.40gb"))).isEqualTo(1);
        assertThat(table.mostOf(word, table.name("4g.40gb"))).isEqualTo(1);
        assertThat(table.mostOf(word, table.name("7g.80gb"))).isZero();
    }

    @Test
    void engines_bindWhereTheGridDoesNot() {
        PartitionTable a30 = MigGeometry.A30_24GB.geometry().table();
        long media = a30.word(a30.find("1g.6gb+me", 0, ""));
        assertThat(a30.hasRoom(media, a30.name("2g.12gb"))).isTrue();
        assertThat(a30.hasRoom(media, a30.name("2g.12gb+me"))).isFalse();
        PartitionTable rtx = MigGeometry.RTX_PRO_6000_96GB.geometry().table();
        long all = rtx.word(rtx.find("1g.24gb+me.all", 0, ""));
        assertThat(rtx.hasRoom(all, rtx.name("1g.24gb"))).isFalse();
        assertThat(rtx.hasRoom(all, rtx.name("1g.24gb-me"))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "NVIDIA-A100-SXM4-40GB, 0, A100_40GB",
        "NVIDIA-A100-SXM4-80GB, 81920, A100_80GB",
        "NVIDIA A100-PCIE-40GB, 40960, A100_40GB",
        "NVIDIA-H100-80GB-HBM3, 81559, H100_80GB",
        "NVIDIA-H100-PCIe, 81559, H100_PCIE_80GB",
        "NVIDIA H100 NVL, 95830, H100_NVL_94GB",
        "NVIDIA GH200 480GB, 97871, H100_96GB",
        "NVIDIA GH200 144G HBM3e, 147000, GH200_144GB",
        "NVIDIA-H200, 143771, H200_141GB",
        "NVIDIA B200, 183359, B200_180GB",
        "NVIDIA GB200, 189471, GB200_186GB",
        "NVIDIA A30, 24576, A30_24GB",
        "NVIDIA RTX PRO 6000 Blackwell Server Edition, 97887, RTX_PRO_6000_96GB"
    })
    void product_isFoundByNameAndMemory(String product, long memoryMib, MigGeometry expected) {
        assertThat(MigGeometry.ofProduct(product, memoryMib)).contains(expected);
    }

    @Test
    void productWithoutMig_isNoModel() {
        assertThat(MigGeometry.ofProduct("Tesla-T4", 15_360)).isEmpty();
        assertThat(MigGeometry.ofProduct("NVIDIA-A10", 24_576)).isEmpty();
    }
}
