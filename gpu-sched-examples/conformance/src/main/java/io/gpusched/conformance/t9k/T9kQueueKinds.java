package io.gpusched.conformance.t9k;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.Fields;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.emulation.T9kPreemption;
import io.gpusched.conformance.emulation.T9kQueue;
import io.gpusched.dialect.Quantity;
import io.gpusched.dialect.t9k.T9kPodGroup;
import io.gpusched.kubernetes.yaml.YamlNode;
import io.gpusched.workload.NodeSelector;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The kinds of T9k's cases about queues. */
final class T9kQueueKinds {
    private T9kQueueKinds() {}

    static ObjectNode queueOrder(VectorCase vector) {
        List<T9kQueue> queues = new ArrayList<>();
        for (YamlNode queue : vector.given().need("queues").list()) {
            Map<String, BigDecimal> used = new TreeMap<>();
            Map<String, BigDecimal> quota = new TreeMap<>();
            queue.at("share").map().forEach((resource, share) -> {
                String[] parts = share.text().split("/", -1);
                if (parts.length != 2) {
                    throw share.error("must be a fraction such as 3/8");
                }
                used.put(resource, amount(share, parts[0]));
                quota.put(resource, amount(share, parts[1]));
            });
            T9kQueue plain =
                    T9kQueue.of(queue.need("name").text(), queue.at("priority").integerOr(0));
            queues.add(plain.withQuota(quota, used));
        }
        ObjectNode answer = Answers.object();
        answer.set(
                "order",
                Answers.texts(queues.stream()
                        .sorted(T9kQueue.ORDER)
                        .map(T9kQueue::name)
                        .toList()));
        return answer;
    }

    static JsonNode groupOrder(VectorCase vector) {
        List<T9kPodGroup> groups = new ArrayList<>();
        for (YamlNode group : vector.given().need("groups").list()) {
            groups.add(new T9kPodGroup(
                    group.need("name").text(),
                    1,
                    Map.of(),
                    "default",
                    group.at("priority").integerOr(0),
                    group.need("created").number()));
        }
        ObjectNode answer = Answers.object();
        answer.set(
                "order",
                Answers.texts(groups.stream()
                        .sorted(T9kPodGroup.ORDER)
                        .map(T9kPodGroup::name)
                        .toList()));
        return answer;
    }

    static Outcome selector(VectorCase vector) {
        T9kQueue queue = T9kQueue.of("queue", 0)
                .withSelectors(
                        selector(vector.given().at("nodeSelector")),
                        selector(vector.given().at("namespaceSelector")));
        boolean aboutNamespaces =
                vector.given().has("namespaceSelector") || vector.request().has("namespaceLabels");
        boolean usable = aboutNamespaces
                ? queue.mayBeUsed(
                        isPermitted(vector),
                        vector.request().at("namespaceLabels").texts())
                : queue.mayUseNode(vector.request().need("nodeLabels").texts());
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

    private static @Nullable NodeSelector selector(YamlNode field) {
        return field.isPresent() ? Fields.labelSelector(field) : null;
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
        T9kQueue queue = T9kQueue.of("queue", 0)
                .withClosed(given.at("closed").isTrueOr(false))
                .withQuota(amounts(quota), amounts(firstOf(given, "allocated", "used", "requested")))
                .withMaxShape(amounts(firstOf(given, "resourceShape", "maxShape", "shape")));
        boolean accepted =
                queue.refusal(amounts(vector.request().need("requests"))).isEmpty();
        return Fields.compareKnown(vector, Answers.emulated(Answers.object().put("accepted", accepted)));
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
        Map<String, BigDecimal> held = new HashMap<>();
        List<T9kPreemption.Running> running = new ArrayList<>();
        BigDecimal free = BigDecimal.valueOf(given.need("clusterCpu").number());
        for (YamlNode pod : given.need("running").list()) {
            BigDecimal cpu = BigDecimal.valueOf(pod.need("cpu").number());
            String name = pod.need("name").text();
            String queue = pod.need("queue").text();
            boolean lowest = name.equals(given.at("lowestPriorityPodOf" + queue).textOr(""));
            int priority = lowest ? -1 : pod.at("priority").integerOr(0);
            running.add(new T9kPreemption.Running(name, queue, priority, Map.of("cpu", cpu)));
            held.merge(queue, cpu, BigDecimal::add);
            free = free.subtract(cpu);
        }
        Map<String, T9kQueue> queues = queues(given.need("queues"), held);
        YamlNode pod = vector.request().need("pod");
        BigDecimal asked = BigDecimal.valueOf(pod.need("cpu").number());
        Optional<List<T9kPreemption.Running>> victims = new T9kPreemption(queues, running)
                .victims(pod.need("queue").text(), Map.of("cpu", asked), Map.of("cpu", free));
        ObjectNode answer = Answers.object().put("scheduled", victims.isPresent());
        List<String> names = victims.orElse(List.of()).stream()
                .map(T9kPreemption.Running::name)
                .toList();
        for (String word : List.of("victims", "preempted", "evicted", "deleted")) {
            answer.set(word, Answers.texts(names));
        }
        return Fields.compareKnown(vector, Answers.emulated(answer));
    }

    private static Map<String, T9kQueue> queues(YamlNode list, Map<String, BigDecimal> held) {
        Map<String, T9kQueue> queues = new LinkedHashMap<>();
        for (YamlNode queue : list.list()) {
            String name = queue.need("name").text();
            T9kQueue plain = T9kQueue.of(name, queue.need("priority").integer())
                    .withPreemptible(queue.at("preemptible").isTrueOr(true));
            YamlNode quota = queue.at("quotaCpu");
            Map<String, BigDecimal> most =
                    quota.isPresent() ? Map.of("cpu", BigDecimal.valueOf(quota.number())) : Map.of();
            queues.put(name, plain.withQuota(most, Map.of("cpu", held.getOrDefault(name, BigDecimal.ZERO))));
        }
        return queues;
    }
}
