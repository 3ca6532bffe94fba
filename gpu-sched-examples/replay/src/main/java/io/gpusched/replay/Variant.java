package io.gpusched.replay;

import io.gpusched.json.JsonFormat;
import io.gpusched.model.Node;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.queue.Backfill;
import io.gpusched.queue.QueueTree;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What is otherwise than it was, as a value with a form in JSON, so that many can be played elsewhere. Immutable and thread-safe.
 *
 * @param name what it is called in a table
 * @param policy the name of the policy by which places are compared
 * @param backfill which jobs may start while a job before them waits
 * @param queues the queues, instead of those that were recorded
 * @param nodes the nodes, instead of those that were recorded; none of them fails
 * @param added nodes that are there in addition
 * @param without names of nodes that are not there
 */
public record Variant(
        String name,
        Optional<String> policy,
        Optional<Backfill> backfill,
        Optional<QueueTree> queues,
        Optional<List<Node>> nodes,
        List<Node> added,
        Set<String> without) {
    /** How a variant is written. */
    public static final JsonFormat<Variant> FORMAT = JsonFormat.of("variant", Variant.class);

    /** What policies draw by that do so. */
    public static final long SEED = 42;

    private static final List<String> COLUMNS = List.of(
            "variant",
            "digest",
            "started",
            "not_started",
            "mean_wait_minutes",
            "median_wait_minutes",
            "p95_wait_minutes",
            "evicted_pods",
            "lost_gpu_hours",
            "gpus",
            "used_gpus",
            "stranded_gpus",
            "promised_starts",
            "kept_starts");
    private static final int DIGEST_BYTES = 8;
    private static final double MINUTE_SECONDS = 60;
    private static final double GPU_HOUR_SECONDS = 3_600_000;

    /** Copies the collections. */
    public Variant {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(backfill, "backfill");
        Objects.requireNonNull(queues, "queues");
        nodes = nodes.map(List::copyOf);
        added = List.copyOf(added);
        without = Set.copyOf(without);
    }

    /**
     * Returns the rules that decide, given those that were recorded.
     *
     * @param policies returns the policy of a name
     */
    public UnaryOperator<RecordedDecision.Rules> rules(Function<String, PlacementPolicy> policies) {
        Objects.requireNonNull(policies, "policies");
        return given -> {
            RecordedDecision.Rules rules =
                    policy.map(policies).map(given::withPolicy).orElse(given);
            return backfill.map(value -> rules.withSettings(rules.settings().withBackfill(value)))
                    .orElse(rules);
        };
    }

    /**
     * Returns what {@link WhatIf} plays.
     *
     * @param policies returns the policy of a name
     */
    public WhatIf.Change change(Function<String, PlacementPolicy> policies) {
        return new WhatIf.Change(rules(policies), queues, nodes, added, without);
    }

    /** Returns the names of the columns of a table of variants, the name of the variant first. */
    public static List<String> columns() {
        return COLUMNS;
    }

    private List<String> row(String digest, Outcome outcome, long unitsPerSecond) {
        Outcome.Waits waits = outcome.waits(job -> true);
        double minute = MINUTE_SECONDS * unitsPerSecond;
        return List.of(
                name,
                digest,
                String.valueOf(waits.started()),
                String.valueOf(waits.open()),
                String.valueOf(waits.mean() / minute),
                String.valueOf(waits.median() / minute),
                String.valueOf(waits.p95() / minute),
                String.valueOf(outcome.evictions()),
                String.valueOf(outcome.lostGpuTime() / (GPU_HOUR_SECONDS * unitsPerSecond)),
                String.valueOf(outcome.gpus()),
                String.valueOf(outcome.usedGpus()),
                String.valueOf(outcome.strandedGpus()),
                String.valueOf(outcome.promised(job -> true)),
                String.valueOf(outcome.kept(job -> true)));
    }

    /**
     * Plays this variant.
     *
     * @param policies returns the policy of a name
     * @param digest what tells it from others, see {@link #digests}
     * @return the row of a table with these {@linkplain #columns columns}
     */
    public List<String> play(Past past, Function<String, PlacementPolicy> policies, String digest) {
        return row(digest, WhatIf.play(past, change(policies), any -> {}), past.unitsPerSecond());
    }

    /** Returns the digests of variants of a history by their names. */
    public static Map<String, String> digests(History history, Map<String, Variant> variants) {
        String files = history.digest();
        Map<String, String> digests = new TreeMap<>();
        variants.forEach((name, variant) -> digests.put(name, digest(files + FORMAT.write(variant))));
        return digests;
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /**
     * Returns the name of the variant that a row is of.
     *
     * @param digests the digests by name of the variants that are played now
     * @throws IllegalArgumentException if it was played of another history, or had other queues or nodes
     */
    public static String played(List<String> row, Map<String, String> digests) {
        String name = row.get(0);
        if (!row.get(1).equals(digests.getOrDefault(name, row.get(1)))) {
            throw new IllegalArgumentException("variant \"" + name + "\" was played of another history, or with other"
                    + " queues or nodes\nMaybe write to another file.");
        }
        return name;
    }

    /**
     * Returns the variants by name.
     *
     * @throws IllegalArgumentException if there is none, or two have the same name
     */
    public static Map<String, Variant> byName(Collection<Variant> variants) {
        Map<String, Variant> byName = new TreeMap<>();
        for (Variant variant : variants) {
            if (byName.put(variant.name, variant) != null) {
                throw new IllegalArgumentException(
                        "variants must have different names, got two \"" + variant.name + "\"");
            }
        }
        if (byName.isEmpty()) {
            throw new IllegalArgumentException("variants: at least one is needed");
        }
        return byName;
    }
}
