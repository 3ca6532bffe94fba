package io.gpusched.simulator.soak;

import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.policy.BestFit;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.policy.Spread;
import io.gpusched.queue.Backfill;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.Quota;
import io.gpusched.simulator.soak.QueueWorld.Arrival;
import io.gpusched.simulator.soak.QueueWorld.Change;
import io.gpusched.simulator.soak.QueueWorld.Event;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.Toleration;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Makes random worlds of queues; the seed decides all. */
final class QueueWorlds {
    private static final List<GpuModel> MODELS =
            List.of(GpuModel.of("nvidia", "A", 40_000), GpuModel.of("nvidia", "B", 80_000));

    private static final GpuModel CUT = GpuModel.of("nvidia", "A", 40_000);

    private static final int LENGTH = 40;

    /** From this seed on worlds are drawn from all kinds. */
    static final long WIDE = 1_000_000;

    /** From this seed on any settings, queues of three levels, more kinds of pods, and jobs, queues and nodes that are changed. */
    static final long WIDEST = 2_000_000;

    /** From this seed on worlds are larger, with nodes as they are bought and rules that few jobs have. */
    static final long LARGE = 3_000_000;

    private static final List<PlacementPolicy> POLICIES =
            List.of(Spread.of(), BinPack.of(), FirstFit.of(), BestFit.of(), RandomFit.of(7));

    private final SplittableRandom random;

    /** Whether worlds also have partitions, groups of groups, spread, levels of labels, and policies of jobs. */
    private final boolean isWide;

    /** Whether settings are any, and jobs, queues and labels change. */
    private final boolean isWidest;

    /** Whether there are up to 19 nodes of 4 or 8 GPUs, 59 jobs and groups of 12 pods, and start times are foretold. */
    private final boolean isLarge;

    private QueueWorlds(long seed) {
        this.isLarge = seed >= LARGE;
        this.random = new SplittableRandom(seed);
        this.isWide = seed >= WIDE;
        this.isWidest = seed >= WIDEST;
    }

    /** The world of a seed. */
    static QueueWorld of(long seed) {
        return new QueueWorlds(seed).world();
    }

    private QueueWorld world() {
        CycleSettings settings = CycleSettings.standard()
                .withBackfill(oneIn(2) ? Backfill.ANYONE : any(List.of(Backfill.values())))
                .withStaleGrace(random.nextInt(1, 20));
        if (isWidest) {
            settings = anySettings(settings);
        }
        List<Node> nodes = new ArrayList<>();
        int size = isLarge ? random.nextInt(6, 20) : random.nextInt(1, isWidest ? 8 : 5);
        for (int i = 0; i < size; i++) {
            nodes.add(node("n" + i));
        }
        List<JobQueue> queues = queues();
        List<String> leaves = queues.stream()
                .map(JobQueue::name)
                .filter(name -> queues.stream()
                        .noneMatch(queue -> queue.parent().filter(name::equals).isPresent()))
                .toList();
        List<Arrival> jobs = new ArrayList<>();
        int count = isLarge ? random.nextInt(20, 60) : random.nextInt(2, isWidest ? 20 : 14);
        for (int i = 0; i < count; i++) {
            jobs.add(arrival("j" + i, any(leaves)));
        }
        List<Event> events = new ArrayList<>();
        int happens = oneIn(3) ? 0 : random.nextInt(isLarge ? 20 : 8);
        for (int i = 0; i < happens; i++) {
            events.addAll(happening(nodes, queues, jobs, i));
        }
        events.sort(Comparator.comparingLong(Event::time));
        return new QueueWorld(settings, nodes, queues, jobs, events);
    }

    private CycleSettings anySettings(CycleSettings settings) {
        CycleSettings any = oneIn(4) ? settings.withReservations(random.nextInt(1, 4)) : settings;
        any = any.withQueueOrder(any(List.of(CycleSettings.QueueOrder.values())))
                .withJobOrder(any(List.of(CycleSettings.JobOrder.values())))
                .withUsagePermille(oneIn(3) ? 500 : 0);
        if (oneIn(3)) {
            Set<CyclePass> passes = EnumSet.allOf(CyclePass.class);
            passes.remove(any(List.of(CyclePass.values())));
            passes.add(CyclePass.ALLOCATE);
            any = any.withPasses(passes);
        }
        if (isLarge && oneIn(3)) {
            any = any.withForecasts(random.nextInt(1, 20));
        }
        if (isLarge && oneIn(5)) {
            any = any.withReservations(Math.max(1, any.reservations())).withPassing(false);
        }
        return any;
    }

