package io.gpusched.cli;

import io.gpusched.json.ForeignPolicy;
import io.gpusched.manifests.dialect.DialectPolicies;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.queue.Backfill;
import io.gpusched.queue.QueueState;
import io.gpusched.replay.History;
import io.gpusched.replay.RecordedDecision.Rules;
import io.gpusched.replay.Variant;
import io.gpusched.replay.WhatIf;
import io.gpusched.simulator.policy.LibraryPolicies;
import io.gpusched.workload.Pod;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what is to be otherwise than it was in a history. */
final class HistoryChanges {
    private static final Pattern ADDED = Pattern.compile("([1-9][0-9]{0,3})@(.+)");
    private static final int MOST_NAMES = 8;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            description = "compare places by this policy: bin-pack, spread, fgd, default and so on")
    private @Nullable String policy;

    @Option(
            names = "--backfill",
            paramLabel = "RULE",
            description = "which jobs may start while a job before them waits: ${COMPLETION-CANDIDATES}")
    private @Nullable Backfill backfill;

    @Option(
            names = "--queues",
            paramLabel = "F.yaml",
            description = "other queues, in the form of simulate --cycle; every queue with jobs must be there")
    private @Nullable Path queues;

    @Option(
            names = "--nodes",
            paramLabel = "F",
            description = "other nodes: what kubectl printed, the library's own form or a CSV list; none of them fails")
    private @Nullable Path nodes;

    @Option(
            names = "--add",
            paramLabel = "N@NODE",
            split = ",",
            description = "as if there had been N more nodes like NODE")
    private List<String> added = new ArrayList<>();

    @Option(names = "--without", paramLabel = "NODE", split = ",", description = "as if these nodes had not been there")
    private List<String> without = new ArrayList<>();

    @Option(
            names = "--jar",
            paramLabel = "F.jar",
            description = "as another version of gpu-sched decides: the gpu-sched-cli.jar of its build or archive")
    private @Nullable Path jar;

    /** Returns the history in a folder, with the policies of dialects that it names. */
    static History open(Path folder) {
        return History.open(folder).withPolicies(DialectPolicies::named);
    }

    /** Returns what of it is in the files from a number on; all if there is none. */
    static History open(Path folder, @Nullable Integer from) {
        return from == null ? open(folder) : open(folder).from(from);
    }

    /** Returns a state with the policies of dialects that it names. */
    static QueueState named(QueueState state) {
        return state.withJobs(state.jobs().stream()
                .map(job -> job.spec()
                        .policy()
                        .filter(ForeignPolicy.class::isInstance)
                        .flatMap(policy -> DialectPolicies.named(policy.toString()))
                        .map(policy -> job.withSpec(
                                job.spec().toBuilder().policy(policy).build()))
                        .orElse(job))
                .toList());
    }

    /** Whether anything is to be otherwise. */
    boolean isAny() {
        return policy != null
                || backfill != null
                || queues != null
                || nodes != null
                || !added.isEmpty()
                || !without.isEmpty()
                || jar != null;
    }

    /** Returns the other version that is to decide, if there is one. */
    Optional<OtherVersion> version() {
        return Optional.ofNullable(jar).map(OtherVersion::of);
    }

    /** Returns these changes as options for the version that is to decide. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        add(arguments, "--policy", policy);
        add(arguments, "--backfill", backfill);
        add(arguments, "--queues", queues);
        add(arguments, "--nodes", nodes);
        added.forEach(each -> add(arguments, "--add", each));
        without.forEach(each -> add(arguments, "--without", each));
        return arguments;
    }

    private static void add(List<String> arguments, String option, @Nullable Object value) {
        if (value != null) {
            arguments.add(option + "=" + value);
        }
    }

    /**
     * Returns what settings say: {@code recorded}, or some of {@code policy=NAME,backfill=RULE,jar=FILE}.
     *
     * @throws IllegalArgumentException if a setting is not known
     */
    static HistoryChanges of(String settings) {
        HistoryChanges changes = new HistoryChanges();
        Set<String> said = new HashSet<>();
        for (String setting : settings.equals("recorded") ? new String[0] : settings.split(",", -1)) {
            int at = setting.indexOf('=');
            String name = at < 0 ? "" : setting.substring(0, at);
            String value = setting.substring(at + 1);
            if (!said.add(name)) {
                throw new IllegalArgumentException("settings must say " + name + " once, got \"" + settings + "\"");
            }
            switch (name) {
                case "policy", "backfill", "jar" -> changes.set(name, value);
                default ->
                    throw new IllegalArgumentException(
                            "settings must be recorded, or some of policy=NAME, backfill=RULE and jar=FILE with commas"
                                    + " between, got \"" + setting + "\"");
            }
        }
        return changes;
    }

    /** Sets what an option of this name says. */
    void set(String option, String value) {
        switch (option) {
            case "policy" -> policy = value;
            case "backfill" -> backfill = backfill(value);
            case "queues" -> queues = Path.of(value);
            case "nodes" -> nodes = Path.of(value);
            case "add" -> added.add(value);
            case "without" -> without.add(value);
            case "jar" -> jar = Path.of(value);
            default -> throw new IllegalStateException(option);
        }
    }

    private static Backfill backfill(String name) {
        try {
            return Backfill.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "backfill must be one of " + List.of(Backfill.values()) + ", got \"" + name + "\"", e);
        }
    }

    /**
     * Returns the rules that are to decide.
     *
     * @param pods what is usually asked, for policies that look at that
     */
    UnaryOperator<Rules> rules(Supplier<List<Pod>> pods) {
        return variant(List.of(), Optional.empty()).rules(name -> LibraryPolicies.of(name, pods, Variant.SEED));
    }

    /** Returns what is to be otherwise in a history that begins with a state. */
    WhatIf.Change change(QueueState begin, Supplier<List<Pod>> pods) {
        return variant(begin).change(name -> LibraryPolicies.of(name, pods, Variant.SEED));
    }

    /** Returns the same as a value. */
    Variant variant(QueueState begin) {
        Optional<List<Node>> others = Optional.ofNullable(nodes).map(ClusterFiles::nodes);
        List<Node> all = others.orElseGet(
                () -> begin.cluster().nodes().stream().map(NodeState::node).toList());
        Map<String, Node> known = new LinkedHashMap<>();
        all.forEach(node -> known.put(node.name(), node));
        return variant(more(known), others);
    }

    private Variant variant(List<Node> more, Optional<List<Node>> others) {
        if (policy != null) {
            LibraryPolicies.check(policy);
        }
        return new Variant(
                isAny() ? toString() : "as recorded",
                Optional.ofNullable(policy),
                Optional.ofNullable(backfill),
                Optional.ofNullable(queues).map(QueueFile::read),
                others,
                more,
                Set.copyOf(without));
    }

    private List<Node> more(Map<String, Node> known) {
        List<Node> more = new ArrayList<>();
        Set<String> names = new HashSet<>(known.keySet());
        for (String each : added) {
            Matcher matcher = ADDED.matcher(each);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "--add must be a number in 1..9999, @ and the name of a node, such as 2@gpu-7, got \"" + each
                                + "\"");
            }
            Node like = known.get(matcher.group(2));
            if (like == null) {
                throw new IllegalArgumentException("--add: there is no node \"" + matcher.group(2) + "\" "
                        + (nodes == null ? "where the history begins" : "in " + nodes) + "; there are "
                        + known.keySet().stream().limit(MOST_NAMES).toList());
            }
            int left = Integer.parseInt(matcher.group(1));
            for (int i = 1; left > 0; i++) {
                String name = like.name() + "-added-" + i;
                if (names.add(name)) {
                    more.add(copy(like, name));
                    left--;
                }
            }
        }
        return more;
    }

    private static Node copy(Node like, String name) {
        List<Gpu> gpus = like.gpus().stream()
                .map(gpu -> new Gpu(
                        gpu.index(),
                        name + "-gpu-" + gpu.index(),
                        gpu.model(),
                        gpu.computeMillis(),
                        gpu.memoryMib(),
                        gpu.slots(),
                        gpu.numaNode(),
                        true,
                        gpu.partitions()))
                .toList();
        return new Node(
                name,
                like.mode(),
                like.capacity(),
                like.maxPods(),
                like.labels(),
                like.taints(),
                like.topology(),
                gpus,
                like.links(),
                false,
                List.of());
    }

    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        words.add(policy == null ? "" : "policy " + policy);
        words.add(backfill == null ? "" : "backfill " + backfill.name().toLowerCase(Locale.ROOT));
        words.add(queues == null ? "" : "queues of " + queues.getFileName());
        words.add(nodes == null ? "" : "nodes of " + nodes.getFileName());
        added.forEach(each -> words.add("with " + each));
        words.add(without.isEmpty() ? "" : "without " + String.join(", ", without));
        words.add(jar == null ? "" : "by " + jar.getFileName());
        words.removeIf(String::isEmpty);
        return String.join(", ", words);
    }
}
