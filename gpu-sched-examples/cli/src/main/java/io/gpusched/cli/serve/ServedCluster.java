package io.gpusched.cli.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.analysis.Headroom;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.json.JsonFormat;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The cluster that is served, and what it is asked. Documents are those of {@link JsonFormat}; whatever stands beside the pod or
 * the group of a request is read here.
 *
 * <p>Thread-safe: one request is worked on at a time; a snapshot is taken for questions that change nothing.
 */
final class ServedCluster {
    private final GpuScheduler scheduler = GpuScheduler.create();
    private final Consumer<Cluster> keep;

    /** Tells this run of the service from others, so that no tag is ever used twice. */
    private final String run = UUID.randomUUID().toString().substring(0, 8);

    private Cluster cluster;
    private long changes;

    /**
     * Creates the service of a cluster.
     *
     * @param keep is given each new state before it is answered; what it throws leaves the state as it was
     */
    ServedCluster(Cluster cluster, Consumer<Cluster> keep) {
        this.cluster = cluster;
        this.keep = keep;
    }

    /** Returns the entity tag of the state of this moment: equal tags mean equal states. */
    synchronized String tag() {
        return "\"" + run + "-" + changes + "\"";
    }

    private void become(Cluster value) {
        keep.accept(value);
        cluster = value;
        changes++;
    }

    /** Returns the snapshot of this moment. */
    synchronized Cluster now() {
        return cluster;
    }

    /** Takes another cluster instead. */
    synchronized void replace(Cluster value) {
        become(value);
    }

    /** Decides about the pod or the group of a document, and applies what was decided. */
    synchronized String place(JsonNode request) {
        String text = request.toString();
        if (request.has("group")) {
            GroupDecision decision =
                    scheduler.schedule(cluster, JsonFormat.GROUP.strict().read(text));
            if (decision instanceof GroupPlaced placed) {
                become(cluster.withAll(placed.placements()));
            }
            return JsonFormat.GROUP_DECISION.write(decision);
        }
        Decision decision = scheduler.schedule(cluster, JsonFormat.POD.strict().read(text));
        if (decision instanceof Placed placed) {
            become(cluster.with(placed.placement()));
        }
        return JsonFormat.DECISION.write(decision);
    }

    /** Decides about the pod or the group of a document as if some pods were gone and some nodes cordoned; applies nothing. */
    synchronized String whatIf(JsonNode request) {
        Cluster imagined = imagined(request);
        String text = request.toString();
        if (request.has("group")) {
            PodGroup group = JsonFormat.GROUP.strict().read(text);
            return JsonFormat.GROUP_DECISION.write(scheduler.schedule(imagined, group));
        }
        return JsonFormat.DECISION.write(
                scheduler.schedule(imagined, JsonFormat.POD.strict().read(text)));
    }

    private Cluster imagined(JsonNode request) {
        Cluster imagined = cluster;
        for (String pod : texts(request, "without")) {
            imagined = imagined.without(running(imagined, pod).pod());
        }
        for (String node : texts(request, "cordoned")) {
            if (imagined.node(node).isEmpty()) {
                throw new HttpProblem(404, "cordoned: there is no node \"" + node + "\" in the cluster");
            }
            imagined = imagined.withCordoned(node, true);
        }
        return imagined;
    }

    /** Says why the pod of a document does not fit, on all nodes or on the one that is named. */
    synchronized Map<String, Object> explain(JsonNode request) {
        Pod pod = JsonFormat.POD.strict().read(request.toString());
        Optional<Diagnosis> why = request.has("node")
                ? scheduler.whyNot(cluster, node(request), pod)
                : refusal(scheduler.schedule(cluster, pod));
        Map<String, Object> answer = new TreeMap<>();
        answer.put("fits", why.isEmpty());
        why.ifPresent(diagnosis -> {
            answer.put("text", diagnosis.toString());
            answer.put("diagnosis", Documents.tree(JsonFormat.DIAGNOSIS.write(diagnosis), "diagnosis"));
        });
        return answer;
    }

    private String node(JsonNode request) {
        String name = request.path("node").asText();
        if (cluster.node(name).isEmpty()) {
            throw new HttpProblem(404, "node: there is no node \"" + name + "\" in the cluster");
        }
        return name;
    }

    private static Optional<Diagnosis> refusal(Decision decision) {
        return decision instanceof Unschedulable no ? Optional.of(no.diagnosis()) : Optional.empty();
    }

    /** Counts how many more of the pod of a document fit. */
    Map<String, Object> headroom(JsonNode request) {
        Headroom headroom = Headroom.of(now(), JsonFormat.POD.strict().read(request.toString()));
        Map<String, Object> answer = new TreeMap<>();
        answer.put("pods", headroom.pods());
        answer.put("exact", headroom.exact());
        answer.put("byNode", headroom.byNode());
        return answer;
    }

    /** Takes pods out that have ended, all or none. */
    synchronized Map<String, Object> release(JsonNode request) {
        if (!request.has("pods")) {
            throw HttpProblem.badRequest("pods must be a list of names, got none");
        }
        Cluster after = cluster;
        List<String> released = texts(request, "pods");
        for (String pod : released) {
            after = after.without(running(after, pod).pod());
        }
        become(after);
        return Map.of("released", released);
    }

    private static Placement running(Cluster cluster, String pod) {
        return cluster.placement(PodId.of(pod))
                .orElseThrow(() -> new HttpProblem(404, "no pod \"" + pod + "\" runs in the cluster"));
    }

    private static List<String> texts(JsonNode request, String field) {
        JsonNode list = request.path(field);
        if (!list.isMissingNode() && !list.isArray()) {
            throw HttpProblem.badRequest(field + " must be a list of names, got " + list);
        }
        List<String> texts = new ArrayList<>();
        list.forEach(item -> {
            if (!item.isTextual()) {
                throw HttpProblem.badRequest(field + " must be a list of names, got " + list);
            }
            texts.add(item.asText());
        });
        return texts;
    }
}