    private Node node(String name) {
        Node.Builder node = Node.builder(name)
                .capacity(!isLarge && oneIn(4) ? 1_000 : 10_000, 10_000)
                .mode(oneIn(6) ? NodeMode.EXCLUSIVE : NodeMode.MIXED)
                .topology(Topology.of("rack", "r" + random.nextInt(2)))
                .label("disk", oneIn(2) ? "ssd" : "hdd")
                .maxPods(oneIn(8) ? 2 : 20);
        int gpus = isLarge ? oneIn(3) ? 4 : 8 : oneIn(8) ? 0 : random.nextInt(1, 5);
        if (isWide && oneIn(3)) {
            return node.gpus(gpus, CUT, MigGeometry.A100_40GB.geometry()).build();
        }
        return node.gpus(gpus, any(MODELS)).build();
    }

    private List<JobQueue> queues() {
        List<JobQueue> queues = new ArrayList<>();
        boolean nested = oneIn(3);
        if (nested) {
            JobQueue.Builder left = JobQueue.builder("left");
            if (isWidest) {
                queues.add(queue(JobQueue.builder("all")));
                left.parent("all");
            }
            queues.add(queue(left));
            queues.add(queue(JobQueue.builder("right")));
        }
        int count = random.nextInt(1, 5);
        for (int i = 0; i < count || nested && i < 2; i++) {
            JobQueue.Builder queue = JobQueue.builder("q" + i).created(i).priority(oneIn(4) ? 1 : 0);
            if (nested) {
                queue.parent(i % 2 == 0 ? "left" : "right");
            }
            queues.add(queue(queue));
        }
        return queues;
    }

    private JobQueue queue(JobQueue.Builder queue) {
        if (!oneIn(3)) {
            queue.quota(QueueResource.GPU, quota(1_000));
        }
        if (oneIn(5)) {
            queue.quota(QueueResource.gpuModel(any(MODELS).name()), quota(1_000));
        }
        if (oneIn(6)) {
            queue.quota(QueueResource.CPU, quota(500));
        }
        if (isWidest && oneIn(8)) {
            queue.quota(QueueResource.MEMORY, quota(1_000));
        }
        return queue.minRuntime(oneIn(4) ? random.nextInt(1, 6) : 0).build();
    }

    private Quota quota(long unit) {
        Quota quota = oneIn(4) ? Quota.NONE : Quota.ofDeserved(unit * random.nextInt(5));
        quota = oneIn(3) ? quota.withLimit(unit * random.nextInt(1, 7)) : quota;
        return oneIn(3) ? quota.withOverQuotaWeight(random.nextInt(3)) : quota;
    }

    private Arrival arrival(String name, String queue) {
        PodGroup group = group(name);
        long runs = random.nextInt(1, 16);
        JobSpec.Builder job = JobSpec.builder(group, queue)
                .submitted(oneIn(3) ? 0 : random.nextInt(LENGTH / 2))
                .priority(random.nextInt(3))
                .eviction(any(List.of(Eviction.values())))
                .promised(oneIn(3));
        if (!oneIn(4)) {
            boolean late = oneIn(8);
            job.maxDuration(late ? Math.max(1, runs - random.nextInt(1, 4)) : runs + random.nextInt(4));
        }
        if (oneIn(4)) {
            job.expectedDuration(Math.max(1, runs + random.nextInt(-3, 4)));
        }
        if (oneIn(6)) {
            job.preemptionDelay(random.nextInt(6));
        }
        if (isWide && oneIn(4)) {
            job.policy(any(POLICIES));
        }
        return new Arrival(Job.pending(job.build()), runs, random.nextInt(4));
    }

    private PodGroup group(String name) {
        return group(name, List.of());
    }

    /** A group whose first members are these. */
    private PodGroup group(String name, List<Pod> first) {
        int size = oneIn(2) ? 1 : random.nextInt(1, isLarge ? 13 : 5);
        Pod like = pod(name);
        List<Pod> pods = new ArrayList<>(first.subList(0, Math.min(size, first.size())));
        for (int i = pods.size(); i < size; i++) {
            Pod pod = oneIn(6) ? pod(name) : like;
            pods.add(pod.withId(io.gpusched.model.PodId.of(name + "-" + i)));
        }
        PodGroup group = PodGroup.of(name, pods);
        if (size > 1 && oneIn(8)) {
            int leaders = random.nextInt(1, size);
            List<PodGroup.Role> roles = List.of(
                    new PodGroup.Role("leader", random.nextInt(leaders + 1), pods.subList(0, leaders)),
                    new PodGroup.Role("worker", random.nextInt(size - leaders + 1), pods.subList(leaders, size)));
            group = new PodGroup(name, size, roles, Locality.ANYWHERE);
        }
        if (isWide && size > 1 && oneIn(4)) {
            return parts(name, pods);
        }
        if (isWidest && size == 4 && oneIn(3)) {
            return group.withMinMember(random.nextInt(1, 5)).withSlices(2, oneIn(2) ? "rack" : "disk");
        }
        group = group.withMinMember(random.nextInt(1, size + 1));
        if (isWide && oneIn(6)) {
            return group.withLocality(Locality.within("disk"));
        }
        return switch (random.nextInt(6)) {
            case 0 -> group.withLocality(Locality.oneNode());
            case 1 -> group.withLocality(Locality.within("rack"));
            default -> group;
        };
    }

