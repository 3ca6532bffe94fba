package io.gpusched.model.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.testkit.StaticCuts;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a geometry admits, and what it says of what it does not. */
class PartitionGeometryTest {
    private static final PartitionProfile HALF = PartitionProfile.of("half", 1, List.of(0, 1));

    /** Huawei's Atlas 300I: templates without places, bound by AI cores and AI CPUs alone. */
    private static PartitionGeometry ascend310p() {
        return PartitionGeometry.of(
                "Ascend 310P",
                0,
                NamedAmounts.of(Map.of("aiCores", 8L, "aiCpus", 7L)),
                List.of(
                        template("vir01", 7, 1, 1),
                        template("vir02", 4, 2, 2),
                        template("vir04", 2, 4, 4),
                        template("vir04_3c", 2, 4, 3)));
    }

    private static PartitionProfile template(String name, int max, long cores, long cpus) {
        return PartitionProfile.template(name, max)
                .withCounters(NamedAmounts.of(Map.of("aiCores", cores, "aiCpus", cpus)));
    }

    /** AMD's MI300X: all partitions of a device are of one compute mode, all of a node of one memory mode. */
    private static PartitionGeometry mi300x() {
        return PartitionGeometry.of(
                "MI300X",
                8,
                NamedAmounts.NONE,
                List.of(
                        mode("spx_nps1", 8, List.of(0)),
                        mode("dpx_nps1", 4, List.of(0, 4)),
                        mode("cpx_nps1", 1, List.of(0, 1, 2, 3, 4, 5, 6, 7)),
                        mode("cpx_nps4", 1, List.of(0, 1, 2, 3, 4, 5, 6, 7))));
    }

    private static PartitionProfile mode(String name, int size, List<Integer> starts) {
        return PartitionProfile.of(name, size, starts)
                .withMode(name)
                .withNodeMode(name.substring(name.indexOf('_') + 1));
    }

    @Test
    void templatesWithoutPlaces_areBoundByTheirCounters() {
        PartitionTable table = ascend310p().table();
        long four = table.word(table.find("vir04", 0, ""));
        assertThat(table.hasRoom(four, table.name("vir04")))
                .as("eight of seven CPUs")
                .isFalse();
        assertThat(table.hasRoom(four, table.name("vir04_3c"))).isTrue();
        assertThat(table.mostOf(0, table.name("vir01"))).isEqualTo(7);
        assertThat(table.mostOf(four, table.name("vir02"))).isEqualTo(1);
    }

    @Test
    void partitionsOfOneMode_excludeThoseOfOthers() {
        PartitionTable table = mi300x().table();
        long one = table.word(table.find("cpx_nps1", 3, "cpx_nps1"));
        assertThat(table.hasRoom(one, table.name("cpx_nps1"))).isTrue();
        assertThat(table.hasRoom(one, table.name("dpx_nps1"))).isFalse();
        assertThat(table.hasRoom(one, table.name("cpx_nps4"))).isFalse();
        assertThat(table.nodeMode(one)).isEqualTo("nps1");
        assertThat(table.nodeMode(0)).isEmpty();
    }

    @Test
    void cutInAdvance_leavesTheInstancesOfTheLayoutAlone() {
        PartitionGeometry cut =
                StaticCuts.of(MigGeometry.A100_40GB.geometry(), "1g.5gb@0", "1g.5gb@1", "2g.10gb@2", "3g.20gb@4");
        assertThat(cut.isAlwaysCut()).isTrue();
        assertThat(cut.names()).containsExactly("1g.5gb", "2g.10gb", "3g.20gb");
        PartitionTable table = cut.table();
        assertThat(table.places()).isEqualTo(4);
        assertThat(table.mostOf(0, table.name("1g.5gb"))).isEqualTo(2);
    }

