package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that say whether and which pods there are, and that are easily passed over. */
class OverlookedFieldsTest {
    private static final String TEMPLATE =
            "  template: {spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 1}}}]}}\n";

    @TempDir
    private Path folder;

    private PlaceRun place(String pod, String... more) {
        return PlaceRun.manifests(folder, PlaceRun.NODE, pod, more);
    }

    @Test
    void aSuspendedCronJob_startsNothing() {
        String job = "kind: CronJob\nmetadata: {name: night}\nspec:\n  suspend: true\n  jobTemplate: {spec: {\n"
                + TEMPLATE + "}}\n";
        PlaceRun run = place(job);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("line 4, field spec.suspend", "starts no jobs", "--ignore spec.suspend");
        assertThat(place(job, "--ignore", "spec.suspend").code()).isZero();
        assertThat(place(job.replace("true", "false")).code()).isZero();
    }

    @Test
    void aPodThatIsBeingDeleted_isNotPlaced() {
        String pod = PlaceRun.POD.replace("name: p", "name: p, deletionTimestamp: \"2026-01-01T00:00:00Z\"");
        PlaceRun run = place(pod);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("line 2, field metadata.deletionTimestamp", "pod \"p\" is being deleted");
    }

    @Test
    void theFirstNumberOfAStatefulSet_isHonoured() {
        String set =
                "kind: StatefulSet\nmetadata: {name: db}\nspec:\n  replicas: 2\n  ordinals: {start: 5}\n" + TEMPLATE;
        assertThat(place(set).out()).contains("\"db-5\"", "\"db-6\"").doesNotContain("db-0");
    }

    @ParameterizedTest
    @CsvSource({"Job, example.com/v1", "Deployment, example.com/v1", "Pod, example.com/v1"})
    void aKindOfAnotherApi_isNotTakenForKubernetesOwn(String kind, String version) {
        String other = "apiVersion: " + version + "\nkind: " + kind + "\nmetadata: {name: x}\nspec:\n" + TEMPLATE;
        PlaceRun run = place(other);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .contains("line 2, field kind: " + kind + " of " + version + " is not placed", "--ignore " + kind);
        PlaceRun ignored = place(other + "---\n" + PlaceRun.POD, "--ignore", kind);
        assertThat(ignored.out()).contains("placed pod \"p\"").doesNotContain("x-0");
    }

    @ParameterizedTest
    @CsvSource({"apps/v1, Deployment", "batch/v1, Job", "v1, ReplicationController"})
    void aKindOfItsOwnApi_isRead(String version, String kind) {
        String owner = "apiVersion: " + version + "\nkind: " + kind + "\nmetadata: {name: x}\nspec:\n" + TEMPLATE;
        assertThat(place(owner).out()).contains("placed pod \"x-0\"");
    }

    @Test
    void whenAnInitContainerStartsAgain_isAWordThatKubernetesKnows() {
        String sidecar = PlaceRun.POD
                + "  initContainers: [{name: i, restartPolicy: POLICY, resources: {requests: {cpu: 8}}}]\n";
        assertThat(place(sidecar.replace("POLICY", "OnFailure")).code()).isZero();
        assertThat(place(sidecar.replace("POLICY", "Always")).out()).contains("asked 9 cores");
        PlaceRun run = place(sidecar.replace("POLICY", "Sometimes"));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("line 7, field spec.initContainers[0].restartPolicy", "got \"Sometimes\"");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1_000_001, Integer.MAX_VALUE})
    @Timeout(60)
    void aRoleOfMoreMembersThanAnyGroupHas_isAnErrorAtOnce(int replicas) {
        PlaceRun run = PlaceRun.of(
                folder,
                "nodes: [{name: n1, cpu: 8, memory: 8Gi}]\n",
                "group:\n  name: g\n  roles:\n    - name: one\n      pod: {cpu: 1}\n    - name: w\n      replicas: "
                        + replicas + "\n      pod: {cpu: 1}\n");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("line 7, field group.roles[1].replicas: must be in 0..1000000, got " + replicas);
    }
}
