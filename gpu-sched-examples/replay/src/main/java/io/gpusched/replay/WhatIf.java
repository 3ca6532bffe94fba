package io.gpusched.replay;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.SchedulingCycle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Plays what would have happened: the same jobs come at the same times and run as long as they did, nodes fail as they did, and a cycle decides by
 * other rules, for other queues or on other nodes.
 *
 * <p>A cycle is planned whenever something happens, and while a job waits at the times at which the recorded scheduler looked. A pod that is evicted takes as long
 * to end as evicted pods took in the history, as a median, and starts from the beginning. The result depends on the arguments alone. Not thread-safe.
 */
public final class WhatIf {
    private static final int MOST_PLANS_AT_ONCE = 1_000;

    private final Past past;
    private final Change change;
    private final LongConsumer progress;
    private final Meter meter;
    private final Map<String, Integer> notes = new TreeMap<>();
    private final Map<String, Life> recorded = new HashMap<>();
    private final Deque<Life> delayed = new ArrayDeque<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>(
            Comparator.comparingLong(End::time).thenComparing(End::job).thenComparing(End::pod));
    private final Lives lives;
    private RecordedDecision.@Nullable Rules given;
    private RecordedDecision.Rules asked;
    private SchedulingCycle cycle;
    private QueueState state;
    private boolean anyWaits = true;
    private long due = Long.MAX_VALUE;
    private long now;

    /**
     * What is otherwise than it was.
     *
     * @param rules by which rules is decided, given those that were recorded
     * @param queues the queues, instead of those that were recorded
     * @param nodes the nodes, instead of those that were recorded; none of them fails
     * @param added nodes that are there in addition
     * @param without names of nodes that are not there
     */
    public record Change(
            UnaryOperator<RecordedDecision.Rules> rules,
            Optional<QueueTree> queues,
            Optional<List<Node>> nodes,
            List<Node> added,
            Set<String> without) {
        /** Nothing is otherwise. */
        public static final Change NONE =
                new Change(UnaryOperator.identity(), Optional.empty(), Optional.empty(), List.of(), Set.of());

        /** Copies the collections. */
        public Change {
            Objects.requireNonNull(rules, "rules");
            Objects.requireNonNull(queues, "queues");
            nodes = nodes.map(List::copyOf);
            added = List.copyOf(added);
            without = Set.copyOf(without);
        }

        /** Returns this change with other rules. */
        public Change withRules(UnaryOperator<RecordedDecision.Rules> value) {
            return new Change(value, queues, nodes, added, without);
        }

        /** Returns this change with other queues. */
        public Change withQueues(QueueTree value) {
            return new Change(rules, Optional.of(value), nodes, added, without);
        }

        /** Returns this change with other nodes. */
        public Change withNodes(Collection<Node> value) {
            return new Change(rules, queues, Optional.of(List.copyOf(value)), added, without);
        }

        /** Returns this change with nodes that are there in addition. */
        public Change withAdded(Collection<Node> value) {
            return new Change(rules, queues, nodes, List.copyOf(value), without);
        }

        /** Returns this change without some nodes. */
        public Change without(Collection<String> value) {
            return new Change(rules, queues, nodes, added, Set.copyOf(value));
        }
    }

    /** A pod ends: by itself if it runs since a time, or as one that was evicted. */
    private record End(long time, String job, PodId pod, long since, boolean evicted) {}

    private WhatIf(Past past, Change change, LongConsumer progress) {
        this.past = past;
        this.change = change;
        this.progress = progress;
        this.now = past.outcome().from();
        this.meter = new Meter(now);
        this.asked = change.rules().apply(RecordedDecision.Rules.STANDARD);
        this.cycle = asked.cycle();
        this.lives = new Lives() {
            @Override
            void started(Life life, PodId pod, long time) {
                Long runs = known(life).ran.get(pod);
                if (runs != null) {
                    ends.add(new End(time + runs, life.name(), pod, time, false));
                }
            }

            @Override
            void evicted(Life life, PodId pod, long time) {
                ends.add(new End(time + past.ending(), life.name(), pod, time, true));
            }
        };
        past.lives().subList(0, past.begin().jobs().size()).forEach(life -> recorded.put(life.name(), life));
        this.state = begin();
    }