    /** A group of two groups; one or both must start. */
    private PodGroup parts(String name, List<Pod> pods) {
        int first = random.nextInt(1, pods.size());
        List<PodGroup> parts =
                List.of(part(name + "-a", pods.subList(0, first)), part(name + "-b", pods.subList(first, pods.size())));
        PodGroup all = PodGroup.ofGroups(name, parts);
        if (oneIn(2)) {
            int least = parts.stream().mapToInt(PodGroup::minMember).min().orElse(1);
            all = new PodGroup(name, least, List.of(), Locality.ANYWHERE, parts, 1);
        }
        return oneIn(4) ? all.withLocality(Locality.within("rack")) : all;
    }

    private PodGroup part(String name, List<Pod> pods) {
        PodGroup part = PodGroup.of(name, pods).withMinMember(random.nextInt(1, pods.size() + 1));
        return oneIn(3) ? part.withLocality(oneIn(2) ? Locality.oneNode() : Locality.within("rack")) : part;
    }

    private Pod pod(String name) {
        long cpu = oneIn(6) ? 500 : 100;
        Pod pod = Pod.of(name, Resources.of(cpu, 100), request());
        if (oneIn(8)) {
            pod = Pod.builder(name)
                    .container("main", Resources.of(cpu, 100), request())
                    .nodeSelector(NodeSelector.all(NodeRequirement.in("disk", "ssd")))
                    .toleration(Toleration.exists("k"))
                    .build();
        }
        if (isWidest && oneIn(6)) {
            pod = containers(name, cpu);
        }
        PodRules rules = PodRules.NONE.withLabels(Map.of("app", oneIn(2) ? "x" : "y"));
        if (isLarge && !oneIn(5)) {
            return oneIn(2) ? pod.withRules(rules) : pod;
        }
        if (isWidest && oneIn(8)) {
            PodAffinity wish = PodAffinity.preferred(new PodAffinity.Weighted(random.nextInt(1, 101), term("rack")));
            return pod.withRules(oneIn(2) ? rules.withAffinity(wish) : rules.withAntiAffinity(wish));
        }
        if (isWide && oneIn(8)) {
            String key = oneIn(2) ? "rack" : NodeRequirement.NAME;
            LabelSelector pods = LabelSelector.label("app", oneIn(2) ? "x" : "y");
            return pod.withRules(rules.withSpread(TopologySpread.required(key, random.nextInt(1, 3), pods)));
        }
        return switch (random.nextInt(12)) {
            case 0 -> pod.withRules(rules.withHostPorts(HostPort.tcp(80)));
            case 1 -> pod.withRules(rules.withAntiAffinity(PodAffinity.required(term(NodeRequirement.NAME))));
            case 2 -> pod.withRules(rules.withAntiAffinity(PodAffinity.required(term("rack"))));
            case 3 -> pod.withRules(oneIn(2) ? rules : rules.withAffinity(PodAffinity.required(term("rack"))));
            default -> oneIn(2) ? pod.withRules(rules) : pod;
        };
    }

    /** A pod of several containers: two beside each other, or one after another. */
    private Pod containers(String name, long cpu) {
        Container first = oneIn(2)
                ? Container.init("init", Resources.of(cpu, 100), GpuRequest.exclusive(1))
                : oneIn(2)
                        ? Container.sidecar("side", Resources.of(cpu, 100), GpuRequest.percent(30))
                        : Container.of("second", Resources.of(cpu, 100), GpuRequest.percent(60));
        return Pod.builder(name)
                .container(first)
                .container("main", Resources.of(cpu, 100), oneIn(2) ? GpuRequest.percent(50) : GpuRequest.exclusive(1))
                .overhead(Resources.of(oneIn(2) ? 100 : 0, 0))
                .build();
    }

    private PodAffinity.Term term(String key) {
        return PodAffinity.Term.of(LabelSelector.label("app", oneIn(2) ? "x" : "y"), key);
    }

