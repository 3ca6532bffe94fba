package io.gpusched.cli.look;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.analysis.Move;
import io.gpusched.decision.Diagnosis;
import io.gpusched.json.JsonFormat;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;

/** The answers of commands as JSON, with values of the library in the form of {@link JsonFormat}. */
public final class JsonAnswer {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JsonAnswer() {}

    /** Returns an empty object. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Returns the document: its version, what the cluster is, what is to be said of it, and the answer by the command's name. */
    public static String of(String command, SeenCluster seen, ObjectNode answer) {
        return of(command, seen, List.of(), answer);
    }

    /** As {@link #of(String, SeenCluster, ObjectNode)}, with more that is to be said. */
    public static String of(String command, SeenCluster seen, Collection<String> more, ObjectNode answer) {
        ObjectNode document = document();
        ObjectNode cluster = document.putObject("cluster");
        cluster.put("nodes", seen.cluster().totals().nodes());
        cluster.put("gpuNodes", seen.gpuNodes());
        cluster.put("gpus", seen.gpus());
        cluster.put("idleGpus", seen.idleGpus());
        cluster.put("words", seen.words());
        ArrayNode notes = document.putArray("notes");
        texts(notes, seen.notes());
        texts(notes, more);
        document.set(command, answer);
        return document.toPrettyString();
    }

    /** Returns a document that has its version so far. */
    public static ObjectNode document() {
        return object().put("version", JsonFormat.VERSION);
    }

    /** Returns a placement, without what its pod asks. */
    public static JsonNode placement(Placement placement) {
        Placement bare =
                new Placement(placement.pod(), placement.node(), placement.resources(), placement.containers());
        return value(JsonFormat.PLACEMENT.write(bare), "placement");
    }

    /** Returns why something has no place. */
    public static JsonNode diagnosis(Diagnosis diagnosis) {
        return value(JsonFormat.DIAGNOSIS.write(diagnosis), "diagnosis");
    }

    private static JsonNode value(String document, String name) {
        try {
            return MAPPER.readTree(document).get(name);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void placements(ArrayNode array, Collection<Placement> placements) {
        placements.forEach(placement -> array.add(placement(placement)));
    }

    static void moves(ArrayNode array, Collection<Move> moves) {
        for (Move move : moves) {
            ObjectNode one = array.addObject();
            placements(one.putArray("from"), move.from());
            placements(one.putArray("to"), move.to());
        }
    }

    static void pods(ArrayNode array, Collection<PodId> pods) {
        texts(array, pods.stream().map(PodId::toString).toList());
    }

    /** Adds texts. */
    public static void texts(ArrayNode array, Collection<String> texts) {
        List.copyOf(texts).forEach(array::add);
    }
}