    /**
     * Plays what would have happened until the history ends.
     *
     * @param past what happened in truth
     * @param change what is otherwise
     * @param progress hears of each time at which a cycle is planned
     * @throws IllegalArgumentException if the change does not go with what happened, such as queues that jobs are not in
     */
    public static Outcome play(Past past, Change change, LongConsumer progress) {
        Objects.requireNonNull(past, "past");
        Objects.requireNonNull(change, "change");
        Objects.requireNonNull(progress, "progress");
        return new WhatIf(past, change, progress).play();
    }

    private Life known(Life life) {
        return Objects.requireNonNull(recorded.get(life.name()), life.name());
    }

    private QueueState begin() {
        change.queues().ifPresent(this::requireQueues);
        QueueState begin = past.begin();
        begin = change.queues().map(begin::withQueues).orElse(begin);
        if (change.nodes().isPresent()) {
            begin = on(begin, change.nodes().get());
        }
        for (String gone : change.without()) {
            if (begin.cluster().node(gone).isPresent()) {
                begin = begin.withNodeLost(gone);
            } else if (!past.hasNode(gone)) {
                throw new IllegalArgumentException("without: there is no node \"" + gone + "\" in the history");
            }
        }
        Cluster cluster = begin.cluster();
        for (Node node : change.added()) {
            cluster = cluster.withNode(node);
        }
        return begin.withCluster(cluster);
    }

    private void requireQueues(QueueTree queues) {
        for (Life life : past.lives()) {
            if (!queues.isLeaf(life.spec.queue())) {
                throw new IllegalArgumentException("queues: there must be a queue \"" + life.spec.queue()
                        + "\" without parts, which job \"" + life.name() + "\" is in, got "
                        + queues.queues().stream().map(queue -> queue.name()).toList());
            }
        }
    }

    /** The state on other nodes: jobs go on that run on nodes of the same names where they have room. */
    private QueueState on(QueueState begin, List<Node> nodes) {
        Cluster cluster = Cluster.of(nodes);
        for (Map.Entry<String, Map<String, String>> labels :
                begin.cluster().namespaces().entrySet()) {
            cluster = cluster.withNamespace(labels.getKey(), labels.getValue());
        }
        List<Job> jobs = new ArrayList<>();
        Map<PodId, Placement> strangers = new LinkedHashMap<>();
        begin.cluster().placements().forEach(placement -> strangers.put(placement.pod(), placement));
        for (Job job : begin.jobs()) {
            List<Placement> held = new ArrayList<>(job.running());
            held.addAll(job.terminating());
            held.forEach(placement -> strangers.remove(placement.pod()));
            Optional<Cluster> with = placed(cluster, held);
            cluster = with.orElse(cluster);
            JobStatus status = job.status();
            jobs.add(
                    with.isPresent()
                            ? job.withStatus(new JobStatus(
                                    job.running(),
                                    job.terminating(),
                                    List.of(),
                                    status.started(),
                                    status.staleSince(),
                                    Optional.empty()))
                            : Job.pending(job.spec()));
        }
        for (Placement placement : strangers.values()) {
            Optional<Cluster> with = placed(cluster, List.of(placement));
            cluster = with.orElse(cluster);
            if (with.isEmpty()) {
                note("pod of no job found no room");
            }
        }
        return QueueState.of(cluster, begin.queues(), jobs).withUsage(begin.usage());
    }

    private static Optional<Cluster> placed(Cluster cluster, List<Placement> all) {
        try {
            Cluster with = cluster;
            for (Placement placement : all) {
                with = with.withRunning(placement);
            }
            return Optional.of(with);
        } catch (PlacementConflictException e) {
            return Optional.empty();
        }
    }

    private void note(String what) {
        notes.merge(what, 1, Integer::sum);
    }

