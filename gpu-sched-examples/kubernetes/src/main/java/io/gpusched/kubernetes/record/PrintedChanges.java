package io.gpusched.kubernetes.record;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.kubernetes.watch.ClusterWatch;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.group.HyperNodes;
import io.gpusched.manifests.objects.ModelMapper;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.PodId;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@code kubectl get --watch -o json} printed: objects one after the other, as they are, in lists, or with
 * {@code --output-watch-events} in events, which alone say that an object is gone. Kinds on which no decision depends are passed over.
 */
final class PrintedChanges {
    private static final ObjectMapper MAPPER = ModelMapper.ofServer();

    private static final Map<String, Class<? extends HasMetadata>> VOLUMES = Map.of(
            "PersistentVolume", PersistentVolume.class,
            "PersistentVolumeClaim", PersistentVolumeClaim.class,
            "StorageClass", StorageClass.class,
            "CSINode", CSINode.class);

    private static final String LIST = "List";
    private static final int LONGEST_QUOTE = 40;

    private final String name;
    private final QueueVocabulary queues;
    private final @Nullable LongSupplier clock;
    private final Consumer<String> notes;
    private long time;

    /**
     * A reader of one stream.
     *
     * @param name what it is called in errors
     * @param clock what says when something happened; null for the newest time that an object names
     * @param notes hears of objects that cannot be read
     */
    PrintedChanges(String name, QueueVocabulary queues, @Nullable LongSupplier clock, Consumer<String> notes) {
        this.name = name;
        this.queues = queues;
        this.clock = clock;
        this.notes = notes;
    }

    /**
     * Reads a stream to its end; an object that is cut off there is left out.
     *
     * @throws IllegalArgumentException if it is not what kubectl prints
     */
    void read(InputStream in, Consumer<SeenChange> each) throws IOException {
        try (MappingIterator<JsonNode> objects =
                MAPPER.readerFor(JsonNode.class).readValues(toItsEnd(in))) {
            while (objects.hasNextValue()) {
                JsonNode object = objects.nextValue();
                if (!object.isObject()) {
                    throw new IllegalArgumentException(name + ", line " + line(objects)
                            + ": must be objects as kubectl get --watch -o json prints them, got " + brief(object));
                }
                event(object, each);
            }
        } catch (JsonEOFException e) {
            notes.accept(name + ": the last object is cut off, and left out");
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new IllegalArgumentException(
                    name + ", line " + line + ": must be objects as kubectl get --watch -o json prints them: "
                            + e.getOriginalMessage(),
                    e);
        }
    }

