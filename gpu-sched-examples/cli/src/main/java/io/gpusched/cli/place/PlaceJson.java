package io.gpusched.cli.place;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.decision.Amount;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Fact;
import io.gpusched.decision.Reason;
import io.gpusched.manifests.forecast.Start;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.workload.GpuRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Answers as JSON: an object for one, a list for several. */
final class PlaceJson {
    private static final ObjectMapper JSON = new ObjectMapper().addMixIn(NamedAmounts.class, AmountsByName.class);

    private PlaceJson() {}

    /** What has a place. */
    private record FoundJson(
            String subject,
            boolean placed,
            List<PlacementJson> placements,
            List<String> waiting,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, DiagnosisJson> reasons,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> warnings) {
        static FoundJson of(Answer.Found found) {
            List<PlacementJson> placements =
                    found.parts().stream().map(PlacementJson::of).toList();
            Map<String, DiagnosisJson> reasons = new LinkedHashMap<>();
            found.waiting()
                    .forEach(member ->
                            member.diagnosis().ifPresent(why -> reasons.put(member.pod(), DiagnosisJson.of(why))));
            return new FoundJson(
                    found.subject(),
                    true,
                    placements,
                    found.waiting().stream().map(Answer.Waiting::pod).toList(),
                    reasons,
                    found.warnings().stream().map(Fact::toString).toList());
        }
    }

    /** One pod and what the system writes for it. */
    private record PlacementJson(
            String pod,
            String node,
            long cpuMillis,
            long memoryMib,
            List<ContainerJson> containers,
            Map<String, Map<String, String>> environment,
            Map<String, String> annotations,
            Map<String, String> labels) {
        static PlacementJson of(Answer.Part part) {
            return new PlacementJson(
                    part.placement().pod().toString(),
                    part.placement().node(),
                    part.placement().resources().cpuMillis(),
                    part.placement().resources().memoryMib(),
                    part.placement().containers().stream()
                            .map(ContainerJson::of)
                            .toList(),
                    part.metadata().environment(),
                    part.metadata().annotations(),
                    part.metadata().labels());
        }
    }

    /** What a container holds; {@code shares} is there for parts of GPUs alone, {@code partitions} for hardware partitions. */
    private record ContainerJson(
            String name,
            String kind,
            List<Integer> gpus,
            boolean wholeNode,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<GpuShare> shares,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<GpuPartition> partitions) {
        static ContainerJson of(ContainerGrant grant) {
            List<GpuShare> shares = grant.gpus() instanceof GpuGrant.Shared shared ? shared.shares() : List.of();
            List<GpuPartition> partitions =
                    grant.gpus() instanceof GpuGrant.Partitions cut ? cut.partitions() : List.of();
            return new ContainerJson(
                    grant.container(),
                    grant.kind().name().toLowerCase(Locale.ROOT),
                    grant.gpus().indexes(),
                    grant.gpus() instanceof GpuGrant.WholeNode,
                    shares,
                    partitions);
        }
    }

    /** What has none; {@code nodes} holds the system's own words. */
    private record NoRoomJson(String subject, boolean placed, DiagnosisJson diagnosis, Map<String, String> nodes) {}

    /** Why. */
    private record DiagnosisJson(
            Certainty certainty, boolean couldFitLater, int nodes, RemedyJson remedy, List<ReasonJson> reasons) {
        static DiagnosisJson of(Diagnosis diagnosis) {
            return new DiagnosisJson(
                    diagnosis.certainty(),
                    diagnosis.couldFitLater(),
                    diagnosis.nodes(),
                    new RemedyJson(
                            diagnosis.remedy().toString(),
                            diagnosis.remedy().changes().stream()
                                    .map(PlaceJson::change)
                                    .toList()),
                    diagnosis.reasons().stream().map(ReasonJson::of).toList());
        }
    }

    /** One reason as data, and in words. */
    private record ReasonJson(
            Reason.Code code,
            int nodes,
            List<String> nodeNames,
            List<Amount> amounts,
            List<String> facts,
            List<String> asked,
            String detail) {
        static ReasonJson of(Reason reason) {
            return new ReasonJson(
                    reason.code(),
                    reason.nodes(),
                    reason.nodeNames(),
                    reason.amounts(),
                    reason.facts().stream().map(Fact::toString).toList(),
                    reason.gpus().stream().map(GpuRequest::toString).toList(),
                    reason.detail());
        }
    }

    /** What would help, in words and as data. */
    private record RemedyJson(String text, List<ObjectNode> changes) {}

    /** A change with its kind. */
    private static ObjectNode change(Change change) {
        ObjectNode json = JSON.createObjectNode().put("kind", change.getClass().getSimpleName());
        return json.setAll((ObjectNode) JSON.valueToTree(change));
    }

    /** Amounts as a map. */
    private interface AmountsByName {
        @JsonValue
        Map<String, Long> asMap();
    }

    /** When something starts. */
    private record StartJson(
            Start.Certainty certainty,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String at,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> nodes,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String reason) {
        static StartJson of(Start start) {
            return new StartJson(
                    start.certainty(), start.at().map(Instant::toString).orElse(""), start.nodes(), start.reason());
        }
    }

    /** What the system's rules forbid. */
    private record RefusedJson(boolean placed, String refused) {}

    /**
     * Returns the text.
     *
     * @param starts the start of each answer, or nothing
     */
    static String of(List<Answer> answers, List<Start> starts) throws JsonProcessingException {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            ObjectNode answer = JSON.valueToTree(json(answers.get(i)));
            if (!starts.isEmpty()) {
                answer.set("start", JSON.valueToTree(StartJson.of(starts.get(i))));
            }
            all.add(answer);
        }
        Object root = all.size() == 1 ? all.get(0) : all;
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }

    private static Object json(Answer answer) {
        if (answer instanceof Answer.Found found) {
            return FoundJson.of(found);
        }
        if (answer instanceof Answer.NoRoom none) {
            return new NoRoomJson(none.subject(), false, DiagnosisJson.of(none.diagnosis()), none.words());
        }
        return new RefusedJson(false, ((Answer.Refused) answer).rule());
    }
}
