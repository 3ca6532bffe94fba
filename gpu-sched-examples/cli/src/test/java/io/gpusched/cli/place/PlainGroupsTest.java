package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups of groups, alternatives and links in the library's own form. */
class PlainGroupsTest {
    @TempDir
    private Path folder;

    private static String node(String name, String rack, String more) {
        return "  - {name: " + name + ", cpu: 64, memory: 64Gi, topology: {block: b, rack: " + rack
                + "}, gpus: {count: 4, model: A100, memory: 80Gi}" + more + "}\n";
    }

    private static final String CLUSTER =
            "nodes:\n" + node("n1", "r1", "") + node("n2", "r1", "") + node("n3", "r2", "") + node("n4", "r2", "");

    private PlaceRun place(String cluster, String pod) {
        return PlaceRun.of(folder, cluster, pod);
    }

    private static String group(String name, int replicas) {
        return "    - name: " + name
                + "\n      locality: {scope: domain, level: rack}\n      roles: [{name: worker, replicas: " + replicas
                + ", pod: {cpu: 1, gpu: {exclusive: 4}}}]\n";
    }

    private static final String JOB = "group:\n  name: job\n  locality: {scope: domain, level: block}\n  groups:\n"
            + group("a", 2) + group("b", 2);

    @Test
    void aGroupOfGroups_startsAsAWhole_eachWithinItsOwnDomain() {
        PlaceRun run = place(CLUSTER, JOB);
        assertThat(run.code()).as(run.err() + run.out()).isZero();
        assertThat(run.out())
                .contains("job-a-worker-0", "job-a-worker-1", "job-b-worker-0", "job-b-worker-1")
                .contains("on n1", "on n2", "on n3", "on n4");
        assertThat(place(CLUSTER, JOB + group("c", 2)).code()).isEqualTo(1);
    }

    @Test
    void aLevelThatNoNodeHas_isNamed_whereAGroupWithinMustHaveIt_andWhereItMayBeLeftOut() {
        String job = JOB + group("c", 1).replace("level: rack", "level: row");
        PlaceRun run = place(CLUSTER, job);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("no node has the topology level \"row\"; the cluster has block, rack");
        assertThat(place(CLUSTER, job + "  minGroups: 2\n").out()).contains("placed group \"job\"");
    }

    @Test
    void asManyGroups_asMinGroupsSays_areEnough() {
        PlaceRun run = place(CLUSTER, JOB + group("c", 2) + "  minGroups: 2\n");
        assertThat(run.code()).as(run.err() + run.out()).isZero();
        assertThat(run.out()).contains("job-b-worker-1").contains("job-c-worker-0");
        assertThat(place(CLUSTER, JOB + "  minGroups: 3\n").err()).contains("minGroups must be in 0..2, got 3");
        assertThat(place(CLUSTER, "group: {name: g}\n").err()).contains("roles");
    }

    @Test
    void theFirstShapeThatFits_isTaken() {
        String pod = "pod: {name: p, cpu: 1, gpu: {firstOf: [{exclusive: 2, models: [H100]}, {exclusive: 4}]}}\n";
        PlaceRun run = place(CLUSTER, pod);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("GPUs [0, 1, 2, 3]");
        String first = pod.replace("H100", "A100");
        assertThat(place(CLUSTER, first).out()).contains("GPUs [0, 1]").doesNotContain("2, 3");
        assertThat(place(CLUSTER, pod.replace(", {exclusive: 4}", "")).err()).contains("2..16, got 1");
        assertThat(place(CLUSTER, pod.replace("firstOf", "percent: 3, firstOf")).err())
                .contains("contradicts percent");
        assertThat(place(CLUSTER, pod.replace("]}}", "], models: [A100]}}")).code())
                .isEqualTo(2);
    }

    @Test
    void gpusThatNvlinksConnect_goTogether() {
        String links = ", links: [[X, SYS, NV4, SYS], [SYS, X, SYS, NV2], [NV4, SYS, X, SYS], [SYS, NV2, SYS, X]]";
        String two = "pod: {name: p, cpu: 1, gpu: {exclusive: 2}}\n";
        assertThat(place("nodes:\n" + node("n1", "r1", links), two).out()).contains("GPUs [0, 2]");
        assertThat(place("nodes:\n" + node("n1", "r1", links.replace("NV2", "fast")), two)
                        .err())
                .contains("links[1][3]")
                .contains("must be SYS, NODE, PHB, PXB, PIX, PSB, NV with a number");
        assertThat(place("nodes:\n" + node("n1", "r1", links.replace("[[X, SYS, NV4", "[[X, SYS, NV3")), two)
                        .err())
                .contains("from gpu 0 to gpu 2");
        assertThat(place("nodes:\n" + node("n1", "r1", ", links: [[X, SYS]]"), two)
                        .err())
                .contains("must have 1 links, got 2");
    }
}
