package io.gpusched.kubernetes.quota;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.gpusched.dialect.Quantity;
import io.gpusched.manifests.group.Fields;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.Quota;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one queue object in its vocabulary. */
final class QueueFields {
    /** Go's and T9k's: numbers with units, the greatest unit first. */
    private static final Pattern DURATION = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|y|w|d|h|m|s)");

    private static final BigDecimal UNLIMITED = BigDecimal.ONE.negate();

    private final QueueVocabulary vocabulary;
    private final ObjectMeta metadata;
    private final Fields spec;
    private final Fields status;
    private final QueueAmounts amounts = new QueueAmounts();
    private final List<String> unhonoured = new ArrayList<>();

    QueueFields(QueueVocabulary vocabulary, GenericKubernetesResource object) {
        this.vocabulary = vocabulary;
        this.metadata = object.getMetadata();
        Fields fields = Fields.of(object.getAdditionalProperties());
        this.spec = fields.at("spec");
        this.status = fields.at("status");
    }

    QueueSpec read() {
        try {
            QueueSpec read = switch (vocabulary) {
                case GPU_SCHED -> own();
                case VOLCANO -> volcano();
                case KAI -> kai();
                case T9K -> t9k();
                case NONE -> throw new IllegalArgumentException("no queue objects are read");
            };
            read.queue(); // the library takes it
            return read;
        } catch (IllegalArgumentException | InputException e) {
            return spec(
                    "",
                    Map.of(),
                    true,
                    false,
                    0,
                    NodeSelector.ANY,
                    NodeSelector.ANY,
                    Map.of(),
                    String.valueOf(e.getMessage()));
        }
    }

    private QueueSpec own() {
        spec.at("resources").entries().forEach((resource, quota) -> {
            amounts.deserved(resource, amount(quota.at("deserved")));
            amounts.limit(resource, amount(quota.at("limit")));
            amounts.weight(resource, weight(quota.at("overQuotaWeight"), 1));
        });
        ignored("guarantee", "nothing is kept free for a queue; state what it deserves");
        ignored("maxDuration", "a job is evicted for another alone");
        return spec(
                spec.at("parent").text(),
                quotas(),
                spec.at("preemptible").isTrueOr(true),
                spec.at("closed").isTrueOr(false),
                millis(spec.at("minRuntime")),
                selector(spec.at("nodeSelector")),
                selector(spec.at("namespaceSelector")),
                amounts(spec.at("maxShape")),
                "");
    }

    /** Its root queue stands for the cluster. A queue that states no amounts deserves a part by its weight. */
    private QueueSpec volcano() {
        long weight = weight(spec.at("weight"), 1);
        spec.at("guarantee").at("resource").entries().forEach((name, most) -> amounts.deserved(name, amount(most)));
        spec.at("deserved").entries().forEach((name, most) -> amounts.deserved(name, amount(most)));
        spec.at("capability").entries().forEach((name, most) -> amounts.limit(name, amount(most)));
        amounts.weights(weight);
        if (spec.at("guarantee").isPresent()) {
            unhonoured.add("spec.guarantee: it is deserved; nothing is kept free for it");
        }
        if (!List.of("", "traverse").contains(spec.at("dequeueStrategy").text())) {
            unhonoured.add("spec.dequeueStrategy: a waiting job does not stop the jobs behind it");
        }
        ignored("affinity", "name node groups by gpu-sched.io queues");
        ignored("extendClusters", "there is one cluster");
        ignored("type", "it has no meaning here");
        String parent = spec.at("parent").text();
        return spec(
                parent.equals("root") ? "" : parent,
                quotas(),
                spec.at("reclaimable").isTrueOr(true),
                List.of("Closed", "Closing").contains(status.at("state").text()),
                0,
                NodeSelector.ANY,
                NodeSelector.ANY,
                Map.of(),
                "");
    }

    /** GPUs in devices, CPU in milli, memory in megabytes; -1 for no bound. */
    private QueueSpec kai() {
        Fields resources = spec.at("resources");
        kai("gpu", resources.at("gpu"), BigDecimal.ONE);
        kai("cpu", resources.at("cpu"), new BigDecimal("0.001"));
        kai("memory", resources.at("memory"), new BigDecimal(1_000_000));
        Fields reclaim = spec.at("reclaimMinRuntime");
        Fields preempt = spec.at("preemptMinRuntime");
        long least = Math.max(millis(reclaim), millis(preempt));
        if (reclaim.isPresent() && preempt.isPresent() && millis(reclaim) != millis(preempt)) {
            unhonoured.add("spec.preemptMinRuntime, spec.reclaimMinRuntime: the longer holds for both");
        }
        return spec(
                spec.at("parentQueue").text(),
                quotas(),
                true,
                false,
                least,
                NodeSelector.ANY,
                NodeSelector.ANY,
                Map.of(),
                "");
    }

    private void kai(String resource, Fields quota, BigDecimal unit) {
        amounts.deserved(resource, scaled(amount(quota.at("quota")).orElse(BigDecimal.ZERO), unit));
        amounts.limit(resource, scaled(amount(quota.at("limit")).orElse(UNLIMITED), unit));
        amounts.weight(resource, weight(quota.at("overQuotaWeight"), 1));
    }

    private static Optional<BigDecimal> scaled(BigDecimal amount, BigDecimal unit) {
        return Optional.of(amount.signum() < 0 ? amount : amount.multiply(unit));
    }

    /** What its jobs ask for is theirs up to the quota; which users may use it is checked when a workload is created. */
    private QueueSpec t9k() {
        spec.at("quota").at("requests").entries().forEach((name, most) -> amounts.limit(name, amount(most)));
        ignored("namespaceSelector", "permission to use a queue is checked when a workload is created");
        ignored("maxDuration", "a job is evicted for another alone");
        ignored("resourceShapeProfile", "shapes are checked when a workload is created");
        return spec(
                "",
                amounts.quotas(unhonoured),
                spec.at("preemptible").isTrueOr(true),
                spec.at("closed").isTrueOr(false),
                0,
                selector(spec.at("nodeSelector")),
                NodeSelector.ANY,
                Map.of(),
                "");
    }

    private Map<QueueResource, Quota> quotas() {
        amounts.deserveNothing();
        return amounts.quotas(unhonoured);
    }

    private QueueSpec spec(
            String parent,
            Map<QueueResource, Quota> quotas,
            boolean preemptible,
            boolean closed,
            long minRuntime,
            NodeSelector nodes,
            NodeSelector namespaces,
            Map<String, BigDecimal> maxShape,
            String problem) {
        return new QueueSpec(
                vocabulary,
                metadata.getName(),
                Objects.requireNonNullElse(metadata.getUid(), ""),
                Objects.requireNonNullElse(metadata.getResourceVersion(), ""),
                Optional.of(parent).filter(name -> !name.isEmpty()),
                problem.isEmpty()
                        ? spec.at("priority").number(Integer.MIN_VALUE).orElse(0)
                        : 0,
                created(),
                quotas,
                preemptible,
                closed,
                minRuntime,
                nodes,
                namespaces,
                maxShape,
                unhonoured,
                problem);
    }

    /** The API server writes it. */
    private long created() {
        try {
            String text = Objects.requireNonNullElse(metadata.getCreationTimestamp(), "");
            return text.isEmpty() ? 0 : Instant.parse(text).toEpochMilli();
        } catch (DateTimeParseException e) {
            return 0;
        }
    }

    private void ignored(String field, String why) {
        if (spec.at(field).isPresent()) {
            unhonoured.add("spec." + field + ": " + why);
        }
    }

    private static Optional<BigDecimal> amount(Fields field) {
        return field.isPresent() ? Optional.of(quantity(field)) : Optional.empty();
    }

    private static BigDecimal quantity(Fields field) {
        try {
            String text = String.valueOf(field.value());
            return text.startsWith("-") ? UNLIMITED : Quantity.parse(text).value();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(field.path() + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, BigDecimal> amounts(Fields map) {
        Map<String, BigDecimal> amounts = new TreeMap<>();
        map.entries().forEach((name, most) -> amounts.put(name, quantity(most)));
        return amounts;
    }

    /** Weights may be fractions, which are taken in thousandths. */
    private static long weight(Fields field, int otherwise) {
        BigDecimal weight = amount(field).orElse(BigDecimal.valueOf(otherwise));
        return Math.min(Quota.MAX_WEIGHT, Math.max(0, weight.movePointRight(3).longValue()));
    }

    private static long millis(Fields field) {
        if (!field.isPresent()) {
            return 0;
        }
        String text = String.valueOf(field.value()).toLowerCase(Locale.ROOT);
        Matcher parts = DURATION.matcher(text);
        BigDecimal sum = BigDecimal.ZERO;
        int end = 0;
        while (parts.find() && parts.start() == end) {
            sum = sum.add(new BigDecimal(parts.group(1)).multiply(unit(parts.group(2))));
            end = parts.end();
        }
        if (end != text.length() && !text.equals("0")) {
            throw new IllegalArgumentException(
                    field.path() + " must be a duration such as 2h45m, got \"" + text + "\"");
        }
        return sum.longValue();
    }

    private static BigDecimal unit(String name) {
        Duration unit = switch (name) {
            case "ms" -> Duration.ofMillis(1);
            case "s" -> Duration.ofSeconds(1);
            case "m" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            case "d" -> Duration.ofDays(1);
            case "w" -> Duration.ofDays(7);
            default -> Duration.ofDays(365);
        };
        return BigDecimal.valueOf(unit.toMillis());
    }

    private static NodeSelector selector(Fields field) {
        List<NodeRequirement> requirements = new ArrayList<>();
        field.at("matchLabels")
                .entries()
                .forEach((key, value) -> requirements.add(NodeRequirement.in(key, String.valueOf(value.value()))));
        for (Fields one : field.at("matchExpressions").list()) {
            requirements.add(new NodeRequirement(
                    one.at("key").text(),
                    operator(one.at("operator")),
                    one.at("values").list().stream().map(Fields::text).toList()));
        }
        return NodeSelector.all(requirements.toArray(new NodeRequirement[0]));
    }

    private static NodeRequirement.Operator operator(Fields field) {
        return switch (field.text()) {
            case "In" -> NodeRequirement.Operator.IN;
            case "NotIn" -> NodeRequirement.Operator.NOT_IN;
            case "Exists" -> NodeRequirement.Operator.EXISTS;
            case "DoesNotExist" -> NodeRequirement.Operator.DOES_NOT_EXIST;
            default ->
                throw new IllegalArgumentException(
                        field.path() + " must be In, NotIn, Exists or DoesNotExist, got \"" + field.text() + "\"");
        };
    }
}
