package io.gpusched.manifests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterReaderTest {
    private static final String NODE =
            "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n%d\"}}";

    @TempDir
    private Path folder;

    private static ClusterObjects objects(String text) {
        return YamlReader.parse("f", text, () -> new ClusterReader()).objects();
    }

    @Test
    void anItemIsNotKeptOnceItsObjectIsRead_howeverManyFollow() throws IOException {
        for (String name : List.of("large.json", "large.yaml")) {
            Path file = folder.resolve(name);
            String bulk = "\"data\": \"" + "x".repeat(100_000) + "\"";
            try (Writer out = Files.newBufferedWriter(file)) {
                out.write(name.endsWith("json") ? "{\"items\": [" : "items:\n");
                for (int i = 0; i < 2_000; i++) { // 200 MB of text, where each item stays
                    String node = NODE.formatted(i).replaceFirst("\\{", "{" + bulk + ", ");
                    out.write(name.endsWith("json") ? (i == 0 ? "" : ",") + node : "- " + node + "\n");
                }
                out.write(name.endsWith("json") ? "], \"kind\": \"List\"}" : "kind: List\n");
            }
            List<WeakReference<Object>> items = new ArrayList<>();
            ClusterReader reader =
                    YamlReader.read(file, () -> new ClusterReader(item -> items.add(new WeakReference<>(item))));
            System.gc();
            assertThat(items).hasSize(2_000);
            assertThat(items.stream().limit(1_990).filter(item -> item.get() != null))
                    .isEmpty();
            assertThat(reader.objects().nodes()).hasSize(2_000);
            Files.delete(file);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kind\": \"NodeList\", \"apiVersion\": \"v1\", \"items\": [{\"metadata\": {\"name\": \"a\"}}]}",
                "{\"items\": [{\"metadata\": {\"name\": \"a\"}}], \"kind\": \"NodeList\", \"apiVersion\": \"v1\"}",
                "{\"kind\": \"List\", \"items\": [{\"kind\": \"NodeList\", \"items\": [{\"metadata\": {\"name\": \"a\"}}]}]}",
                "{\"items\": [{\"items\": [{\"metadata\": {\"name\": \"a\"}}], \"kind\": \"NodeList\"}], \"kind\": \"List\"}",
                "[[{\"kind\": \"Node\", \"metadata\": {\"name\": \"a\"}}]]",
                "kind: List\r\nitems:\r\n- kind: Node\r\n  metadata:\r\n    name: a\r\n"
            })
    void theKindOfAnElement_isItsOwnOrThatOfItsList_whereverItStands(String text) {
        assertThat(objects(text).nodes())
                .extracting(node -> node.getMetadata().getName())
                .containsExactly("a");
    }

    @Test
    void aListThatHasNoKind_isAnError() {
        assertThatThrownBy(() -> objects("{\"items\": [{\"kind\": \"Node\", \"metadata\": {\"name\": \"a\"}}, {}]}"))
                .isInstanceOf(InputException.class)
                .hasMessage("f, line 1, field kind: must be there");
    }

    @Test
    void anErrorInAnItem_namesFileItemAndField() {
        String broken = NODE.formatted(1).replace("\"n1\"", "\"n1\", \"labels\": {\"a\": 1}");
        for (String list :
                List.of("{\"items\": [%s,\n%s], \"kind\": \"List\"}", "[%s,\n%s]", "items:\n- %s\n- %s\nkind: List")) {
            assertThatThrownBy(() -> objects(list.formatted(NODE.formatted(0), broken)))
                    .isInstanceOf(InputException.class)
                    .message()
                    .matches("f, line [23], field (items)?\\[1].metadata.labels.a: must be a text, got 1. Maybe .*");
        }
    }

    @Test
    void anObjectThatStandsThereTwice_isToldWhereWhatIsLookedAtDiffers() {
        String other = NODE.formatted(1).replace("\"n1\"", "\"n1\", \"labels\": {\"a\": \"b\"}");
        assertThat(objects(NODE.formatted(1) + "\n" + NODE.formatted(1)).notes())
                .isEmpty();
        assertThat(objects(NODE.formatted(1) + "\n" + other).notes())
                .containsExactly(
                        "Node n1 stands there twice and differs, the later one is taken: f, line 1 and f, line 2");
    }

    @Test
    void aDocumentWithoutAKind_isOfAnotherForm() {
        ClusterReader reader = YamlReader.parse("f", "nodes: []", () -> new ClusterReader());
        assertThat(reader.firstKind()).isEmpty();
        assertThat(reader.otherForm()).hasSize(1);
    }
}