    @Test
    void layoutsAsModes_stayInTheLayoutOfWhatIsHeld() {
        PartitionGeometry geometry = StaticCuts.oneOf(
                MigGeometry.A30_24GB.geometry(),
                Map.of(
                        "small", List.of("1g.6gb@0", "1g.6gb@1", "1g.6gb@2", "1g.6gb@3"),
                        "mixed", List.of("1g.6gb@0", "1g.6gb@1", "2g.12gb@2")));
        PartitionTable table = geometry.table();
        assertThat(table.hasRoom(0, table.name("2g.12gb"))).isTrue();
        long small = table.word(table.find("1g.6gb", 0, "small"));
        assertThat(table.hasRoom(small, table.name("2g.12gb"))).isFalse();
        assertThat(table.mostOf(small, table.name("1g.6gb"))).isEqualTo(3);
        long mixed = table.word(table.find("1g.6gb", 0, "mixed"));
        assertThat(table.hasRoom(mixed, table.name("2g.12gb"))).isTrue();
        assertThat(table.mostOf(mixed, table.name("1g.6gb"))).isEqualTo(1);
    }

    @Test
    void geometriesAreEqual_ifAllTheyStateIs() {
        assertThat(mi300x()).isEqualTo(mi300x()).hasSameHashCodeAs(mi300x()).isNotEqualTo(ascend310p());
        assertThat(mi300x().withAlwaysCut(true)).isNotEqualTo(mi300x());
        assertThat(PartitionGeometry.NONE.isNone()).isTrue();
        assertThat(PartitionGeometry.NONE).hasToString("no partitions");
        assertThat(mi300x().toString()).contains("MI300X", "cpx_nps1");
    }

    @Test
    void profileBeyondTheGrid_isRefusedByNameAndRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PartitionGeometry.of(
                        "g", 2, NamedAmounts.NONE, List.of(PartitionProfile.of("wide", 2, List.of(1)))))
                .withMessageContaining("geometry \"g\", profile \"wide\"")
                .withMessageContaining("0..2, got 3");
    }

    @Test
    void profileThatTakesMoreThanTheDeviceHas_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PartitionGeometry.of(
                        "g", 2, NamedAmounts.NONE, List.of(HALF.withCounters(NamedAmounts.of(Map.of("decoders", 1L))))))
                .withMessageContaining("decoders must be in 0..0");
    }

    @Test
    void twoProfilesOfOneNameAndMode_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PartitionGeometry.of("g", 2, NamedAmounts.NONE, List.of(HALF, HALF.withMax(1))))
                .withMessageContaining("two profiles are called \"half\"")
                .withMessageContaining("Maybe");
    }

    @Test
    void profileWithoutAModeBesideOneOfItsNameInAMode_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PartitionGeometry.of("g", 2, NamedAmounts.NONE, List.of(HALF, HALF.withMode("a"))))
                .withMessageContaining("two profiles are called \"half\", got modes [, a]")
                .withMessageContaining("Maybe each belongs to a mode of its own.");
    }

    @Test
    void tooManyStates_areRefusedWithTheNumberOfBits() {
        List<PartitionProfile> many = Stream.of("a", "b", "c", "d")
                .map(name -> PartitionProfile.template(name, 255))
                .toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PartitionGeometry.of("wide", 32, NamedAmounts.NONE, many))
                .withMessageContaining("must fit in 62 bits, got 64");
    }

    @Test
    void profileValues_areChecked() {
        assertThatIllegalArgumentException().isThrownBy(() -> HALF.withStarts(List.of(1, 0)));
        assertThatIllegalArgumentException().isThrownBy(() -> HALF.withMax(0));
        assertThatIllegalArgumentException().isThrownBy(() -> HALF.withComputeMillis(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> HALF.withMemoryMib(1L << 28));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PartitionProfile.template("t", 1).withStarts(List.of(1)))
                .withMessageContaining("without a place");
        assertThatIllegalArgumentException().isThrownBy(() -> GpuPartition.of(64, "p", 0));
        assertThatIllegalArgumentException().isThrownBy(() -> GpuPartition.of(0, " ", 0));
    }
}
