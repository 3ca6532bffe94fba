package io.gpusched.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.Gpu;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DetectionTest {
    private static final String GPU = """
        <gpu id="00000000:0%1$d:00.0"><product_name>NVIDIA A100-SXM4-40GB</product_name><uuid>GPU-%1$d</uuid>
        <mig_mode><current_mig>%2$s</current_mig></mig_mode>
        <fb_memory_usage><total>40960 MiB</total></fb_memory_usage></gpu>
        """;
    private static final String MATRIX = """
        \tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity
        GPU0\t X \tNV12\t0-31\t0
        GPU1\tNV12\t X \t32-63\t1
        """;

    @TempDir
    private Path folder;

    private GpuMachine machine(String script) throws Exception {
        Path program = folder.resolve("nvidia-smi");
        Files.writeString(program, "#!/bin/sh\n" + script);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return GpuMachine.builder()
                .nvidiaSmi(program.toString())
                .environment(Map.of())
                .build();
    }

    private static String log(String... mig) {
        StringBuilder gpus = new StringBuilder();
        for (int i = 0; i < mig.length; i++) {
            gpus.append(GPU.formatted(i, mig[i]));
        }
        return "cat <<'END'\n<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n" + gpus + "</nvidia_smi_log>\nEND\n";
    }

    @Test
    void gpusAndLinks_areWhatNvidiaSmiPrints_warningsAfterItLeftOut() throws Exception {
        GpuMachine machine = machine("if [ $1 = -q ]; then\n" + log("Disabled", "N/A")
                + "echo 'WARNING: infoROM is corrupted at gpu 0000:01:00.0'\nelse cat <<'END'\n" + MATRIX
                + "END\nfi\n");
        assertThat(machine.node().gpus()).extracting(Gpu::uuid).containsExactly("GPU-0", "GPU-1");
        assertThat(machine.node().links().link(0, 1).nvlinks()).isEqualTo(12);
        assertThat(machine.node().gpus().get(1).numaNode()).isEqualTo(1);
    }

    @Test
    void withoutLinks_gpusAreStillFound_andThoseInMigModeAreNotLeased() throws Exception {
        GpuMachine machine = machine("[ $1 = -q ] || exit 1\n" + log("Disabled", "Enabled"));
        assertThat(machine.node().links().isNone()).isTrue();
        assertThat(machine.node().gpus()).extracting(Gpu::healthy).containsExactly(true, false);
    }

    @Test
    void aProgramThatFails_isMissing_orPrintsSomethingElse_isNamed() {
        assertThatThrownBy(() -> machine("exit 9\n"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nvidia-smi -q -x fails");
        assertThatThrownBy(() -> machine("echo No devices were found\n"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("prints cannot be read");
        assertThatThrownBy(() -> GpuMachine.builder()
                        .nvidiaSmi(folder.resolve("none").toString())
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot be run");
    }
}