    /** A compressed file that is cut off ends where it can be read no further. */
    private static InputStream toItsEnd(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                try {
                    return super.read(bytes, from, length);
                } catch (EOFException e) {
                    return -1;
                }
            }
        };
    }

    private static int line(MappingIterator<?> objects) {
        return objects.getParser().currentLocation().getLineNr();
    }

    private static String brief(JsonNode node) {
        String text = node.toString();
        return text.substring(0, Math.min(text.length(), LONGEST_QUOTE));
    }

    private void event(JsonNode event, Consumer<SeenChange> each) {
        String type = event.path("type").asText("");
        JsonNode object = event.path("object");
        if (type.equals("ERROR")) {
            notes.accept(name + ": the watch ended: " + object.path("message").asText(""));
        } else if (type.isEmpty() || !object.isObject()) {
            object(event, "", "", false, each);
        } else if (!type.equals("BOOKMARK")) {
            object(object, "", "", type.equals("DELETED"), each);
        }
    }

    /** Reads an object; what is in a list of one kind may leave out its kind and version. */
    private void object(JsonNode object, String listed, String listedApi, boolean isGone, Consumer<SeenChange> each) {
        String kind = object.path("kind").asText(listed);
        String api = object.path("apiVersion").asText(listedApi);
        if (kind.endsWith(LIST) && object.path("items").isArray()) {
            String of = kind.substring(0, kind.length() - LIST.length());
            object.path("items").forEach(item -> object(item, of, of.isEmpty() ? "" : api, isGone, each));
            return;
        }
        String called = object.path("metadata").path("name").asText("");
        if (kind.isEmpty() || api.isEmpty()) {
            notes.accept(name + ": an object" + (called.isEmpty() ? "" : " \"" + called + "\"") + " has no "
                    + (kind.isEmpty() ? "kind" : "apiVersion") + ", and is left out");
            return;
        }
        time = Math.max(time, clock == null ? Times.newest(object) : clock.getAsLong());
        try {
            change(api, kind, called, object, isGone).ifPresent(change -> each.accept(new SeenChange(time, change)));
        } catch (JsonProcessingException | RuntimeException e) {
            notes.accept(name + ": " + kind + " \"" + called + "\" cannot be read and is left out: " + e.getMessage());
        }
    }

    private Optional<Change> change(String api, String kind, String called, JsonNode object, boolean isGone)
            throws JsonProcessingException {
        if (api.equals("v1") && kind.equals("Node")) {
            return Optional.of(isGone ? new Change.NodeGone(called) : new Change.NodePut(as(object, Node.class)));
        }
        if (api.equals("v1") && kind.equals("Namespace")) {
            return Optional.of(
                    isGone ? new Change.NamespaceGone(called) : new Change.NamespacePut(as(object, Namespace.class)));
        }
        if (api.equals("v1") && kind.equals("Pod")) {
            return Optional.of(pod(as(object, Pod.class), isGone));
        }
        if (api.startsWith("scheduling.k8s.io/") && kind.equals("PriorityClass")) {
            return Optional.of(
                    isGone ? new Change.PriorityGone(called) : new Change.PriorityPut(as(object, PriorityClass.class)));
        }
        Class<? extends HasMetadata> volume = VOLUMES.get(kind);
        if (volume != null && (api.equals("v1") || api.startsWith("storage.k8s.io/"))) {
            HasMetadata it = as(object, volume);
            return Optional.of(isGone ? new Change.VolumeGone(it) : new Change.VolumePut(it));
        }
        return custom(api, kind, called, object, isGone);
    }

    private Optional<Change> custom(String api, String kind, String called, JsonNode object, boolean isGone)
            throws JsonProcessingException {
        if (api.startsWith("policy/") && kind.equals("PodDisruptionBudget")) {
            PodDisruptionBudget it = as(object, PodDisruptionBudget.class);
            return Optional.of(isGone ? new Change.BudgetGone(it) : new Change.BudgetPut(it));
        }
        if (api.startsWith("resource.k8s.io/") && ClusterWatch.isOfDevices(kind)) {
            YamlNode it = YamlReader.parse(kind, object.toString()).get(0);
            return Optional.of(isGone ? new Change.DevicesGone(it) : new Change.DevicesPut(it, true));
        }
        if (kind.equals("PodGroup") && GroupVocabulary.ofApi(api).isPresent()) {
            GroupVocabulary vocabulary = GroupVocabulary.ofApi(api).get();
            GenericKubernetesResource it = as(object, GenericKubernetesResource.class);
            return Optional.of(
                    isGone
                            ? new Change.GroupGone(
                                    new GroupKey(vocabulary, it.getMetadata().getNamespace(), called))
                            : new Change.GroupPut(
                                    vocabulary.read(it),
                                    GroupVocabulary.status(it),
                                    String.valueOf(it.getMetadata().getResourceVersion())));
        }
        if (kind.equals("Queue") && api.equals(queues.apiVersion())) {
            return Optional.of(
                    isGone
                            ? new Change.QueueGone(called)
                            : new Change.QueuePut(queues.read(as(object, GenericKubernetesResource.class))));
        }
        if (kind.equals("HyperNode") && api.startsWith(HyperNodes.API_GROUP + "/")) {
            return Optional.of(
                    isGone
                            ? new Change.HyperNodeGone(called)
                            : new Change.HyperNodePut(as(object, GenericKubernetesResource.class)));
        }
        return Optional.empty();
    }

    private static <T> T as(JsonNode object, Class<T> type) throws JsonProcessingException {
        return MAPPER.treeToValue(object, type);
    }

    private static Change pod(Pod pod, boolean isGone) {
        String namespace = Objects.requireNonNullElse(pod.getMetadata().getNamespace(), PodId.DEFAULT_NAMESPACE);
        return isGone
                ? new Change.PodGone(
                        new PodId(namespace, pod.getMetadata().getName()),
                        pod.getMetadata().getUid())
                : new Change.PodPut(pod);
    }

    /** When something happened to an object, as far as it says. */
    private static final class Times {
        /** The newest time that it names of itself, in milliseconds since 1970; 0 if it names none. */
        static long newest(JsonNode object) {
            JsonNode metadata = object.path("metadata");
            long newest = Math.max(millis(metadata.path("creationTimestamp")), within(object.path("status")));
            long due = millis(metadata.path("deletionTimestamp"));
            if (due > 0) {
                long grace = metadata.path("deletionGracePeriodSeconds").asLong(0);
                newest = Math.max(newest, due - 1_000 * grace);
            }
            for (JsonNode field : metadata.path("managedFields")) {
                newest = Math.max(newest, millis(field.path("time")));
            }
            return newest;
        }

        private static long within(JsonNode node) {
            long newest = millis(node);
            for (JsonNode part : node) {
                newest = Math.max(newest, within(part));
            }
            return newest;
        }

        private static long millis(JsonNode node) {
            if (!node.isTextual()
                    || node.textValue().length() < 20
                    || node.textValue().charAt(10) != 'T') {
                return 0;
            }
            try {
                return Instant.parse(node.textValue()).toEpochMilli();
            } catch (DateTimeParseException e) {
                return 0;
            }
        }
    }
}
