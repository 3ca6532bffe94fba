package io.gpusched.dialect.nvidiasmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.GpuLinks.Link;
import io.gpusched.model.GpuLinks.Path;
import io.gpusched.model.Node;
import org.junit.jupiter.api.Test;

class NvidiaSmiTest {
    private static final String MATRIX = """
            \t\u001b[4mGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u001b[0m
            GPU0\t X \tNV2\tNODE\tSYS\tPIX\tSYS\t0-19,40-59\t0\t\tN/A
            GPU1\tNV2\t X \tSYS\tNODE\tPXB\tSYS\t0-19,40-59\t0\t\tN/A
            GPU2\tNODE\tSYS\t X \tNV2\tSYS\tPIX\t20-39,60-79\t1\t\tN/A
            GPU3\tSYS\tNODE\tNV2\t X \tSYS\tPHB\t20-39,60-79\t1\t\tN/A
            NIC0\tPIX\tPXB\tSYS\tSYS\t X \tSYS
            NIC1\tSYS\tSYS\tPIX\tPHB\tSYS\t X

            Legend:

              X    = Self
              SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes (e.g., QPI/UPI)

            NIC Legend:

              NIC0: mlx5_0
              NIC1: mlx5_1
            """;

    private static String xml(int gpus) {
        StringBuilder text = new StringBuilder("""
                <?xml version="1.0" ?>
                <!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
                <nvidia_smi_log>
                \t<timestamp>Mon Jan  6 10:00:00 2025</timestamp>
                \t<attached_gpus>%d</attached_gpus>
                """.formatted(gpus));
        for (int g = 0; g < gpus; g++) {
            text.append("""
                    \t<gpu id="00000000:0%d:00.0">
                    \t\t<product_name>Quadro RTX 8000</product_name>
                    \t\t<uuid>GPU-%d</uuid>
                    \t\t<fb_memory_usage>
                    \t\t\t<total>49152 MiB</total>
                    \t\t\t<used>1 MiB</used>
                    \t\t</fb_memory_usage>
                    \t\t<bar1_memory_usage><total>256 MiB</total></bar1_memory_usage>
                    \t</gpu>
                    """.formatted(g, g));
        }
        return text.append("</nvidia_smi_log>\n").toString();
    }

    @Test
    void read_givesGpusWithNumaNodes_linksAndNetworkCards() {
        Node node = NvidiaSmi.read(Node.builder("n"), xml(4), MATRIX).build();
        assertThat(node.gpus()).hasSize(4);
        assertThat(node.gpus().get(2).uuid()).isEqualTo("GPU-2");
        assertThat(node.gpus().get(2).numaNode()).isEqualTo(1);
        assertThat(node.gpus().get(0).model().name()).isEqualTo("Quadro RTX 8000");
        assertThat(node.gpus().get(0).memoryMib()).isEqualTo(49_152);
        assertThat(node.links().link(0, 1).nvlinks()).isEqualTo(2);
        assertThat(node.links().link(0, 3)).isEqualTo(Link.of(Path.SYS, 0));
        assertThat(node.links().nics()).extracting(nic -> nic.name()).containsExactly("mlx5_0", "mlx5_1");
        assertThat(node.links().nics().get(1).paths()).containsExactly(Path.SYS, Path.SYS, Path.PIX, Path.PHB);
        assertThat(node.links().nicScore(1)).isEqualTo(Path.PXB.score());
    }

    @Test
    void matrix_thatIsSetWithBlanks_isReadAsWell() {
        String blanks = """
                        GPU0    GPU1    CPU Affinity
                GPU0     X      NV12    0-15
                GPU1    NV12     X      0-15
                """;
        TopologyMatrix matrix = TopologyMatrix.parse(blanks);
        assertThat(matrix.links().link(1, 0).nvlinks()).isEqualTo(12);
        assertThat(matrix.numaNodes()).containsExactly(-1, -1);
    }

    @Test
    void errors_nameTheLine() {
        assertThatThrownBy(() -> TopologyMatrix.parse("no matrix"))
                .hasMessageContaining("line 1: there must be a header");
        assertThatThrownBy(() -> TopologyMatrix.parse(MATRIX.replace("NODE\tPXB", "FAR\tPXB")))
                .hasMessageContaining("line 3: from GPU1 to GPU3")
                .hasMessageContaining("got \"FAR\"");
        assertThatThrownBy(
                        () -> TopologyMatrix.parse(MATRIX.replace("GPU2\tNODE\tSYS\t X \tNV2\tSYS\tPIX", "GPU2\tNODE")))
                .hasMessageContaining("line 4: row GPU2 must have 6 cells, got 4");
        assertThatThrownBy(() -> TopologyMatrix.parse(MATRIX.replace("GPU1\tNV2", "GPU1\tNV1")))
                .hasMessageContaining("from gpu 0 to gpu 1 there is NV2 (200), but back there is NV1 (100)");
        assertThatThrownBy(() -> TopologyMatrix.parse(MATRIX.replaceAll("(?m)^GPU3.*\n", "")))
                .hasMessageContaining("there must be a row of GPU3");
        assertThatThrownBy(() -> NvidiaSmi.gpus("<nvidia_smi_log>\n<gpu>")).hasMessageContaining("line 2: must be XML");
        assertThatThrownBy(() -> NvidiaSmi.gpus(xml(2).replace("<uuid>GPU-1</uuid>", "")))
                .hasMessageContaining("line 15: gpu 1 must have uuid");
        assertThatThrownBy(() -> NvidiaSmi.gpus(xml(1).replace("49152 MiB", "N/A")))
                .hasMessageContaining("got \"N/A\"");
        assertThatThrownBy(() -> NvidiaSmi.read(Node.builder("n"), xml(3), MATRIX))
                .hasMessageContaining("the matrix has 4 gpus, but nvidia-smi -q -x lists 3");
    }
}
