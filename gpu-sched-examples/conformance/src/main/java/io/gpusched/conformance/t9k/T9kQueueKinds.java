package io.gpusched.conformance.t9k;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.Fields;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.dialect.Quantity;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.workload.NodeSelector;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The kinds of T9k's cases about queues. */
final class T9kQueueKinds {
    private static final BigDecimal MIB = BigDecimal.valueOf(1L << 20);

    private T9kQueueKinds() {}

    /** Memory is written without a unit, which is taken for MiB, so that no amount is rounded. */
    static ObjectNode queueOrder(VectorCase vector) {
        T9kCycle cycle = new T9kCycle();
        for (YamlNode queue : vector.given().need("queues").list()) {
            String name = queue.need("name").text();
            Map<String, BigDecimal> used = new TreeMap<>();
            Map<String, String> quota = new TreeMap<>();
            queue.at("share").map().forEach((resource, share) -> {
                String[] parts = share.text().split("/", -1);
                if (parts.length != 2) {
                    throw share.error("must be a fraction such as 3/8");
                }
                BigDecimal unit = resource.equals("memory") ? MIB : BigDecimal.ONE;
                used.put(resource, amount(share, parts[0]).multiply(unit));
                quota.put(resource, amount(share, parts[1]).multiply(unit).toPlainString());
            });
            cycle.queue(
                    name, Map.of("priority", queue.at("priority").integerOr(0), "quota", Map.of("requests", quota)));
            cycle.runs("held by " + name, name, 0, 0, used);
            cycle.waits(name, name, 0, 1, Map.of());
        }
        return Answers.object().set("order", Answers.texts(T9kCycle.started(cycle.planWithRoom())));
    }

    static JsonNode groupOrder(VectorCase vector) {
        T9kCycle cycle = new T9kCycle();
        for (YamlNode group : vector.given().need("groups").list()) {
            cycle.waits(
                    group.need("name").text(),
                    "default",
                    group.at("priority").integerOr(0),
                    group.need("created").number(),
                    Map.of("cpu", BigDecimal.ONE));
        }
        return Answers.object().set("order", Answers.texts(T9kCycle.started(cycle.planWithRoom())));
    }

    /** Who may use a queue is checked when a workload is created, by T9k itself; which nodes, by the queue as it is read. */
    static Outcome selector(VectorCase vector) {
        YamlNode namespaces = vector.given().at("namespaceSelector");
        boolean usable;
        if (namespaces.isPresent() || vector.request().has("namespaceLabels")) {
            usable = isPermitted(vector)
                    || namespaces.isPresent()
                            && Fields.labelSelector(namespaces)
                                    .matches(vector.request()
                                            .at("namespaceLabels")
                                            .texts());
        } else {
            YamlNode nodes = vector.given().at("nodeSelector");
            NodeSelector selector = nodes.isPresent() ? Fields.labelSelector(nodes) : NodeSelector.ANY;
            usable = selector.matches(vector.request().need("nodeLabels").texts());
        }
        return Fields.compareKnown(vector, Answers.emulated(Answers.object().put("usable", usable)));
    }

    private static boolean isPermitted(VectorCase vector) {
        for (YamlNode map : List.of(vector.given(), vector.request())) {
            for (Map.Entry<String, YamlNode> member : map.map().entrySet()) {
                if (member.getKey().startsWith("user") && member.getValue().kind() == YamlNode.Kind.TRUTH) {
                    return member.getValue().isTrue();
                }
            }
        }
        return false;
    }

