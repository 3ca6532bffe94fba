package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Running pods that carry what {@code kube} wrote when it bound them. */
class GrantsInManifestsTest {
    @TempDir
    private Path folder;

    private static final String NODE = PlaceRun.T9K_NODE;

    private static final String THREE = "{\"version\":1,\"node\":\"n1\",\"containers\":{\"main\":{\"gpus\":"
            + "[\"n1-gpu-0\",\"n1-gpu-1\",\"n1-gpu-3\"]}}}";

    private static String running(String name, String grant) {
        return "---\nkind: Pod\nmetadata:\n  name: " + name + "\n  annotations:\n    gpu-sched.io/grant: '" + grant
                + "'\nspec:\n  nodeName: n1\n  containers: [{name: main,"
                + " resources: {limits: {cpu: 1, memory: 1Gi, tensorstack.dev/nvidia-gpu: 3}}}]\n";
    }

    private PlaceRun place(String cluster) {
        return place(cluster, "");
    }

    private PlaceRun place(String cluster, String status) {
        String pod = "kind: Pod\nmetadata: {name: p}\nspec:\n  containers: [{name: main,"
                + " resources: {limits: {cpu: 1, memory: 1Gi, tensorstack.dev/nvidia-gpu: 1}}}]\n" + status;
        return PlaceRun.of(folder, cluster, pod, "--dialect", "t9k");
    }

    @Test
    void aGrantSaysWhichGpusAreTaken() {
        PlaceRun run = place(NODE + running("r", THREE));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("GPUs [2]");
    }

    @Test
    void aPodThatDoesNotSayWhichGpusItHolds_isGivenOthersThanThoseOfAGrant_thoughItComesFirst() {
        String unknown = "---\nkind: Pod\nmetadata: {name: a}\nspec:\n  nodeName: n1\n  containers: [{name: main,"
                + " resources: {limits: {cpu: 1, memory: 1Gi, tensorstack.dev/nvidia-gpu: 1}}}]\n";
        String granted = running("r", THREE.replace("\"n1-gpu-1\",\"n1-gpu-3\"", "\"n1-gpu-2\""))
                .replace("nvidia-gpu: 3", "nvidia-gpu: 2");
        PlaceRun run = place(NODE + unknown + granted);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("GPUs [3]");
    }

    /** As {@code kubectl create --dry-run=client -o yaml} writes pods. */
    @Test
    void anEmptyStatus_saysNothing_ofPodsThatRunAndOfPodsToPlace() {
        PlaceRun run = place(NODE + running("r", THREE) + "status: {}\n", "status: {}\n");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("GPUs [2]");
    }

    @Test
    void aGrantThatNamesAGpuWhichIsNotThere_isNamed_andAsManyAreSetAside() {
        PlaceRun run = place(NODE + running("r", THREE.replace("gpu-3", "gpu-7")));
        assertThat(run.err()).contains("n1-gpu-7", "set aside").doesNotContain("\tat ");
    }

    @Test
    void twoGrantsOfOneGpu_areNamed_andNothingIsGivenOutTwice() {
        PlaceRun run = place(NODE + running("r", THREE) + running("s", THREE));
        assertThat(run.out()).contains("GPUs [2]");
        assertThat(run.err()).contains("Pod default/s: ", "set aside").doesNotContain("\tat ");
    }
}
