package io.gpusched.dialect.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmGresTest {
    @ParameterizedTest
    @CsvSource({
        "gpu,          gpu,   '',   1",
        "gpu:2,        gpu,   '',   2",
        "gpu:a100,     gpu,   a100, 1",
        "gpu:a100:4,   gpu,   a100, 4",
        "mps:1K,       mps,   '',   1024",
        "shard:2M,     shard, '',   2097152",
        "gpu:1g.5gb:3, gpu,   1g.5gb, 3"
    })
    void item_isReadWithTypeAndCount(String text, String name, String type, long count) {
        assertThat(SlurmGres.parse(text)).isEqualTo(new SlurmGres(name, type, count));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpu:", ":2", "gpu:a:b", "gpu:a:2:3", "gpu:a:-1", "gpu:a:9999999999P"})
    void malformedItem_isRefused(String text) {
        assertThatThrownBy(() -> SlurmGres.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void list_keepsItsOrder() {
        assertThat(SlurmGres.parseList("gpu:t4:4,mps:400"))
                .containsExactly(new SlurmGres("gpu", "t4", 4), new SlurmGres("mps", "", 400));
        assertThat(SlurmGres.parseList("")).isEmpty();
    }

    @Test
    void conf_countsDevicesAndSplitsShares() {
        List<SlurmGresConf> conf = SlurmGresConf.parse("""
                AutoDetect=off  # no detection
                NodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] Cores=0-15 Links=-1,4,4,4
                NodeName=n1 Name=mps Count=400
                Name=shard Count=8 File=/dev/nvidia[0-1]
                """);
        assertThat(SlurmGresConf.inventory(conf, "n1").toString()).isEqualTo("[gpu:a100:4, mps:400, shard:16]");
        assertThat(SlurmGresConf.inventory(conf, "n2").toString()).isEqualTo("[gpu:a100:4, shard:16]");
        assertThat(conf.get(0).links()).containsExactly(-1, 4, 4, 4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Name=gpu Typo=a | Typo",
                "Type=a100 | Name must be given",
                "Name=gpu Flags=odd | odd",
                "Name=gpu Links=a,b | Links",
                "AutoDetect=odd | AutoDetect"
            })
    void malformedConf_namesLineAndField(String text, String problem) {
        assertThatThrownBy(() -> SlurmGresConf.parse("# first\n" + text))
                .hasMessageContaining("line 2")
                .hasMessageContainingAll(problem);
    }

    @ParameterizedTest
    @CsvSource({"200, 1300, 15", "200, 1200, 16", "200, 1100, 18", "200, 1000, 20", "1, 1000, 1", "5, 0, 0"})
    void activeThreadPercentage_isRoundedDownButNeverBelowOne(long units, long device, long percent) {
        assertThat(SlurmEnvironment.activeThreadPercentage(units, device)).isEqualTo(percent);
    }

    @Test
    void nodeLists_areExpanded() {
        assertThat(SlurmNames.expand("n1,n[3-5,08-10],m[1]x"))
                .containsExactly("n1", "n3", "n4", "n5", "n08", "n09", "n10", "m1x");
    }

    @Test
    void ranges_areJoined() {
        assertThat(SlurmEnvironment.ranges(List.of(3, 0, 1, 5))).isEqualTo("0-1,3,5");
    }
}
