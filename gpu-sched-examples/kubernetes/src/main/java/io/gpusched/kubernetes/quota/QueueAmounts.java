package io.gpusched.kubernetes.quota;

import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.Quota;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What a queue has of each resource, by the names that Kubernetes has for them, until it is made a quota. */
final class QueueAmounts {
    private static final BigDecimal MIB = BigDecimal.valueOf(1L << 20);
    private static final String OF_MODEL = "gpu/";

    /** Resources that count whole GPUs; a quota of several is a quota of GPUs. */
    private static final Set<String> WHOLE =
            Set.of("gpu", "nvidia.com/gpu", "amd.com/gpu", "tensorstack.dev/nvidia-gpu", "volcano.sh/gpu-number");

    /** Resources that count hundredths of GPUs. */
    private static final Set<String> PERCENT =
            Set.of("tensorstack.dev/nvidia-gpu-percent", "nano-gpu/gpu-percent", "volcano.sh/vgpu-cores");

    private final Map<String, BigDecimal> deserved = new TreeMap<>();
    private final Map<String, BigDecimal> limits = new TreeMap<>();
    private final Map<String, Long> weights = new HashMap<>();
    private long weight = 1_000;
    private boolean deservesNothing;

    void deserved(String resource, Optional<BigDecimal> amount) {
        amount.ifPresent(value -> deserved.merge(resource, value, QueueAmounts::greater));
    }

    private static BigDecimal greater(BigDecimal one, BigDecimal other) {
        return one.signum() < 0 || other.signum() < 0 ? BigDecimal.ONE.negate() : one.max(other);
    }

    void limit(String resource, Optional<BigDecimal> amount) {
        amount.ifPresent(value -> limits.put(resource, value));
    }

    void weight(String resource, long value) {
        weights.put(resource, value);
    }

    void weights(long value) {
        weight = value;
    }

    /** Of GPUs, CPU and memory it deserves nothing where nothing is stated, and takes its part of what is left over. */
    void deserveNothing() {
        deservesNothing = true;
    }

    /**
     * Returns the quotas.
     *
     * @param unhonoured where to name the resources that are not honoured
     */
    Map<QueueResource, Quota> quotas(List<String> unhonoured) {
        Map<QueueResource, Quota> quotas = new TreeMap<>();
        if (deservesNothing) {
            for (QueueResource resource : List.of(QueueResource.GPU, QueueResource.CPU, QueueResource.MEMORY)) {
                quotas.put(resource, new Quota(0, Quota.UNLIMITED, weight));
            }
        }
        Map<QueueResource, Long> most = new TreeMap<>();
        Map<QueueResource, Long> own = new TreeMap<>();
        deserved.forEach((name, amount) -> add(own, name, amount, unhonoured));
        limits.forEach((name, amount) -> add(most, name, amount, unhonoured));
        weights.forEach((name, value) -> resource(name)
                .ifPresent(resource -> quotas.put(
                        resource, quotas.getOrDefault(resource, nothing()).withOverQuotaWeight(value))));
        own.forEach((resource, amount) -> quotas.put(resource, deserving(quotas.get(resource), amount)));
        most.forEach((resource, amount) ->
                quotas.put(resource, quotas.getOrDefault(resource, nothing()).withLimit(amount)));
        return quotas;
    }

    private Quota nothing() {
        return new Quota(deservesNothing ? 0 : Quota.UNLIMITED, Quota.UNLIMITED, weight);
    }

    private Quota deserving(@org.jspecify.annotations.Nullable Quota before, long amount) {
        return new Quota(amount, Quota.UNLIMITED, before == null ? weight : before.overQuotaWeight());
    }

    private static void add(Map<QueueResource, Long> sums, String name, BigDecimal amount, List<String> unhonoured) {
        Optional<QueueResource> resource = resource(name);
        if (resource.isEmpty()) {
            String words = "resource " + name
                    + ": queues count whole GPUs, percent of GPUs, CPU, memory and resources by name";
            if (!unhonoured.contains(words)) {
                unhonoured.add(words);
            }
            return;
        }
        long value = amount.signum() < 0 ? Quota.UNLIMITED : scaled(name, amount);
        sums.merge(
                resource.get(),
                value,
                (one, other) -> one == Quota.UNLIMITED || other == Quota.UNLIMITED ? Quota.UNLIMITED : one + other);
    }

    private static Optional<QueueResource> resource(String name) {
        if (name.equals("cpu")) {
            return Optional.of(QueueResource.CPU);
        }
        if (name.equals("memory")) {
            return Optional.of(QueueResource.MEMORY);
        }
        if (WHOLE.contains(name) || PERCENT.contains(name)) {
            return Optional.of(QueueResource.GPU);
        }
        if (name.startsWith(OF_MODEL)) {
            return Optional.of(QueueResource.gpuModel(name.substring(OF_MODEL.length())));
        }
        return name.equals("pods") || Dialects.isDevice(name)
                ? Optional.empty()
                : Optional.of(QueueResource.named(name));
    }

    private static long scaled(String name, BigDecimal amount) {
        BigDecimal value = amount;
        if (name.equals("cpu") || WHOLE.contains(name) || name.startsWith(OF_MODEL)) {
            value = amount.movePointRight(3);
        } else if (PERCENT.contains(name)) {
            value = amount.movePointRight(1);
        } else if (name.equals("memory")) {
            value = amount.divide(MIB, 0, RoundingMode.FLOOR);
        }
        return value.min(BigDecimal.valueOf(Quota.MAX)).longValue();
    }
}
