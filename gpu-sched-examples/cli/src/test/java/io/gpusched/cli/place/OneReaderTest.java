package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.manifests.cluster.ClusterObjects;
import io.gpusched.manifests.cluster.ClusterReader;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.objects.ObjectList;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same objects are the same cluster, whichever command reads them and in whatever form they are written. */
class OneReaderTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<YamlNode> POD = YamlReader.parse(
            "pod.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: asked}, spec: {containers: [{name: c}]}}");

    static Stream<Path> clusters() throws IOException, URISyntaxException {
        Path reports = Path.of(Objects.requireNonNull(OneReaderTest.class.getResource("/reports"))
                .toURI());
        List<Path> files;
        try (Stream<Path> all = Files.walk(reports)) {
            files = all.filter(file -> file.toString().matches(".*[.](json|yaml)"))
                    .filter(OneReaderTest::hasNodes)
                    .sorted()
                    .toList();
        }
        assertThat(files).hasSizeGreaterThan(30);
        return files.stream();
    }

    private static boolean hasNodes(Path file) {
        List<YamlNode> documents = YamlReader.read(file);
        return ObjectList.isOne(documents.get(0))
                && ObjectList.of(documents).stream()
                        .anyMatch(object -> object.need("kind").text().equals("Node"));
    }

    private static String json(YamlNode object) {
        try {
            return JSON.writeValueAsString(object.plain());
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void placeReadsWhatTheCommandsThatLookRead(Path file) {
        List<YamlNode> documents = YamlReader.read(file);
        Notes notes = new Notes(Set.of());
        ClusterReader read = YamlReader.read(file, () -> new ClusterReader());
        assertThat(new PlaceInput(read, POD, Optional.empty(), notes).cluster())
                .isEqualTo(SeenCluster.of(ClusterObjects.of(documents)).cluster());
        assertThat(notes.warnings())
                .containsAll(SeenCluster.of(ClusterObjects.of(documents)).notes());
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void objectsOneAfterTheOther_andListsOfLists_areTheSameCluster(Path file) {
        List<YamlNode> documents = YamlReader.read(file);
        List<YamlNode> objects = ObjectList.of(documents);
        StringBuilder lines = new StringBuilder();
        StringBuilder array = new StringBuilder();
        for (YamlNode object : objects) {
            String one = json(object);
            lines.append(one).append('\n');
            array.append(array.isEmpty() ? "[" : ",").append("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[");
            array.append(one).append("]}");
        }
        SeenCluster seen = SeenCluster.of(ClusterObjects.of(documents));
        assertThat(SeenCluster.of(YamlReader.parse("lines", lines.toString(), ClusterReader::new)
                                .objects())
                        .cluster())
                .isEqualTo(seen.cluster());
        assertThat(SeenCluster.of(YamlReader.parse("lists.json", array + "]", ClusterReader::new)
                                .objects())
                        .cluster())
                .isEqualTo(seen.cluster());
    }
}
