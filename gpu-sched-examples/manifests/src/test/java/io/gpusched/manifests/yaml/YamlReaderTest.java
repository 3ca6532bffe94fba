package io.gpusched.manifests.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlReaderTest {
    @TempDir
    private Path folder;

    private static YamlNode parse(String text) {
        return YamlReader.parse("f", text).get(0);
    }

    @Test
    void aValue_knowsItsLineAndField() {
        YamlNode cpu = parse("nodes:\n  - name: n1\n    cpu: 4\n")
                .need("nodes")
                .list()
                .get(0)
                .at("cpu");
        assertThat(cpu.place()).isEqualTo("f, line 3, field nodes[0].cpu");
        assertThat(cpu.number()).isEqualTo(4);
    }

    @Test
    void aMember_standsOnTheLineOfItsName() {
        assertThat(parse("a:\n  b:\n    c: 1\n").at("a").at("b").line()).isEqualTo(2);
    }

    @Test
    void quotedNumbers_areTexts() {
        assertThat(parse("a: '1'").at("a").kind()).isEqualTo(YamlNode.Kind.TEXT);
        assertThat(parse("a: 1").at("a").kind()).isEqualTo(YamlNode.Kind.NUMBER);
        assertThat(parse("a: true").at("a").kind()).isEqualTo(YamlNode.Kind.TRUTH);
        assertThat(parse("a: ~").at("a").isPresent()).isFalse();
    }

    @Test
    void json_isRead() {
        assertThat(parse("{\"a\": {\"b\": [1, 2]}}").at("a").at("b").list()).hasSize(2);
    }

    @Test
    void aFileOfJson_isReadAsJson_whateverItEscapes_andWhateverIndentsIt() {
        String text = "{\n\t\"a\\/b\":{\"c\":[1, 2.5e3, true, null, \"\\u0041\\ud83d\\ude00\"]}}\n{\"second\": 2}";
        List<YamlNode> documents = YamlReader.parse("f.json", text);
        List<YamlNode> values = documents.get(0).at("a/b").at("c").list();
        assertThat(values)
                .extracting(YamlNode::kind)
                .containsExactly(
                        YamlNode.Kind.NUMBER,
                        YamlNode.Kind.NUMBER,
                        YamlNode.Kind.TRUTH,
                        YamlNode.Kind.NOTHING,
                        YamlNode.Kind.TEXT);
        assertThat(values.get(4).text()).isEqualTo("A\ud83d\ude00");
        assertThat(values.get(1).place()).isEqualTo("f.json, line 2, field a/b.c[1]");
        assertThat(documents.get(1).at("second").number()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'{\"a\": 1,\n \"a\": 2}' | 'f.json, line 2, field a: occurs twice'",
                "'[1,\n 2' | 'f.json, line 2, column 3: must be JSON: Unexpected end-of-input: expected close marker for Array (start marker at line: 1, column: 1)'",
                "'a: 1' | 'f.json, line 1, column 2: must be JSON: Unrecognized token'",
                "'null' | 'f.json: must hold at least one document'"
            })
    void brokenJson_namesTheLine(String text, String message) {
        assertThatThrownBy(() -> YamlReader.parse("f.json", text.replace("\\n", "\n")))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void anErrorOfTheParserThatTellsNoPlace_isRefusedWithTheLastLineThatCouldBeRead() {
        String text =
                "group:\n  name: mpi\n  locality: {level: zone\n }roles:\n    - name: launcher\n memory: 16Gi, {A100]}}\n";
        assertThatThrownBy(() -> YamlReader.parse("f", text))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("f, line 3: must be YAML: A simple key is required");
    }

    @Test
    void jsonThatIsNestedTooDeeply_isRefusedWithItsLine() {
        assertThatThrownBy(() -> YamlReader.parse("f.json", "\n" + "[".repeat(300)))
                .hasMessage("f.json, line 2, column 202: must be JSON nested at most 200 deep");
    }

    /** As a tenant may write them on his own pods and claims. */
    @Test
    void fieldsOfServersAndDrivers_mayBeNestedAsDeepAsTheApiServerTakesThem() {
        String deep = "{\"a\":".repeat(9_000) + "[1]" + "}".repeat(9_000);
        YamlNode pod = YamlReader.parse(
                        "f.json",
                        "{\"metadata\":{\"managedFields\":[{\"fieldsV1\":" + deep + "}],\"name\":\"p\"},"
                                + "\"spec\":{\"config\":[{\"opaque\":{\"parameters\":" + deep + "}}]},"
                                + "\"labels\":{\"opaque\":\"yes\",\"n\":" + "1".repeat(5_000) + "}}")
                .get(0);
        assertThat(pod.at("metadata").at("name").text()).isEqualTo("p");
        assertThat(pod.at("labels").at("opaque").text()).isEqualTo("yes");
    }

    @Test
    void parametersOfADriver_areRead() {
        YamlNode config = parse("{\"opaque\":{\"driver\":\"d\",\"parameters\":{\"sharing\":{\"strategy\":\"MPS\"}}}}");
        assertThat(config.at("opaque")
                        .at("parameters")
                        .at("sharing")
                        .at("strategy")
                        .text())
                .isEqualTo("MPS");
    }

    @ParameterizedTest
    @CsvSource({"12, true", "-3, true", "1.5, false", "-0.25, false", "1e3, false", "2.5E-3, false"})
    void theNumbersOfJson_areNumbers(String number, boolean isWhole) {
        YamlNode value = parse("{\"a\": " + number + "}").at("a");
        assertThat(value.kind()).isEqualTo(YamlNode.Kind.NUMBER);
        assertThat(value.isWholeNumber()).isEqualTo(isWhole);
        assertThat(value.decimal()).isEqualTo(Double.parseDouble(number));
    }

    @Test
    void theEscapesOfJson_areRead() {
        assertThat(parse("{\"a\": \"\\u00e9 \\ud83d\\ude00 \\\\ \\t\"}").at("a").text())
                .isEqualTo("\u00e9 \ud83d\ude00 \\ \t");
    }

    @Test
    void emptyDocuments_areLeftOut() {
        assertThat(YamlReader.parse("f", "---\n---\na: 1\n---\n")).hasSize(1);
    }

    @Test
    void anchors_areFollowed_andMergedMembersYieldToOwnOnes() {
        YamlNode file = parse("base: &b {cpu: 1, memory: 2}\nnode:\n  <<: *b\n  cpu: 3\nlist: [*b]\n");
        assertThat(file.at("node").texts()).isEqualTo(Map.of("cpu", "3", "memory", "2"));
        assertThat(file.at("list").list().get(0).at("cpu").number()).isEqualTo(1);
    }

    @Test
    void severalMappings_areMerged_theFirstThatHasAName() {
        YamlNode file = parse("a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc:\n  <<: [*a, *b]\n");
        assertThat(file.at("c").texts()).isEqualTo(Map.of("x", "1", "y", "2"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        nodes: [{name: n1}\\n                   | 2 | YAML: while parsing a flow sequence
        nodes:\\n  - name: n1\\n\\tcpu: 1\\n     | 3 | cannot start any token
        nodes:\\n  - a: 1\\n b: 2\\n            | 3 | while parsing a block mapping
        a: 1\\nb: *x\\n                         | 2 | undefined alias x
        a: 1\\na: 2\\n                          | 2 | field a: occurs twice
        a:\\n  b: 1\\n  c: 1\\n  b: 2\\n        | 4 | field a.b: occurs twice
        a: 1\\n? [b]\\n: 2\\n                   | 2 | plain names
        a: 1\\nb:\\n  <<: 3\\n                  | 3 | << must name a mapping
        a: 1\\nb: &x {c: *x}\\n                 | 2 | field b.c: must not contain itself
        a: 1\\nb: @c\\n                         | 2 | cannot start any token
        a: 1\\nb: 'c\\n                         | 3 | while scanning a quoted scalar
        """)
    void eachKindOfError_namesItsLineOnce(String text, int line, String problem) {
        String yaml = text.replace("\\n", "\n").replace("\\t", "\t");
        assertThatThrownBy(() -> parse(yaml))
                .isInstanceOf(InputException.class)
                .message()
                .startsWith("f, line " + line)
                .contains(problem)
                .containsOnlyOnce("line ");
    }

    @Test
    void controlCharacters_areNamedWithTheirLine() {
        assertThatThrownBy(() -> parse("a: 1\nb: \"\u0001\"\n"))
                .hasMessage("f, line 2: must be YAML: special character U+0001");
    }

    @Test
    void valuesNestedTooDeeply_areAnErrorWithTheirLine() {
        String deep = "a: 1\nb: " + "[".repeat(300) + "]".repeat(300) + "\n";
        assertThatThrownBy(() -> parse(deep)).hasMessageStartingWith("f, line 2: must be YAML nested at most 200 deep");
    }

    @Test
    void aFileThatStandsForBillionsOfValues_isAnError() {
        StringBuilder text = new StringBuilder("a0: &a0 [1, 2]\n");
        for (int i = 1; i < 40; i++) {
            text.append("a%d: &a%d [*a%d, *a%d, *a%d]\n".formatted(i, i, i - 1, i - 1, i - 1));
        }
        assertThatThrownBy(() -> parse(text.toString())).hasMessageContaining("aliases must stand for at most");
    }

    @Test
    void aFileOfManyMegabytes_isRead() throws IOException {
        String node = "- {name: n, text: " + "x".repeat(1_000) + "}\n";
        Path file = Files.writeString(folder.resolve("big.yaml"), node.repeat(6_000));
        assertThat(YamlReader.read(file).get(0).list()).hasSize(6_000);
    }

    @Test
    void aByteOrderMark_isLeftOut() throws IOException {
        Path file = Files.writeString(folder.resolve("bom.yaml"), "\uFEFFa: 1\n");
        assertThat(YamlReader.read(file).get(0).map()).containsKey("a");
    }

    @Test
    void whatIsNoUtf8_isAnErrorWithItsLine() throws IOException {
        Path file = Files.write(folder.resolve("bad.yaml"), new byte[] {'a', ':', '\n', (byte) 0xff});
        assertThatThrownBy(() -> YamlReader.read(file)).hasMessage(file + ", line 2: must be text in UTF-8");
    }

    @Test
    void aMissingFile_aFolder_andAnEmptyFileAreErrors() throws IOException {
        Path missing = folder.resolve("gone.yaml");
        Path empty = Files.writeString(folder.resolve("empty.yaml"), "# nothing\n");
        assertThatThrownBy(() -> YamlReader.read(missing)).hasMessage(missing + ": no such file");
        assertThatThrownBy(() -> YamlReader.read(folder)).hasMessage(folder + ": cannot be read: it is a directory");
        assertThatThrownBy(() -> YamlReader.read(empty)).hasMessage(empty + ": must hold at least one document");
    }

    @Test
    void aDash_isStandardInput() {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("a: [\n".getBytes(StandardCharsets.UTF_8)));
        try {
            assertThatThrownBy(() -> YamlReader.read(Path.of("-")))
                    .hasMessageStartingWith("standard input, line 2, column 1: ");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void nearest_findsAPathWhoseNamesHaveDots_orTheLastThatExists() {
        YamlNode pod = parse("spec:\n  limits:\n    a.b/c: 1\n  list:\n    - x: 1\n");
        assertThat(pod.nearest("spec.limits.a.b/c").line()).isEqualTo(3);
        assertThat(pod.nearest("spec.list[0].x").line()).isEqualTo(5);
        assertThat(pod.nearest("spec.list[7].x").path()).isEqualTo("spec.list");
        assertThat(pod.nearest("spec.gone.x").path()).isEqualTo("spec");
        assertThat(List.of(pod.nearest(""))).containsExactly(pod);
    }

    @Test
    void jsonIsFoundByWhatTheTextSays_andDocumentsMayFollowEachOther() {
        for (String name : List.of("standard input", "f.yaml", "f")) {
            assertThat(YamlReader.parse(name, "{\"a\": 1}\n{\"a\": 2}{\"a\": 3}\n"))
                    .extracting(document -> document.at("a").number())
                    .containsExactly(1L, 2L, 3L);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\": 1}\\nerror: no more | f, line 2, column 6: must be JSON: Unrecognized token 'error'",
                "{\"a\": NaN} | f, line 1, column 10: must be JSON: Non-standard token 'NaN'",
                "{\"a\": [1, | f, line 1, column 10: must be JSON: Unexpected end-of-input",
            })
    void whatIsNoJsonAfterJson_isAnErrorWithLineAndColumn(String text, String message) {
        assertThatThrownBy(() -> YamlReader.parse("f", text.replace("\\n", "\n")))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void yamlThatBeginsAsJsonDoes_isReadByItsName() {
        assertThat(YamlReader.parse("f.yaml", "{\"a\": b}").get(0).at("a").text())
                .isEqualTo("b");
    }

    @Test
    void gzip_isReadWhateverTheFileIsCalled(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("nodes.json");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("{\"a\": 1}".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(YamlReader.read(file).get(0).at("a").number()).isEqualTo(1);
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> YamlReader.read(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("cannot be decompressed");
    }

    @Test
    void aliases_mayStandForManyValuesInALargeFile() {
        StringBuilder text = new StringBuilder("base: &b {a: 1, b: 2, c: 3, d: 4}\nlist:\n");
        for (int i = 0; i < 20_000; i++) {
            text.append("- {name: n").append(i).append(", labels: *b}\n");
        }
        assertThat(parse(text.toString()).at("list").list()).hasSize(20_000);
    }

    @Test
    void utf16_isReadWhereItBeginsWithItsMark() throws IOException {
        for (Charset charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            Path file = Files.write(folder.resolve("wide.json"), "\uFEFF{\"a\": \"\u00e9\"}\r\n".getBytes(charset));
            assertThat(YamlReader.read(file).get(0).at("a").text()).isEqualTo("\u00e9");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"version\": 1, \"items\": [{\"kind\": \"A\"}, [{\"kind\": \"B\"}], 7], \"kind\": \"List\"}",
                "version: 1\nitems:\n- kind: A\n- [{kind: B}]\n- 7\nkind: List\n"
            })
    void theElementsOfAListAreHandedOutOneByOne_andWhatIsNotTakenStaysInIt(String text) {
        List<String> taken = new ArrayList<>();
        List<YamlNode> documents = new ArrayList<>();
        YamlReader.parse("f", text, () -> new DocumentSink() {
            @Override
            public boolean item(YamlNode item, Map<String, YamlNode> around) {
                boolean isTaken = item.members() != null;
                if (isTaken) {
                    taken.add(item.path() + " " + item.at("kind").text() + " of " + around.keySet());
                }
                return isTaken;
            }

            @Override
            public void document(YamlNode document) {
                documents.add(document);
            }
        });
        assertThat(taken).containsExactly("items[0] A of [version]", "items[1][0] B of []");
        assertThat(documents).hasSize(1);
        assertThat(documents.get(0).at("kind").text()).isEqualTo("List");
        assertThat(documents.get(0).at("items").list())
                .extracting(YamlNode::path)
                .containsExactly("items[1]", "items[2]");
    }

    @Test
    void anAliasOfAnItem_isFollowedInTheNext() {
        List<YamlNode> documents = YamlReader.parse("f", "items:\n- &a {x: &b {y: 1}}\n- {<<: *a, z: *b}\n---\na: 1\n");
        assertThat(documents.get(0).nearest("items[1].x.y").place()).isEqualTo("f, line 2, field items[1].x.y");
        assertThat(documents.get(0).nearest("items[1].z.y").number()).isEqualTo(1);
        assertThatThrownBy(() -> YamlReader.parse("f", "a: &a 1\n---\nb: *a\n"))
                .hasMessageContaining("undefined alias a");
    }
}
