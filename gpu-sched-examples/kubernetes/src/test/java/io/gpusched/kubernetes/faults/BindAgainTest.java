package io.gpusched.kubernetes.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Await;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.decide.Binding;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.decide.PendingPod;
import io.gpusched.kubernetes.write.ApiWriter;
import io.gpusched.kubernetes.write.BindCounts;
import io.gpusched.kubernetes.write.BindWriter;
import io.gpusched.kubernetes.write.EventWriter;
import io.gpusched.manifests.grant.PodBinding;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a binding whose pod was changed after the decision. */
class BindAgainTest {
    private static final PodId ID = new PodId("default", "p");

    private FaultyApiServer server = new FaultyApiServer(Faults.ofFirstWrites());
    private KubernetesClient client = server.client(WrittenBy.TEST);
    private KubernetesClient replica = server.client("one");
    private final Queue<Change> lost = new ConcurrentLinkedQueue<>();

    @Test
    void onlyItsStatusChanged_itIsBoundWithoutAnotherDecision() {
        Pod decided = write(pod -> new PodBuilder(pod)
                .editOrNewStatus()
                .withMessage("waits")
                .endStatus()
                .build());
        Await.until(
                "it is bound",
                () -> server.bound().bindings.containsKey(decided.getMetadata().getUid()));
        assertThat(read().getSpec().getNodeName()).isEqualTo("n");
        assertThat(read().getMetadata().getAnnotations()).containsEntry("grant", "g");
        assertThat(lost).isEmpty();
    }

    @Test
    void itAsksForSomethingElse_itIsNotBound() {
        write(pod -> Manifests.labelled(pod, "tier", "other"));
        Await.until("it is given back", () -> !lost.isEmpty());
        assertThat(lost).allMatch(change -> change instanceof Change.NotBound);
        assertThat(server.bound().bindings).isEmpty();
        assertThat(read().getSpec().getNodeName()).isNull();
    }

    @Test
    void anotherOfItsNameTookItsPlace_itIsNotBound() {
        Pod decided = create();
        client.pods().resource(decided).delete();
        create();
        bind(decided);
        Await.until("it is given back", () -> !lost.isEmpty());
        assertThat(server.bound().bindings).isEmpty();
    }

    /** If it were given back, its GPUs could be given to others before the watch says that it was bound. */
    @ParameterizedTest
    @EnumSource(
            names = {
                "WRITE_TOO_MANY",
                "WRITE_FAILED",
                "WRITE_DONE_AND_CALLED_FAILED",
                "WRITE_LATE",
                "WRITE_DONE_AND_ANSWERED_TOO_LATE"
            })
    void aBindingWithoutAClearAnswer_isNotGivenBack_andIsDoneOnce(Fault fault) {
        close();
        server = new FaultyApiServer(Faults.ofFirstWrites(fault, fault));
        client = server.client(WrittenBy.TEST);
        replica = server.client("one");
        bind(create());
        assertThat(server.faults.happened()).containsKey(fault);
        assertThat(server.bound().bindings.values()).containsExactly(1);
        assertThat(lost).isEmpty();
    }

    /** Writes a binding of the first version after a change. */
    private Pod write(UnaryOperator<Pod> change) {
        Pod decided = create();
        client.pods().inNamespace(ID.namespace()).withName(ID.name()).edit(change);
        assertThat(read().getMetadata().getResourceVersion())
                .isNotEqualTo(decided.getMetadata().getResourceVersion());
        bind(decided);
        return decided;
    }

    private Pod create() {
        return client.pods()
                .resource(Manifests.pod(ID.name(), T9kDialect.GPU, "1"))
                .create();
    }

    private void bind(Pod decided) {
        Placement placement = new Placement(ID, "n", Resources.NONE, List.of());
        PodBinding write = PodBinding.of(decided, placement, Map.of("grant", "g"), Map.of());
        PendingPod pod = new PendingPod(ID, decided, Optional.empty());
        try (ApiWriter writer = new ApiWriter(replica, 1, () -> true)) {
            EventWriter events = new EventWriter(writer, "gpu-sched", "one");
            new BindWriter(writer, lost::add, BindCounts.NONE, events).write(new Binding(pod, write, List.of()));
            Await.until("it is settled", () -> writer.size(ApiWriter.Lane.BINDINGS) == 0);
        }
    }

    private Pod read() {
        return client.pods().inNamespace(ID.namespace()).withName(ID.name()).get();
    }

    @AfterEach
    void close() {
        replica.close();
        client.close();
        server.close();
    }
}