    private Outcome play() {
        lives.see(now, List.of(), state, true);
        state.jobs().stream()
                .flatMap(job -> job.terminating().stream().map(held -> new End(now, job.name(), held.pod(), now, true)))
                .forEach(ends::add);
        long end = past.outcome().to();
        int next = 0;
        List<Past.Happening> all = past.happenings();
        while (true) {
            long time = next < all.size() ? all.get(next).time() : Long.MAX_VALUE;
            time = ends.isEmpty() ? time : Math.min(time, ends.peek().time());
            time = Math.max(now, Math.min(time, due));
            if (time > end) {
                break;
            }
            meter.until(time, state.cluster());
            now = time;
            QueueState before = state;
            while (next < all.size() && all.get(next).time() <= now) {
                happen(all.get(next++).what());
            }
            end();
            arrive();
            if (!JobChanges.same(state, before) || anyWaits || due <= now) {
                plan();
                progress.accept(now);
            }
        }
        meter.until(end, state.cluster());
        return outcome();
    }

    private Outcome outcome() {
        List<JobOutcome> jobs = new ArrayList<>();
        lives.all().forEach(life -> jobs.add(life.outcome()));
        for (Life life : delayed) {
            jobs.add(new Life(life.spec, life.arrived, false).outcome());
            note("job did not come, as an earlier one of the same name was there until the end");
        }
        List<String> words = new ArrayList<>(past.outcome().notes());
        notes.forEach((what, count) -> words.add(Past.counted(count, what)));
        long open = past.lives().stream().filter(life -> life.gone.isEmpty()).count();
        if (open > 0) {
            words.add(Past.counted(open, "job had not ended when the history did")
                    + (open == 1 ? "; it runs" : "; they run") + " until its end");
        }
        List<Outcome.Use> uses = meter.uses(past.profile());
        return new Outcome(
                jobs,
                meter.gpus(),
                meter.usedGpus(),
                meter.strandedGpus(uses),
                uses,
                lives.holdings(past.outcome().to()).least(),
                past.outcome().from(),
                past.outcome().to(),
                words);
    }

    private void set(QueueState after) {
        lives.see(now, state.jobs(), after, true);
        state = after;
    }

    private void happen(Object what) {
        if (what instanceof Life life) {
            delayed.add(life);
        } else if (what instanceof RecordedDecision.Rules rules) {
            if (!rules.equals(given)) {
                given = rules;
                asked = change.rules().apply(rules);
                cycle = asked.cycle();
                if (state.jobs().stream().anyMatch(job -> !JobChanges.same(asked(job.spec()), job.spec()))) {
                    set(state.withJobs(state.jobs().stream()
                            .map(job -> job.withSpec(asked(job.spec())))
                            .toList()));
                }
            }
        } else if (what instanceof Past.Withdrawn withdrawn) {
            if (!delayed.remove(withdrawn.life()) && isPresent(withdrawn.life())) {
                set(state.withoutJob(withdrawn.life().name()));
            }
        } else if (what instanceof Past.Said said) {
            if (isPresent(said.life())) {
                Job job = state.job(said.life().name()).orElseThrow();
                JobSpec.Builder spec = said.spec().withGroup(job.group()).toBuilder();
                // how places are compared is said of what waits alone, and here it may wait for longer
                job.spec().policy().ifPresent(spec::policy);
                said.spec().policy().ifPresent(spec::policy);
                set(state.withJobReplaced(asked(spec.build())));
            }
        } else if (what instanceof HistoryEvent event) {
            happen(event);
        }
    }

    private JobSpec asked(JobSpec spec) {
        return asked.asked(spec, given == null ? RecordedDecision.Rules.STANDARD : given);
    }

    private boolean isPresent(Life life) {
        return recorded.get(life.name()) == life && state.job(life.name()).isPresent();
    }

    private void happen(HistoryEvent event) {
        Cluster cluster = state.cluster();
        if (event instanceof HistoryEvent.QueuesSet set) {
            if (change.queues().isEmpty()) {
                set(state.withQueues(set.queues()));
            }
        } else if (event instanceof HistoryEvent.NamespaceSet set) {
            set(state.withCluster(cluster.withNamespace(set.name(), set.labels())));
        } else if (event instanceof HistoryEvent.NodeGone gone) {
            if (isRecorded(gone.name()) && cluster.node(gone.name()).isPresent()) {
                lose(gone.name());
            }
        } else if (event instanceof HistoryEvent.NodeSet set) {
            if (isRecorded(set.node().name())) {
                replace(set.node());
            }
        } else if (event instanceof HistoryEvent.PodGone gone) {
            cluster.placement(gone.pod()).ifPresent(held -> set(state.withCluster(cluster.without(held))));
        } else if (event instanceof HistoryEvent.PodRuns runs) {
            placed(cluster, List.of(runs.placement()))
                    .ifPresentOrElse(with -> set(state.withCluster(with)), () -> note("pod of no job found no room"));
        }
    }

