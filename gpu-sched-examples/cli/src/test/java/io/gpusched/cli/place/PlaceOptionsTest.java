package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlaceOptionsTest {
    private static final String[] T9K = {
        "--cluster", "../examples/t9k-cluster.yaml", "--pod", "../examples/t9k-pod.yaml", "--dialect", "t9k"
    };

    private static PlaceRun place(String... arguments) {
        return PlaceRun.of(arguments);
    }

    private static PlaceRun t9k(String... more) {
        String[] all = Arrays.copyOf(T9K, T9K.length + more.length);
        System.arraycopy(more, 0, all, T9K.length, more.length);
        return place(all);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --pod ../examples/pod.yaml                                                          | '--cluster=F'
            --cluster ../examples/cluster.yaml                                                  | '--pod=F'
            --cluster ../examples/cluster.yaml --pod ../examples/pod.yaml --nonsense               | --nonsense
            --cluster ../examples/cluster.yaml --pod ../examples/pod.yaml --policy best            | --policy must be one of random
            --cluster ../examples/cluster.yaml --pod ../examples/pod.yaml --policy fgd-paper       | got "fgd-paper"
            --cluster ../examples/cluster.yaml --pod ../examples/pod.yaml --dialect hami           | --dialect goes with Kubernetes manifests
            --cluster ../examples/t9k-cluster.yaml --pod ../examples/t9k-pod.yaml --dialect tea    | --dialect must be one of t9k
            --cluster ../examples/t9k-cluster.yaml --pod ../examples/t9k-pod.yaml --dialect device-plugin:gpu | domain/name
            --cluster ../examples/slurm-cluster.yaml --pod ../examples/slurm-job.yaml --dialect slurm --policy spread | --policy does not go with
            --cluster ../examples/slurm-cluster.yaml --pod ../examples/slurm-job.yaml --dialect slurm --ignore a | --ignore does not go with
            --cluster - --pod -                                                              | only one of --cluster and --pod
            """)
    void aBadOption_isOneLineOfErrorAndOneOfUsage(String arguments, String problem) {
        PlaceRun run = place(arguments.split(" "));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).hasSize(2);
        assertThat(run.err()).startsWith("gpu-sched place: ").contains(problem);
        assertThat(run.err()).contains("usage: gpu-sched place --cluster=F --pod=F [OPTIONS]");
    }

    @Test
    void badInput_isNoReasonToShowTheUsage() {
        PlaceRun run = place("--cluster", "gone.yaml", "--pod", "../examples/pod.yaml");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).isEqualToIgnoringNewLines("gpu-sched place: gone.yaml: no such file");
    }

    @Test
    void policies_chooseInTheDialectsPlace() {
        assertThat(t9k().out()).contains("GPU 0 (30 %");
        assertThat(t9k("--policy", "spread").out()).contains("GPU 1 (30 %", "NVIDIA_VISIBLE_DEVICES=1");
        assertThat(t9k("--policy", "bin-pack").out()).contains("GPU 0 (30 %");
    }

    @Test
    void policies_chooseWithoutADialectToo() {
        String[] plain = {"--cluster", "../examples/cluster.yaml", "--pod", "../examples/pod.yaml", "--policy", "spread"
        };
        assertThat(place(plain).out()).contains("on n2", "GPU 1 (30 %");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "random",
                "dot-product",
                "gpu-clustering",
                "gpu-packing",
                "best-fit",
                "fgd",
                "first-fit",
                "default"
            })
    void everyPolicyOfTheLibrary_placesTheExamples(String policy) {
        assertThat(t9k("--policy", policy).code()).isZero();
        assertThat(place("--cluster", "../examples/cluster.yaml", "--pod", "../examples/group.yaml", "--policy", policy)
                        .code())
                .isZero();
    }

    @Test
    void aDash_isStandardInput() throws IOException {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(Files.readAllBytes(Path.of("../examples/pod.yaml"))));
        try {
            assertThat(place("--cluster", "../examples/cluster.yaml", "--pod", "-")
                            .out())
                    .contains("placed pod \"inference\"");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void help_namesEveryOption() {
        assertThat(place("--help").out()).contains("--cluster", "--pod", "--dialect", "--policy", "--ignore", "--json");
    }
}
