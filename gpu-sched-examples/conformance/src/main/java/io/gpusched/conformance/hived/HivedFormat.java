package io.gpusched.conformance.hived;

import io.gpusched.conformance.CaseResult;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorFormat;
import io.gpusched.decision.CyclePass;
import io.gpusched.decision.Plan;
import io.gpusched.decision.PlanStep;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Node;
import io.gpusched.workload.CycleState;
import io.gpusched.workload.Job;
import io.gpusched.workload.Queue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Files of {@code "schema": "gpu-sched-hived/1"}: requests put to a real HiveD. Each first request of a gang, and each of a gang for which
 * others have to leave, is a case; its answer must be of the same kind: bind, preempt, wait or refused. Which cells are bound is policy; the
 * sequence goes on with those that HiveD bound. In all cases, whoever is evicted must not run in cells of its queue, or for higher
 * priority in the same one.
 */
public final class HivedFormat implements VectorFormat {
    private static final String SCHEMA = "gpu-sched-hived/1";
    private static final int MOST_PRIORITY = 1_000;

    /** A place is held where others end already: HiveD calls that to wait or to preempt, by whether their priority is lower. */
    private static final String HELD = "held";

    @Override
    public boolean matches(YamlNode root) {
        return root.has("schema") && root.at("schema").textOr("").equals(SCHEMA);
    }

    @Override
    public List<CaseResult> run(YamlNode root) {
        List<CaseResult> results = new ArrayList<>();
        for (YamlNode sequence : root.need("sequences").list()) {
            play(root.need("configs"), sequence, results);
        }
        return results;
    }

    private static void play(YamlNode configs, YamlNode sequence, List<CaseResult> results) {
        HivedWorld world = world(configs, sequence.need("config").text());
        int number = 0;
        for (YamlNode event : sequence.need("events").list()) {
            String id = sequence.need("id").text() + "/" + number++;
            switch (event.need("op").text()) {
                case "schedule" -> schedule(world, sequence, event, id, results);
                case "nodeBad" -> world.health(event.need("node").text(), false);
                case "nodeHealthy" -> world.health(event.need("node").text(), true);
                case "reconfigure" ->
                    world = world(configs, event.need("config").text());
                default -> {}
            }
            world.follow(event.at("after"));
        }
    }

    private static HivedWorld world(YamlNode configs, String name) {
        return new HivedWorld(new HivedConfig(configs.need(name)));
    }

    private static void schedule(
            HivedWorld world, YamlNode sequence, YamlNode event, String id, List<CaseResult> results) {
        YamlNode request = event.need("request");
        String group = request.need("group").need("name").text();
        if (world.has(group) && !world.isWaiting(group)) {
            return; // another pod of a gang that runs: with us it started with the others
        }
        YamlNode result = event.need("result");
        String expected = result.need("kind").text();
        boolean isAsserted = event.has("asserted");
        Outcome outcome;
        try {
            Answer answer = answer(world, sequence, event, group, request);
            outcome = answer.violation().isEmpty()
                    ? compare(world, request, expected, answer, isAsserted)
                    : Outcome.failed("$.victims", "nobody in cells of its queue", answer.violation());
        } catch (IllegalArgumentException | IllegalStateException e) {
            outcome = Outcome.failed("$", "an answer", e.toString());
        }
        results.add(new CaseResult(id, "hived", isAsserted ? "asserted" : "recorded", "match", outcome));
        world.ask(group, request);
    }

    private static Outcome compare(
            HivedWorld world, YamlNode request, String expected, Answer answer, boolean isAsserted) {
        String actual = answer.kind();
        if (expected.equals(actual)) {
            return Outcome.passed();
        }
        if (actual.equals(HELD) && (expected.equals("wait") || expected.equals("preempt"))) {
            return Outcome.passed("waits for those who end already");
        }
        if (!isAsserted
                && expected.equals("preempt")
                && answer.demoted().stream().anyMatch(world::isNotLazy)) {
            return Outcome.skipped("policy of lower priorities: evicted in HiveD, go on outside their cells here");
        }
        String differs = expected + " in HiveD, " + actual + " here";
        if (!isAsserted && world.isAnyBad()) {
            return Outcome.skipped("policy where nodes are bad: " + differs);
        }
        if (!isAsserted && request.need("priority").integer() < 0) {
            return Outcome.skipped("policy of opportunistic jobs: " + differs);
        }
        return Outcome.failed("$.result.kind", expected, actual);
    }

    /**
     * What we answer.
     *
     * @param violation who is evicted who must not be; empty if nobody is
     * @param demoted the jobs that give up their cells and go on
     */
    private record Answer(String kind, String violation, Set<String> demoted) {}