    private GpuRequest request() {
        if (isWide && oneIn(5)) {
            return GpuRequest.partition(oneIn(2) ? "1g.5gb" : "3g.20gb", random.nextInt(1, 3));
        }
        if (isWidest && oneIn(6)) {
            return switch (random.nextInt(4)) {
                case 0 -> GpuRequest.exclusive(4);
                case 1 -> GpuRequest.percent(30).withCount(2);
                case 2 ->
                    GpuRequest.firstOf(
                            GpuRequest.partition("3g.20gb", 1), GpuRequest.percent(40), GpuRequest.exclusive(1));
                default -> GpuRequest.exclusive(1, GpuSelector.ANY.withDeniedModels(Set.of("B")));
            };
        }
        return switch (random.nextInt(12)) {
            case 0 -> GpuRequest.none();
            case 1 -> GpuRequest.wholeNode();
            case 2 -> GpuRequest.percent(50);
            case 3 -> GpuRequest.share(300, GpuMemory.mib(20_000));
            case 4 -> GpuRequest.exclusive(1, GpuSelector.models(any(MODELS).name()));
            case 5 ->
                GpuRequest.firstOf(
                        GpuRequest.exclusive(1, GpuSelector.models("B")),
                        GpuRequest.exclusive(2, GpuSelector.models("A")));
            case 6, 7 -> GpuRequest.exclusive(2);
            default -> GpuRequest.exclusive(1);
        };
    }

    /** Something that happens and, often, ends again. */
    private List<Event> happening(List<Node> nodes, List<JobQueue> queues, List<Arrival> jobs, int number) {
        Node node = any(nodes);
        long time = random.nextInt(1, LENGTH);
        long over = time + random.nextInt(1, 12);
        if (isWidest && oneIn(2)) {
            return List.of(changed(node, time, queues, jobs));
        }
        return switch (random.nextInt(11)) {
            case 0 -> both(node, time, new Change.Lost(), over, new Change.Back());
            case 1 -> both(node, time, new Change.Cordoned(true), over, new Change.Cordoned(false));
            case 2 ->
                both(
                        node,
                        time,
                        new Change.Tainted(List.of(Taint.noSchedule("k", "v"))),
                        over,
                        new Change.Tainted(List.of()));
            case 3 -> {
                JobQueue old = any(queues);
                JobQueue.Builder other =
                        JobQueue.builder(old.name()).created(old.created()).priority(old.priority());
                old.parent().ifPresent(other::parent);
                yield List.of(new Event(time, old.name(), new Change.Resized(queue(other))));
            }
            case 4 -> List.of(new Event(time, node.name(), new Change.Restarted()));
            case 5 -> {
                Pod pod = Pod.of("stranger" + number, Resources.of(100, 100), GpuRequest.exclusive(1));
                yield both(node, time, new Change.Came(pod), over, new Change.Went(pod));
            }
            case 6 -> List.of(new Event(time, any(jobs).job().name(), new Change.Cancelled()));
            case 7, 8 -> List.of(new Event(time, any(jobs).job().name(), new Change.Failed(oneIn(2))));
            default -> {
                int gpu = node.gpus().isEmpty() ? 0 : random.nextInt(node.gpus().size());
                yield both(node, time, new Change.Health(gpu, false), over, new Change.Health(gpu, true));
            }
        };
    }

    /** What an owner changes: a job, how many of its members are done, the queues, where a node is. */
    private Event changed(Node node, long time, List<JobQueue> queues, List<Arrival> jobs) {
        Job job = any(jobs).job();
        return switch (random.nextInt(4)) {
            case 0 -> {
                JobSpec.Builder other = job.spec().toBuilder()
                        .priority(random.nextInt(3))
                        .eviction(any(List.of(Eviction.values())))
                        .promised(oneIn(2));
                if (oneIn(2)) {
                    other.group(group(job.name(), job.group().pods()));
                }
                if (oneIn(2)) {
                    other.queue(any(jobs).job().queue());
                }
                yield new Event(time, job.name(), new Change.Replaced(other.build()));
            }
            case 1 -> new Event(time, job.name(), new Change.Completed());
            case 2 -> {
                List<JobQueue> other = new ArrayList<>();
                queues.forEach(queue -> {
                    JobQueue.Builder next = JobQueue.builder(queue.name()).created(queue.created());
                    boolean isLeaf = queue.name().startsWith("q");
                    queue.parent()
                            .ifPresent(
                                    parent -> next.parent(isLeaf && oneIn(4) ? any(List.of("left", "right")) : parent));
                    other.add(queue(next));
                });
                yield new Event(time, "queues", new Change.Reordered(List.copyOf(other)));
            }
            default ->
                new Event(time, node.name(), new Change.Relabelled("r" + random.nextInt(2), oneIn(2) ? "ssd" : "hdd"));
        };
    }

    private List<Event> both(Node node, long time, Change change, long over, Change back) {
        Event first = new Event(time, node.name(), change);
        return oneIn(4) ? List.of(first) : List.of(first, new Event(over, node.name(), back));
    }

    private boolean oneIn(int number) {
        return random.nextInt(number) == 0;
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
