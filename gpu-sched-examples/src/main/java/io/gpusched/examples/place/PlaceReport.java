package io.gpusched.examples.place;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.decision.Diagnosis;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** Prints answers for a person or for a machine. */
final class PlaceReport {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private PlaceReport() {}

    static void print(PrintWriter out, List<Answer> answers) {
        for (Answer answer : answers) {
            if (answer instanceof Answer.Found found) {
                out.println("placed " + found.subject());
                found.parts().forEach(part -> print(out, part));
                found.waiting().forEach(pod -> out.println("  pod " + pod + " waits"));
            } else if (answer instanceof Answer.NoRoom none) {
                out.println("not placed: " + none.diagnosis());
                none.words().forEach((node, reason) -> out.println("  " + node + ": " + reason));
            } else if (answer instanceof Answer.Refused refused) {
                out.println("refused: " + refused.rule());
            }
        }
    }

    private static void print(PrintWriter out, Answer.Part part) {
        out.println("  pod " + part.placement().pod() + " on "
                + part.placement().node() + ", " + part.placement().resources());
        part.placement().containers().forEach(grant -> out.println("    " + describe(grant)));
        part.writing()
                .environment()
                .forEach((container, values) -> values.forEach(
                        (name, value) -> out.println("    environment of " + container + ": " + name + "=" + value)));
        part.writing().annotations().forEach((name, value) -> out.println("    annotation " + name + "=" + value));
        part.writing().labels().forEach((name, value) -> out.println("    label " + name + "=" + value));
    }

    private static String describe(ContainerGrant grant) {
        return grant.toString();
    }

    static void printJson(PrintWriter out, List<Answer> answers) throws JsonProcessingException {
        ArrayNode list = MAPPER.createArrayNode();
        answers.forEach(answer -> describe(list.addObject(), answer));
        Object root = list.size() == 1 ? list.get(0) : list;
        out.println(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root));
    }

    private static void describe(ObjectNode json, Answer answer) {
        if (answer instanceof Answer.Found found) {
            json.put("subject", found.subject()).put("placed", true);
            ArrayNode placements = json.putArray("placements");
            found.parts().forEach(part -> describe(placements.addObject(), part));
            ArrayNode waiting = json.putArray("waiting");
            found.waiting().forEach(waiting::add);
        } else if (answer instanceof Answer.NoRoom none) {
            json.put("subject", none.subject()).put("placed", false);
            describe(json.putObject("diagnosis"), none.diagnosis());
            put(json.putObject("nodes"), none.words());
        } else if (answer instanceof Answer.Refused refused) {
            json.put("placed", false).put("refused", refused.rule());
        }
    }

    private static void describe(ObjectNode json, Diagnosis diagnosis) {
        json.put("certainty", diagnosis.certainty().name()).put("couldFitLater", diagnosis.couldFitLater());
        json.put("nodes", diagnosis.nodes()).put("remedy", diagnosis.remedy().toString());
        ArrayNode reasons = json.putArray("reasons");
        diagnosis
                .reasons()
                .forEach(reason -> reasons.addObject()
                        .put("code", reason.code().name())
                        .put("nodes", reason.nodes())
                        .put("detail", reason.detail()));
    }

    private static void describe(ObjectNode json, Answer.Part part) {
        json.put("pod", part.placement().pod().toString())
                .put("node", part.placement().node());
        json.put("cpuMillis", part.placement().resources().cpuMillis());
        json.put("memoryMib", part.placement().resources().memoryMib());
        ArrayNode containers = json.putArray("containers");
        part.placement().containers().forEach(grant -> describe(containers.addObject(), grant));
        ObjectNode environment = json.putObject("environment");
        part.writing().environment().forEach((name, values) -> put(environment.putObject(name), values));
        put(json.putObject("annotations"), part.writing().annotations());
        put(json.putObject("labels"), part.writing().labels());
    }

    private static void describe(ObjectNode json, ContainerGrant grant) {
        json.put("name", grant.container()).put("init", grant.init());
        ArrayNode gpus = json.putArray("gpus");
        grant.gpus().indexes().forEach(gpus::add);
        json.put("wholeNode", grant.gpus() instanceof GpuGrant.WholeNode);
        if (grant.gpus() instanceof GpuGrant.Shared shared) {
            ArrayNode shares = json.putArray("shares");
            for (GpuShare share : shared.shares()) {
                shares.addObject()
                        .put("gpu", share.gpu())
                        .put("computeMillis", share.computeMillis())
                        .put("memoryMib", share.memoryMib())
                        .put("slots", share.slots());
            }
        }
    }

    private static void put(ObjectNode json, Map<String, String> values) {
        values.forEach(json::put);
    }
}
