package io.gpusched.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.PodGroup;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values that readers make: pods, jobs, lifetimes, workloads. */
class TraceValuesTest {
    private static final Resources SOME = Resources.of(1_000, 2_048);

    private static TracePod pod(String name) {
        return TracePod.of(name, SOME, 1, 500, "");
    }

    private static Node node(String name, int gpus) {
        return OpenbTrace.node(name, 1_000, 1_000)
                .gpus(gpus, OpenbTrace.model("T4"))
                .build();
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,0", "2,500", "1,1001", "1,-5"})
    void pod_withAmountsThatDoNotGoTogetherIsRefused(int gpus, int gpuMillis) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TracePod.of("p", SOME, gpus, gpuMillis, ""))
                .withMessage(
                        "gpus and gpuMillis must be 0 and 0, 1 and 1..999, or 1..64 and 1000, got %d and %d",
                        gpus, gpuMillis);
    }

    @Test
    void pod_knowsItsAmounts() {
        TracePod pod = TracePod.of("p", SOME, 4, 1_000, "T4|G2");
        assertThat(pod.totalGpuMillis()).isEqualTo(4_000);
        assertThat(pod.cpuMillis()).isEqualTo(1_000);
        assertThat(pod.memoryMib()).isEqualTo(2_048);
        assertThat(pod.withName("q").name()).isEqualTo("q");
        assertThat(pod.withName("q").pod().containers()).isEqualTo(pod.pod().containers());
        assertThat(pod("s").pod().containers().get(0).gpu()).isInstanceOf(GpuRequest.Share.class);
    }

    @Test
    void models_ofAListAreEachNamedOnce() {
        assertThat(TracePod.models("T4||G2|T4| ")).containsExactly("G2", "T4");
        assertThat(TracePod.models("")).isEmpty();
    }

    @Test
    void lifetime_mustNotBeNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Lifetime(-1, 5))
                .withMessage("lifetime: arrivalSeconds and runSeconds must be >= 0, got -1 and 5");
        assertThatIllegalArgumentException().isThrownBy(() -> new Lifetime(1, -5));
    }

    @Test
    void job_ofAPodWithoutTimesSaysWhatMayBeMissing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TraceJob.of(pod("p")))
                .withMessage("pod \"p\" has no times, so it cannot be replayed"
                        + "\nMaybe the pod list lacks creation_time and deletion_time.");
    }

    @Test
    void job_withoutMembersIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TraceJob("j", List.of(), new Lifetime(0, 1)))
                .withMessage("job \"j\": at least one member expected, got none");
    }

    @Test
    void job_movesInTimeAndKeepsItsRun() {
        TraceJob job = TraceJob.of(pod("p").withLifetime(new Lifetime(10, 20)));
        assertThat(job.at(99).lifetime()).isEqualTo(new Lifetime(99, 20));
        assertThat(job.isGang()).isFalse();
        assertThat(job.pods()).hasSize(1);
    }

    @Test
    void gang_prefersOneRackAndNeedsAllMembers() {
        TraceJob job = new TraceJob("j", List.of(pod("a"), pod("b")), new Lifetime(0, 1));
        PodGroup group = job.group();
        assertThat(job.isGang()).isTrue();
        assertThat(group.minMember()).isEqualTo(2);
        assertThat(job.gpuMillis()).isEqualTo(1_000);
    }

    @Test
    void workload_needsGpusPodsAndDifferentNames() {
        List<TracePod> pods = List.of(pod("p"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Workload("w", List.of(node("n", 0)), pods))
                .withMessage("workload \"w\": at least one gpu and one pod expected, got 1 nodes and 1 pods");
        assertThatIllegalArgumentException().isThrownBy(() -> new Workload("w", List.of(node("n", 1)), List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Workload("w", List.of(node("n", 1), node("n", 2)), pods))
                .withMessage("workload \"w\": two nodes are called \"n\"");
        assertThat(new Workload("w", List.of(node("n", 3)), pods).gpuMillis()).isEqualTo(3_000);
    }

    @Test
    void exception_carriesItsMessage() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> {
                    throw new TraceException("file \"f\": is odd");
                })
                .withMessage("file \"f\": is odd");
    }
}
