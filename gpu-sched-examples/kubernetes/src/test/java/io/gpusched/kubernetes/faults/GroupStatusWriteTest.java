package io.gpusched.kubernetes.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.gpusched.kubernetes.Await;
import io.gpusched.kubernetes.decide.GroupState;
import io.gpusched.kubernetes.write.ApiWriter;
import io.gpusched.kubernetes.write.GroupWriter;
import io.gpusched.manifests.group.GroupCounts;
import io.gpusched.manifests.group.GroupVocabulary;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of the status of a group that others write too. */
class GroupStatusWriteTest {
    private static final GroupVocabulary T9K = GroupVocabulary.T9K;

    private final FaultyApiServer server = new FaultyApiServer(Faults.none());
    private final KubernetesClient client = server.client("one");
    private final ApiWriter api = new ApiWriter(client, 1, () -> true);
    private final GroupWriter writer = new GroupWriter(api);

    private NonNamespaceOperation<GenericKubernetesResource, ?, Resource<GenericKubernetesResource>> groups() {
        return client.genericKubernetesResources(T9K.context()).inNamespace("default");
    }

    private GenericKubernetesResource create(String name) {
        GenericKubernetesResource group = new GenericKubernetesResource();
        group.setApiVersion(T9K.apiVersion());
        group.setKind("PodGroup");
        group.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace("default").build());
        group.setAdditionalProperty("spec", Map.of("minMember", 2));
        return groups().resource(group).create();
    }

    private Map<String, Object> status() {
        return status("g");
    }

    private Map<String, Object> status(String name) {
        return GroupVocabulary.status(groups().withName(name).get());
    }

    private void saw(GenericKubernetesResource group) {
        writer.saw(
                T9K.read(group).key(),
                GroupVocabulary.status(group),
                group.getMetadata().getResourceVersion());
    }

    private void write(GenericKubernetesResource group, int running) {
        writer.write(new GroupState(
                T9K.read(group), new GroupCounts(2 - running, 2, running, 0, 0, 0, Map.of(), Map.of("", 2))));
    }

    @Test
    void whatAnotherWroteMeanwhile_isNotLost_andOursIsWrittenOnceItIsSeen() {
        GenericKubernetesResource group = create("g");
        saw(group);
        GenericKubernetesResource changed = groups().withName("g").get();
        changed.setAdditionalProperty("status", new HashMap<>(Map.of("note", "of another")));
        groups().resource(changed).updateStatus();
        write(group, 1);
        Await.until("it is refused", () -> server.writtenBy("one").count("others") >= 3);
        assertThat(status()).containsEntry("note", "of another").doesNotContainKey("running");

        saw(groups().withName("g").get());
        Await.until("it is written", () -> status().containsKey("running"));
        assertThat(status()).containsEntry("note", "of another").containsEntry("running", 1);
    }

    @Test
    void aStatusIsReplaced_andTheSpecStays() {
        GenericKubernetesResource group = create("g");
        saw(group);
        write(group, 1);
        Await.until("it is written", () -> status().containsKey("running"));
        saw(groups().withName("g").get());
        write(group, 2);
        Await.until("it is written again", () -> Integer.valueOf(2).equals(status().get("running")));
        assertThat(groups().withName("g").get().getAdditionalProperties().get("spec"))
                .isEqualTo(Map.of("minMember", 2));
    }

    /** The writer looks at one group after the other: once it has written another later, it has passed by this one. */
    @Test
    void aStatusThatIsRightAlready_isNotWritten() {
        GenericKubernetesResource group = create("g");
        GenericKubernetesResource other = create("other");
        saw(group);
        saw(other);
        write(group, 1);
        Await.until("it is written", () -> status().containsKey("running"));
        write(other, 1);
        Await.until("the other is written", () -> status("other").containsKey("running"));
        int writes = server.writtenBy("one").count("others");
        saw(groups().withName("g").get());
        saw(groups().withName("other").get());
        write(group, 1);
        write(other, 2);
        Await.until(
                "the other is written again",
                () -> Integer.valueOf(2).equals(status("other").get("running")));
        assertThat(server.writtenBy("one").count("others")).isEqualTo(writes + 1);
    }

    @AfterEach
    void close() {
        api.close();
        client.close();
        server.close();
    }
}