    static Outcome admission(VectorCase vector) {
        YamlNode given = vector.given();
        Set<String> known =
                Set.of("closed", "quota", "allocated", "used", "requested", "resourceShape", "maxShape", "shape");
        for (String member : given.map().keySet()) {
            if (!known.contains(member)) {
                return Outcome.skipped("a case with given." + member + " is not known");
            }
        }
        YamlNode quota = given.at("quota").has("requests") ? given.at("quota").at("requests") : given.at("quota");
        Map<String, String> most = new TreeMap<>();
        amounts(quota).forEach((resource, amount) -> most.put(resource, amount.toPlainString()));
        T9kCycle cycle = new T9kCycle();
        cycle.queue("queue", Map.of("closed", given.at("closed").isTrueOr(false), "quota", Map.of("requests", most)));
        cycle.runs("held", "queue", 0, 0, amounts(firstOf(given, "allocated", "used", "requested")));
        Map<String, BigDecimal> requests = amounts(vector.request().need("requests"));
        cycle.waits("workload", "queue", 0, 1, requests);
        boolean accepted = cycle.queues().refusal("queue", Map.of(), Map::of).isEmpty()
                && isWithin(requests, amounts(firstOf(given, "resourceShape", "maxShape", "shape")))
                && T9kCycle.started(cycle.planWithRoom()).contains("workload");
        return Fields.compareKnown(vector, Answers.emulated(Answers.object().put("accepted", accepted)));
    }

    private static boolean isWithin(Map<String, BigDecimal> requests, Map<String, BigDecimal> shape) {
        return requests.entrySet().stream()
                .allMatch(request ->
                        request.getValue().compareTo(shape.getOrDefault(request.getKey(), request.getValue())) <= 0);
    }

    private static YamlNode firstOf(YamlNode map, String... names) {
        for (String name : names) {
            if (map.at(name).isPresent()) {
                return map.at(name);
            }
        }
        return map.at(names[0]);
    }

    private static Map<String, BigDecimal> amounts(YamlNode map) {
        Map<String, BigDecimal> amounts = new HashMap<>();
        map.map().forEach((resource, value) -> amounts.put(resource, amount(value, value.text())));
        return amounts;
    }

    private static BigDecimal amount(YamlNode field, String text) {
        try {
            return Quantity.parse(text).value();
        } catch (IllegalArgumentException e) {
            throw field.error(String.valueOf(e.getMessage()));
        }
    }

    static Outcome preemption(VectorCase vector) {
        YamlNode given = vector.given();
        T9kCycle cycle = new T9kCycle();
        for (YamlNode queue : given.need("queues").list()) {
            YamlNode quota = queue.at("quotaCpu");
            cycle.queue(
                    queue.need("name").text(),
                    Map.of(
                            "priority",
                            queue.need("priority").integer(),
                            "preemptible",
                            queue.at("preemptible").isTrueOr(true),
                            "quota",
                            Map.of("requests", quota.isPresent() ? Map.of("cpu", quota.text()) : Map.of())));
        }
        long created = 0;
        for (YamlNode pod : given.need("running").list()) {
            String name = pod.need("name").text();
            String queue = pod.need("queue").text();
            boolean lowest = name.equals(given.at("lowestPriorityPodOf" + queue).textOr(""));
            cycle.runs(name, queue, lowest ? -1 : pod.at("priority").integerOr(0), created++, cpu(pod.need("cpu")));
        }
        YamlNode pod = vector.request().need("pod");
        String asking = pod.need("name").text();
        cycle.waits(asking, pod.need("queue").text(), pod.at("priority").integerOr(0), created, cpu(pod.need("cpu")));
        Plan plan = cycle.plan(cpu(given.need("clusterCpu")));
        boolean isScheduled = T9kCycle.started(plan).contains(asking)
                || plan.nominations().stream().anyMatch(step -> step.job().equals(asking));
        ObjectNode answer = Answers.object().put("scheduled", isScheduled);
        List<String> names =
                plan.evictionsFor(asking).stream().map(PlanStep.Evict::job).toList();
        for (String word : List.of("victims", "preempted", "evicted", "deleted")) {
            answer.set(word, Answers.texts(names));
        }
        return Fields.compareKnown(vector, Answers.emulated(answer));
    }

    private static Map<String, BigDecimal> cpu(YamlNode field) {
        return Map.of("cpu", amount(field, field.text()));
    }
}