    private boolean isRecorded(String node) {
        return change.nodes().isEmpty() && !change.without().contains(node);
    }

    private void lose(String node) {
        set(state.withNodeLost(node));
    }

    private void replace(Node node) {
        Optional<NodeState> old = state.cluster().node(node.name());
        try {
            set(state.withCluster(
                    old.isPresent()
                            ? state.cluster().withReplaced(node)
                            : state.cluster().withNode(node)));
        } catch (PlacementConflictException e) {
            lose(node.name());
            set(state.withCluster(state.cluster().withNode(node)));
        }
    }

    /** Pods end whose time has come. */
    private void end() {
        Map<String, List<PodId>> done = new LinkedHashMap<>();
        List<PodId> ended = new ArrayList<>();
        while (!ends.isEmpty() && ends.peek().time() <= now) {
            End end = ends.poll();
            Optional<Job> job = state.job(end.job());
            if (end.evicted()) {
                job.stream()
                        .flatMap(each -> each.terminating().stream())
                        .filter(held -> held.pod().equals(end.pod()))
                        .forEach(held -> ended.add(held.pod()));
            } else if (job.isPresent()
                    && Objects.equals(lives.present(end.job()).running.get(end.pod()), end.since())) {
                done.computeIfAbsent(end.job(), name -> new ArrayList<>()).add(end.pod());
            }
        }
        if (!ended.isEmpty()) {
            set(state.withEnded(Set.copyOf(ended)));
        }
        List<PodId> completed = new ArrayList<>();
        done.forEach((name, pods) -> {
            Life life = Objects.requireNonNull(recorded.get(name));
            long left = state.job(name).orElseThrow().group().pods().stream()
                    .filter(pod -> life.ran.containsKey(pod.id()))
                    .count();
            if (left == pods.size()) { // members that never ran in truth go with the last that did
                set(state.withoutJob(name));
            } else {
                completed.addAll(pods);
            }
        });
        if (!completed.isEmpty()) {
            set(state.withCompleted(completed));
        }
    }

    /** Jobs come, as soon as an earlier one of the same name is gone. */
    private void arrive() {
        List<Job> more = new ArrayList<>();
        for (int i = delayed.size(); i > 0; i--) {
            Life life = delayed.remove();
            if (state.job(life.name()).isPresent()
                    || more.stream().anyMatch(job -> job.name().equals(life.name()))) {
                delayed.add(life);
                continue;
            }
            if (life.arrived < now) {
                note("job came later than recorded, as an earlier one of the same name was there for longer");
            }
            recorded.put(life.name(), life);
            more.add(Job.pending(asked(life.spec)));
        }
        if (!more.isEmpty()) {
            List<Job> jobs = new ArrayList<>(state.jobs());
            jobs.addAll(more);
            set(state.withJobs(jobs));
        }
    }

    /** Plans until nothing that is decided ends at once. */
    private void plan() {
        for (int i = 0; i < MOST_PLANS_AT_ONCE; i++) {
            Plan plan = cycle.plan(state, now);
            set(plan.after());
            anyWaits = !plan.pending().isEmpty();
            due = plan.pending().stream()
                    .map(job -> job.reason())
                    .filter(PendingReason.Reserved.class::isInstance)
                    .mapToLong(reason -> ((PendingReason.Reserved) reason).start())
                    .filter(start -> start > now)
                    .min()
                    .orElse(Long.MAX_VALUE);
            if (ends.isEmpty() || ends.peek().time() > now) {
                return;
            }
            end();
        }
        throw new IllegalStateException("at " + now + ": plans evict again and again");
    }
}
