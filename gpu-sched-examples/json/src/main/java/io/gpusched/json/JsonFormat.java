package io.gpusched.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.GroupDecision;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.queue.QueueState;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.WorkloadProfile;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Objects;
import java.util.Set;

/**
 * How values of one type are written as a JSON document, and read again: {@code JsonFormat.CLUSTER.read(text)}.
 *
 * <p>What is read is equal to what was written. Equal values are written as equal texts, but for the placements of one node, which
 * have no order. The form of documents is on the {@linkplain io.gpusched.json package page}.
 *
 * <p>Immutable and thread-safe. Cost: O(size of the document).
 *
 * @param <T> what is written
 */
public final class JsonFormat<T> {
    /** The version of the form in which documents are written, and the only one that is read. */
    public static final int VERSION = 1;

    private static final int DEEPEST = 256;
    private static final String VERSION_FIELD = "version";
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxDocumentLength(-1)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final Types TYPES = Types.create();

    /** A cluster: its nodes, what runs on them with what it asked, and the labels of namespaces. */
    public static final JsonFormat<Cluster> CLUSTER = new JsonFormat<>("cluster", Cluster.class, true);

    /** A node, without what runs on it. */
    public static final JsonFormat<Node> NODE = new JsonFormat<>("node", Node.class, false);

    /** Where a pod runs, with what it asked. */
    public static final JsonFormat<Placement> PLACEMENT = new JsonFormat<>("placement", Placement.class, false);

    /** A pod that is to be placed. */
    public static final JsonFormat<Pod> POD = new JsonFormat<>("pod", Pod.class, false);

    /** A group that is to be placed. */
    public static final JsonFormat<PodGroup> GROUP = new JsonFormat<>("group", PodGroup.class, true);

    /** What was decided on a pod; of a refusal the diagnosis is worked out and written. */
    public static final JsonFormat<Decision> DECISION = new JsonFormat<>("decision", Decision.class, false);

    /** What was decided on a group; of a refusal the diagnosis is worked out and written. */
    public static final JsonFormat<GroupDecision> GROUP_DECISION =
            new JsonFormat<>("groupDecision", GroupDecision.class, true);

    /** Why nothing fits. */
    public static final JsonFormat<Diagnosis> DIAGNOSIS = new JsonFormat<>("diagnosis", Diagnosis.class, false);

    /** What pods usually ask. */
    public static final JsonFormat<WorkloadProfile> PROFILE = new JsonFormat<>("profile", WorkloadProfile.class, false);

    /**
     * What a scheduling cycle looks at: a cluster, its queues, the jobs and what the queues have used. A policy of a job that is none
     * of core's own is read as a {@link ForeignPolicy}.
     */
    public static final JsonFormat<QueueState> STATE = new JsonFormat<>("state", QueueState.class, true);

    private final String name;
    private final Codec<T> codec;
    private final boolean withTables;
    private final boolean strict;

    private JsonFormat(String name, Class<T> type, boolean withTables) {
        this(name, TYPES.codec(type), withTables, false);
    }

    private JsonFormat(String name, Codec<T> codec, boolean withTables, boolean strict) {
        this.name = name;
        this.codec = codec;
        this.withTables = withTables;
        this.strict = strict;
    }

    /**
     * Returns this format, but one that refuses fields that it does not know, wherever they are in the value; beside the value
     * a document may have others. Without this call they are ignored, as a later release may write more of them.
     */
    public JsonFormat<T> strict() {
        return new JsonFormat<>(name, codec, withTables, true);
    }

    /** Returns the names of the tables that documents may have beside their value, for parts that occur often. */
    public static Set<String> tables() {
        return TYPES.tables();
    }

    /**
     * Returns the format of a type of the caller's own: a public record, or a sealed family of such records, of components that have a
     * form here: values of the library, numbers, texts, constants, lists, sets, maps by text, optional values, and other such records.
     *
     * @param name under which the value stands in a document
     * @throws IllegalArgumentException if the name is blank or stands for something else in a document
     */
    public static <T> JsonFormat<T> of(String name, Class<T> type) {
        if (name.isBlank() || name.equals(VERSION_FIELD)) {
            throw new IllegalArgumentException(
                    "format: name must not be blank or \"" + VERSION_FIELD + "\", got \"" + name + "\"");
        }
        return new JsonFormat<>(name, Objects.requireNonNull(type, "type"), true);
    }

    /** Returns the document of a value, without white space. */
    public String write(T value) {
        try {
            return JSON.writeValueAsString(document(value));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes the document of a value, without white space, and closes the writer.
     *
     * @throws IOException if the writer fails
     */
    public void write(T value, Writer out) throws IOException {
        Objects.requireNonNull(out, "out");
        JSON.writeValue(out, document(value));
    }

    private ObjectNode document(T value) {
        Objects.requireNonNull(value, "value");
        Tables tables = Tables.writing(withTables);
        JsonNode written = codec.write(value, tables);
        ObjectNode document = JsonNodeFactory.instance.objectNode().put(VERSION_FIELD, VERSION);
        tables.addTo(document);
        document.set(name, written);
        return document;
    }

    /**
     * Returns the value of a document.
     *
     * @throws JsonFormatException if the text is no such document, or of another version
     */
    public T read(String text) {
        Objects.requireNonNull(text, "text");
        try {
            return read(JSON.readTree(text));
        } catch (JsonProcessingException e) {
            throw noJson(e);
        }
    }

    /**
     * Returns the value of a document, and closes the reader.
     *
     * @throws JsonFormatException if the text is no such document, or of another version
     * @throws IOException if the reader fails
     */
    public T read(Reader text) throws IOException {
        Objects.requireNonNull(text, "text");
        try (text) {
            return read(JSON.readTree(text));
        } catch (JsonProcessingException e) {
            throw noJson(e);
        }
    }

    private T read(JsonNode tree) {
        Place document = new Place(tree, null, "");
        if (!tree.isObject()) {
            throw new Place(tree, null, "document").mustBe("an object");
        }
        requireVersion(document);
        JsonNode value = tree.get(name);
        if (value == null) {
            throw new JsonFormatException("", "document must have a field \"" + name + "\"");
        }
        return codec.read(new Place(value, null, name), Tables.reading(document, strict));
    }

    private static void requireVersion(Place document) {
        JsonNode version = document.value().get(VERSION_FIELD);
        if (version == null) {
            throw new JsonFormatException("", "document must have a field \"" + VERSION_FIELD + "\"");
        }
        if (!version.isIntegralNumber() || version.longValue() != VERSION) {
            throw new JsonFormatException(
                    VERSION_FIELD,
                    VERSION_FIELD + " must be " + VERSION + ", got " + version
                            + "\nMaybe the document was written by a newer release.");
        }
    }

    private JsonFormatException noJson(JsonProcessingException e) {
        JsonLocation at = e.getLocation();
        String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
        return new JsonFormatException("", name + ": no JSON" + where + ": " + e.getOriginalMessage(), e);
    }

    @Override
    public String toString() {
        return "JSON format of " + name;
    }
}
