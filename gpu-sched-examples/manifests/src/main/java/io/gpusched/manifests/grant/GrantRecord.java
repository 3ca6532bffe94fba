package io.gpusched.manifests.grant;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The grant of a pod as a text, version {@value #VERSION}:
 *
 * <pre>{@code
 * {"version":1,"node":"n1","containers":{
 *     "main":{"gpus":["GPU-0a","GPU-1b"]},
 *     "side":{"shares":[{"gpu":"GPU-2c","computeMillis":300,"memoryMib":4608,"slots":1}]}}}
 * }</pre>
 *
 * <p>A container that holds partitions has {@code {"partitions":[{"gpu":"GPU-0a","profile":"1g.10gb","start":4,"mode":""}]}},
 * one that holds the whole node has {@code {"wholeNode":8}}, the number of its GPUs; one without GPUs is left out.
 * GPUs are named by their identifier, so that a node whose GPUs are listed in another order is still read right. CPU and
 * memory are not part of it: the pod's own fields say what it has of them.
 *
 * <p>Reading is strict: another version, an unknown field or GPU, or an amount out of range is an error, never less than
 * what was granted.
 */
public final class GrantRecord {
    /** The version that is written, and the only one that is read. */
    public static final int VERSION = 1;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(com.fasterxml.jackson.core.StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final Node node;

    private GrantRecord(Node node) {
        this.node = node;
    }

    /** Returns the grant of a placement on this node. */
    public static String write(Placement placement, Node node) {
        ObjectNode record = JSON.createObjectNode();
        record.put("version", VERSION).put("node", placement.node());
        ObjectNode containers = record.putObject("containers");
        for (ContainerGrant grant : placement.containers()) {
            if (!(grant.gpus() instanceof GpuGrant.None)) {
                write(grant.gpus(), node, containers.putObject(grant.container()));
            }
        }
        return record.toString();
    }

    private static void write(GpuGrant grant, Node node, ObjectNode to) {
        if (grant instanceof GpuGrant.WholeNode whole) {
            to.put("wholeNode", whole.gpuCount());
        } else if (grant instanceof GpuGrant.Shared shared) {
            ArrayNode shares = to.putArray("shares");
            shared.shares()
                    .forEach(share -> shares.addObject()
                            .put("gpu", node.gpus().get(share.gpu()).uuid())
                            .put("computeMillis", share.computeMillis())
                            .put("memoryMib", share.memoryMib())
                            .put("slots", share.slots()));
        } else if (grant instanceof GpuGrant.Partitions cut) {
            ArrayNode partitions = to.putArray("partitions");
            cut.partitions()
                    .forEach(partition -> partitions
                            .addObject()
                            .put("gpu", node.gpus().get(partition.gpu()).uuid())
                            .put("profile", partition.profile())
                            .put("start", partition.start())
                            .put("mode", partition.mode()));
        } else {
            ArrayNode gpus = to.putArray("gpus");
            grant.indexes().forEach(gpu -> gpus.add(node.gpus().get(gpu).uuid()));
        }
    }

    /**
     * Returns what each container of a pod holds, in the pod's order.
     *
     * @param text the grant
     * @param pod the pod
     * @param node the node it runs on
     * @throws GrantException if the text is no grant of this version, or is not one of this pod on this node
     */
    public static List<ContainerGrant> read(String text, PodManifest pod, Node node) {
        JsonNode record = parse(text);
        only(record, "the grant", Set.of("version", "node", "containers"));
        if (!record.path("version").isInt() || record.path("version").intValue() != VERSION) {
            throw new GrantException("version must be " + VERSION + ", got " + record.path("version"));
        }
        if (!node.name().equals(record.path("node").textValue())) {
            throw new GrantException("node must be the pod's own, \"" + node.name() + "\", got " + record.path("node"));
        }
        return new GrantRecord(node).containers(record.path("containers"), pod);
    }

    private static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new GrantException("must be JSON: " + e.getOriginalMessage());
        }
    }

    private List<ContainerGrant> containers(JsonNode byName, PodManifest pod) {
        if (!byName.isObject()) {
            throw new GrantException("containers must be an object, got " + byName);
        }
        Set<String> unknown = new HashSet<>();
        byName.fieldNames().forEachRemaining(unknown::add);
        List<ContainerGrant> grants = new ArrayList<>();
        for (ContainerManifest container : pod.containers()) {
            GpuGrant held = unknown.remove(container.name())
                    ? grant(byName.get(container.name()), "container \"" + container.name() + "\"")
                    : GpuGrant.none();
            grants.add(new ContainerGrant(container.name(), container.kind(), held));
        }
        if (!unknown.isEmpty()) {
            throw new GrantException("the pod has no container " + unknown);
        }
        return grants;
    }

    private GpuGrant grant(JsonNode held, String what) {
        try {
            if (held.has("wholeNode")) {
                only(held, what, Set.of("wholeNode"));
                return new GpuGrant.WholeNode(number(held, "wholeNode", what));
            }
            if (held.has("partitions")) {
                only(held, what, Set.of("partitions"));
                return partitions(held.get("partitions"), what);
            }
            boolean parts = held.has("shares");
            only(held, what, Set.of(parts ? "shares" : "gpus"));
            return parts ? shares(held.get("shares"), what) : whole(held.path("gpus"), what);
        } catch (GrantException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new GrantException(what + ": " + e.getMessage());
        }
    }

    private GpuGrant whole(JsonNode gpus, String what) {
        List<Integer> indexes = new ArrayList<>();
        gpus.forEach(gpu -> indexes.add(index(gpu, what)));
        return new GpuGrant.Whole(indexes.stream().sorted().toList());
    }

    private GpuGrant shares(JsonNode parts, String what) {
        List<GpuShare> shares = new ArrayList<>();
        for (JsonNode part : parts) {
            only(part, what, Set.of("gpu", "computeMillis", "memoryMib", "slots"));
            shares.add(new GpuShare(
                    index(part.path("gpu"), what),
                    number(part, "computeMillis", what),
                    number(part, "memoryMib", what),
                    number(part, "slots", what)));
        }
        return new GpuGrant.Shared(
                shares.stream().sorted(Comparator.comparingInt(GpuShare::gpu)).toList());
    }

    private GpuGrant partitions(JsonNode parts, String what) {
        List<GpuPartition> partitions = new ArrayList<>();
        for (JsonNode part : parts) {
            only(part, what, Set.of("gpu", "profile", "start", "mode"));
            partitions.add(new GpuPartition(
                    index(part.path("gpu"), what),
                    part.path("profile").asText(),
                    number(part, "start", what),
                    part.path("mode").asText()));
        }
        return new GpuGrant.Partitions(partitions.stream().sorted().toList());
    }

    private int index(JsonNode uuid, String what) {
        return node.gpus().stream()
                .filter(gpu -> gpu.uuid().equals(uuid.textValue()))
                .mapToInt(Gpu::index)
                .findFirst()
                .orElseThrow(() -> new GrantException(what + ": node \"" + node.name() + "\" has no gpu " + uuid));
    }

    private static int number(JsonNode object, String field, String what) {
        if (!object.path(field).isInt()) {
            throw new GrantException(what + ": " + field + " must be a whole number, got " + object.path(field));
        }
        return object.path(field).intValue();
    }

    private static void only(JsonNode object, String what, Set<String> fields) {
        if (!object.isObject()) {
            throw new GrantException(what + " must be an object, got " + object);
        }
        object.fieldNames().forEachRemaining(field -> {
            if (!fields.contains(field)) {
                throw new GrantException(what + " has an unknown field \"" + field + "\"");
            }
        });
    }
}