    private static Answer answer(HivedWorld world, YamlNode sequence, YamlNode event, String group, YamlNode request) {
        if (isRefused(world, request)) {
            return new Answer("userError", "", Set.of());
        }
        Set<String> suggested = suggested(world, event, request);
        if (world.isWaiting(group) && !world.isLost(group, suggested)) {
            CycleState state = world.state(null);
            return judge(state, world.plan(state, Set.of(CyclePass.ALLOCATE)), group);
        }
        boolean isByRight = request.need("priority").integer() >= 0;
        Answer answer = new Answer("wait", "", Set.of());
        for (Set<String> models : models(world, sequence, request)) {
            Job job = HivedWorld.job(group, request, models, suggested);
            CycleState state = world.state(job);
            Plan plan = world.plan(state, Set.of(isByRight ? CyclePass.GUARANTEE : CyclePass.ALLOCATE));
            answer = judge(state, plan, group);
            if (!answer.kind().equals("wait")) {
                return answer;
            }
        }
        return answer;
    }

    private static Job known(Map<String, Job> jobs, String name) {
        return Objects.requireNonNull(jobs.get(name), name);
    }

    private static Answer judge(CycleState state, Plan plan, String group) {
        Map<String, Job> jobs = new HashMap<>();
        state.jobs().forEach(job -> jobs.put(job.name(), job));
        String violation = "";
        for (PlanStep.Evict step : plan.evictions()) {
            Job victim = known(jobs, step.job());
            Job other = known(jobs, group);
            boolean isRightful = victim.cells().isEmpty()
                    || victim.queue().equals(other.queue()) && victim.priority() < other.priority();
            violation = isRightful ? violation : step.toString();
        }
        Job after = plan.after().jobs().stream()
                .filter(job -> job.name().equals(group))
                .findFirst()
                .orElseThrow();
        Set<String> demoted = new TreeSet<>();
        plan.after().jobs().stream()
                .filter(job -> job.isRunning()
                        && job.cells().isEmpty()
                        && !known(jobs, job.name()).cells().isEmpty())
                .forEach(job -> demoted.add(job.name()));
        boolean isHeld = !after.nominated().isEmpty();
        String waits = isHeld
                        && known(jobs, group).nominated().isEmpty()
                        && plan.evictionsFor(group).isEmpty()
                ? HELD
                : "preempt";
        String kind = after.isRunning() ? "bind" : isHeld ? waits : "wait";
        return new Answer(kind, violation, demoted);
    }

    /** What HiveD refuses at once; with us the queue or the GPU model does not exist. */
    private static boolean isRefused(HivedWorld world, YamlNode request) {
        String vc = request.need("vc").text();
        String pin = request.at("pinnedCellId").textOr("");
        int priority = request.need("priority").integer();
        int own = request.need("leafCellNumber").integer();
        String queue = HivedConfig.pinnedQueue(vc, pin);
        return !world.config.hasCluster(vc)
                || world.queues().stream().noneMatch(known -> known.name().equals(queue))
                || priority < -1
                || priority > MOST_PRIORITY
                || request.need("group").need("members").list().stream()
                        .noneMatch(member -> member.need("leafCellNumber").integer() == own)
                || candidates(world, request).isEmpty();
    }

    /** The GPU models that a request may get: if it asks for guaranteed cells, those of which its queue owns cells. */
    private static Set<String> candidates(HivedWorld world, YamlNode request) {
        Set<String> models =
                new TreeSet<>(world.config.models(request.at("leafCellType").textOr("")));
        if (request.need("priority").integer() >= 0) {
            String name = HivedConfig.pinnedQueue(
                    request.need("vc").text(), request.at("pinnedCellId").textOr(""));
            Set<String> owned = new TreeSet<>();
            for (Queue queue : world.queues()) {
                if (queue.name().equals(name)) {
                    queue.shapes().forEach(shape -> owned.add(shape.model()));
                }
            }
            models.retainAll(owned);
        }
        return models;
    }

    /** The models chain by chain, in HiveD's order: a gang is in one chain. */
    private static List<Set<String>> models(HivedWorld world, YamlNode sequence, YamlNode request) {
        Set<String> candidates = candidates(world, request);
        Set<String> chains = new LinkedHashSet<>();
        sequence.need("chainOrder").map().values().forEach(order -> chains.addAll(order.textList()));
        List<Set<String>> models = new ArrayList<>();
        for (String chain : chains) {
            Set<String> own = new TreeSet<>(candidates);
            own.removeIf(model -> !model.equals(chain) && !model.startsWith(chain + " "));
            if (!own.isEmpty()) {
                models.add(own);
            }
        }
        return models;
    }

    private static Set<String> suggested(HivedWorld world, YamlNode event, YamlNode request) {
        Set<String> all = new TreeSet<>();
        world.config.nodes().stream().map(Node::name).forEach(all::add);
        YamlNode suggested = event.need("suggestedNodes");
        if (request.at("ignoreSuggestedNodes").isTrueOr(false) || suggested.kind() == YamlNode.Kind.TEXT) {
            return all;
        }
        if (suggested.kind() == YamlNode.Kind.MAPPING) {
            suggested.need("allExcept").textList().forEach(all::remove);
            return all;
        }
        return new TreeSet<>(suggested.textList());
    }
}
