package io.gpusched.bench.load;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.Quota;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The states that benchmarks of KAI-Scheduler and Kubernetes measure, and some more, rebuilt from their descriptions: nodes of 8 GPUs, jobs of
 * equal pods with 1 core and 1 GB.
 */
public enum CycleShape {
    /** 8,000 jobs of one GPU on 1,000 empty nodes, in four queues of two departments. */
    ALLOCATE("8000 bound") {
        @Override
        public QueueState state() {
            return fourQueues(1_000, 8_000, 1);
        }
    },
    /** 1,000 gangs of four on 500 empty nodes. */
    GANG4("4000 bound") {
        @Override
        public QueueState state() {
            return fourQueues(500, 1_000, 4);
        }
    },
    /** 100 gangs of four on 50 empty nodes. */
    GANG4_SMALL("400 bound") {
        @Override
        public QueueState state() {
            return fourQueues(50, 100, 4);
        }
    },
    /** One gang of 250 pods of 8 GPUs for 4,000 jobs of one GPU of a queue that deserves nothing, on 500 nodes. */
    RECLAIM_LARGE("250 nominated, 2000 evicted") {
        @Override
        public QueueState state() {
            return full(500, 0, 4_000, "queue-0", 1, 250, 8, 50);
        }
    },
    /** One gang of 64 pods of 8 GPUs for jobs of lower priority in its queue, on 1,000 full nodes. */
    PREEMPT("64 nominated, 512 evicted") {
        @Override
        public QueueState state() {
            return full(1_000, 0, 8_000, "queue-1", 1, 64, 8, 75);
        }
    },
    /** 64 jobs of 8 GPUs on 1,000 nodes, on each of which 4 are used. */
    CONSOLIDATE("64 nominated, 64 moved") {
        @Override
        public QueueState state() {
            Builder builder = new Builder(1_000, 0, 8_000);
            for (int i = 0; i < 1_000; i++) {
                builder.running("queue-1", 4, i, 0);
            }
            for (int i = 0; i < 64; i++) {
                builder.pending("queue-1", 1, 8, 50);
            }
            return builder.state();
        }
    },
    /** As {@link #PREEMPT} from another queue, which may lose one GPU too few. */
    REFUSE_ONE_GPU("nothing") {
        @Override
        public QueueState state() {
            return full(1_000, 7_489, 512, "queue-0", 1, 64, 8, 50);
        }
    },
    /** As {@link #PREEMPT} from another queue, which deserves all that it has. */
    REFUSE_NO_QUOTA("nothing") {
        @Override
        public QueueState state() {
            return full(1_000, 8_000, 512, "queue-0", 1, 64, 8, 50);
        }
    },
    /** 4,000 jobs of one GPU for as many of a queue that deserves nothing, on 500 nodes. */
    RECLAIM_MANY("4000 nominated, 4000 evicted") {
        @Override
        public QueueState state() {
            return full(500, 0, 4_000, "queue-0", 4_000, 1, 1, 50);
        }
    },
    /** 10,000 nodes, 50,000 running jobs and 5,000 pending ones in 100 queues. */
    LARGE("5000 bound") {
        @Override
        public QueueState state() {
            Builder builder = new Builder(10_000);
            for (int i = 0; i < 50_000; i++) {
                builder.running("queue-" + i % 100, 1, i % 10_000, i / 10_000);
            }
            for (int i = 0; i < 5_000; i++) {
                builder.pending("queue-" + i % 100, 1, 1 + i % 2, 50);
            }
            return builder.state();
        }
    },
    /** The same full: 50,000 running jobs hold all GPUs, each queue what it deserves, and 5,000 wait, a tenth of them gangs. */
    LARGE_FULL("nothing") {
        @Override
        public QueueState state() {
            Builder builder = new Builder(10_000);
            for (int i = 0; i < 50_000; i++) {
                int place = i % 5;
                String queue = "queue-" + i / 5 % 100;
                builder.running(queue, place < 2 ? 1 : 2, i / 5, place < 2 ? place : 2 * place - 2);
            }
            for (int i = 0; i < 5_000; i++) {
                String queue = "queue-" + i / 5 % 100;
                if (i % 10 == 9) {
                    builder.pending(queue, 4, 8, 50);
                } else {
                    builder.pending(queue, 1, 1 << i % 4, 50);
                }
            }
            return builder.state();
        }
    },
    /**
     * After Kubernetes' GangPreemptionHeroWorkload: three fifths of 100 nodes are held by gangs of ten in three priorities, and a gang of the
     * highest asks for half of the nodes. The lowest leave, as many as must, and no other.
     */
    HERO_100("50 nominated, 10 evicted") {
        @Override
        public QueueState state() {
            return hero(100, 8, 50, 3);
        }
    },
    /** The same on 1,000 nodes. */
    HERO_1000("500 nominated, 100 evicted") {
        @Override
        public QueueState state() {
            return hero(1_000, 8, 500, 3);
        }
    },
    /** The same on 4,900 nodes. */
    HERO_4900("2450 nominated, 490 evicted") {
        @Override
        public QueueState state() {
            return hero(4_900, 8, 2_450, 3);
        }
    },
    /** As {@link #HERO_1000}, but each of the pods holds one GPU of its node: they move, and none leaves. */
    HERO_SPARSE("500 nominated, 100 moved") {
        @Override
        public QueueState state() {
            return hero(1_000, 1, 500, 3);
        }
    },
    /** 2,000 pods of a gang of 2,450 would find room on 4,900 nodes, and those that hold the others may not leave for them. */
    HERO_REFUSED("nothing") {
        @Override
        public QueueState state() {
            Builder builder = new Builder(4_900, 0, 8 * 4_900);
            for (int i = 0; i < 290; i++) {
                builder.gang("queue-1", 10, 8, 10 * i, 200);
            }
            builder.pending("queue-1", 2_450, 8, HERO);
            return builder.state();
        }
    };

    private static final int PART = 100;
    private static final int HERO = 100;

    private final String result;

    CycleShape(String result) {
        this.result = result;
    }

    /** Returns the state. */
    public abstract QueueState state();

    /**
     * Returns the state of the next cycle, once a plan has been carried out, everything that terminates has ended, and a hundredth of
     * the jobs has: those that were submitted first, of which as many like them are submitted anew.
     */
    public static QueueState next(QueueState after, int round) {
        QueueState ended = after.withEnded(after.jobs().stream()
                .flatMap(job -> job.terminating().stream().map(Placement::pod))
                .toList());
        List<Job> jobs = new ArrayList<>();
        List<Job> more = new ArrayList<>();
        ClusterBatch batch = ended.cluster().batch();
        for (Job job : ended.jobs()) {
            if (job.isRunning() && more.size() < ended.jobs().size() / PART) {
                job.running().forEach(placement -> batch.release(placement.pod()));
                more.add(again(job, "round-" + round + "-" + more.size()));
            } else {
                jobs.add(job);
            }
        }
        jobs.addAll(more);
        return ended.with(batch.build(), jobs);
    }

    private static Job again(Job job, String name) {
        List<Pod> pods = IntStream.range(0, job.group().pods().size())
                .mapToObj(i -> job.group().pods().get(i).withId(PodId.of(name + "-" + i)))
                .toList();
        return Job.pending(JobSpec.builder(PodGroup.of(name, pods), job.queue())
                .priority(job.spec().priority())
                .submitted(job.spec().submitted() + 1_000_000)
                .build());
    }

    /** Throws unless a plan does what it should. */
    public void check(Plan plan) {
        StringBuilder text = new StringBuilder();
        append(text, plan.bindings().size(), "bound");
        append(text, plan.nominations().size(), "nominated");
        append(text, plan.evictions().size(), "evicted");
        append(text, plan.moves().size(), "moved");
        String got = text.length() == 0 ? "nothing" : text.toString();
        if (!got.equals(result)) {
            throw new IllegalStateException(this + ": expected " + result + ", got " + got);
        }
    }

    private static void append(StringBuilder text, int count, String what) {
        if (count > 0) {
            text.append(text.length() == 0 ? "" : ", ")
                    .append(count)
                    .append(' ')
                    .append(what);
        }
    }

    private static QueueState fourQueues(int nodes, int jobs, int pods) {
        Builder builder = new Builder(nodes, 4);
        for (int i = 0; i < jobs; i++) {
            builder.pending("queue-" + i % 4, pods, 1, 50);
        }
        return builder.state();
    }

    private static QueueState full(
            int nodes, int deserved0, int deserved1, String running, int jobs, int pods, int gpus, int priority) {
        Builder builder = new Builder(nodes, deserved0, deserved1);
        for (int i = 0; i < 8 * nodes; i++) {
            builder.running(running, 1, i % nodes, i / nodes);
        }
        for (int i = 0; i < jobs; i++) {
            builder.pending("queue-1", pods, gpus, priority);
        }
        return builder.state();
    }

    private static QueueState hero(int nodes, int gpus, int pods, int priorities) {
        Builder builder = new Builder(nodes, 0, 8 * nodes);
        int gangs = nodes * 3 / 5 / 10;
        for (int i = 0; i < gangs; i++) {
            builder.gang("queue-1", 10, gpus, 10 * i, 10 * (1 + i % priorities));
        }
        builder.pending("queue-1", pods, 8, HERO);
        return builder.state();
    }

    /** Collects nodes, queues and jobs. */
    private static final class Builder {
        private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 81_920);
        private static final Resources SMALL = Resources.of(1_000, 954);

        private final List<Node> nodes;
        private final List<JobQueue> queues = new ArrayList<>();
        private final List<Job> jobs = new ArrayList<>();
        private final List<Placement> placements = new ArrayList<>();
        private final List<NodeState> states;

        private Builder(int count) {
            nodes = IntStream.range(0, count)
                    .mapToObj(i -> Node.builder(String.format("node%05d", i))
                            .capacity(20_000_000, 19_073)
                            .gpus(8, A100)
                            .build())
                    .toList();
            states = Cluster.of(nodes).nodes();
            for (int i = 0; count == 10_000 && i < 100; i++) {
                queue("queue-" + i, "", Quota.ofDeserved(800_000));
            }
        }

        /** Four queues of two departments, which deserve equal parts of all GPUs. */
        private Builder(int count, int parts) {
            this(count);
            long all = 8_000L * count;
            queue("dept-a", "", Quota.ofDeserved(all / 2));
            queue("dept-b", "", Quota.ofDeserved(all / 2));
            for (int i = 0; i < parts; i++) {
                queue("queue-" + i, i < 2 ? "dept-a" : "dept-b", Quota.ofDeserved(all / parts));
            }
        }

        /** Two queues of one department. */
        private Builder(int count, int deserved0, int deserved1) {
            this(count);
            queue("dept", "", Quota.NONE);
            queue("queue-0", "dept", Quota.ofDeserved(1_000L * deserved0).withOverQuotaWeight(0));
            queue("queue-1", "dept", Quota.ofDeserved(1_000L * deserved1).withOverQuotaWeight(0));
        }

        private void queue(String name, String parent, Quota gpus) {
            JobQueue.Builder queue =
                    JobQueue.builder(name).created(queues.size()).quota(QueueResource.GPU, gpus);
            queues.add((parent.isEmpty() ? queue : queue.parent(parent)).build());
        }

        private static PodGroup group(String name, int pods, int gpus) {
            Pod first = Pod.of(name + "-0", SMALL, GpuRequest.exclusive(gpus));
            PodSpec spec = first.spec();
            List<Pod> all = new ArrayList<>(List.of(first));
            for (int i = 1; i < pods; i++) {
                all.add(new Pod(PodId.of(name + "-" + i), spec));
            }
            return PodGroup.of(name, all);
        }

        private void pending(String queue, int pods, int gpus, int priority) {
            String name = "job-" + jobs.size();
            jobs.add(Job.pending(JobSpec.builder(group(name, pods, gpus), queue)
                    .priority(priority)
                    .submitted(jobs.size())
                    .build()));
        }

        private void running(String queue, int gpus, int node, int firstGpu) {
            running(queue, group("job-" + jobs.size(), 1, gpus), gpus, node, firstGpu, 50);
        }

        /** A gang with a pod on each of as many nodes. */
        private void gang(String queue, int pods, int gpus, int firstNode, int priority) {
            running(queue, group("job-" + jobs.size(), pods, gpus), gpus, firstNode, 0, priority);
        }

        private void running(String queue, PodGroup group, int gpus, int firstNode, int firstGpu, int priority) {
            List<Integer> indexes =
                    IntStream.range(firstGpu, firstGpu + gpus).boxed().toList();
            List<Placement> own = new ArrayList<>();
            for (Pod pod : group.pods()) {
                own.add(new Placement(
                                pod.id(),
                                states.get(firstNode + own.size()).name(),
                                SMALL,
                                List.of(ContainerGrant.of("main", new GpuGrant.Whole(indexes))))
                        .withSpec(pod.spec()));
            }
            placements.addAll(own);
            JobSpec spec = JobSpec.builder(group, queue)
                    .priority(priority)
                    .submitted(jobs.size())
                    .build();
            jobs.add(new Job(spec, JobStatus.running(own, 0)));
        }

        private QueueState state() {
            return QueueState.of(Cluster.of(nodes, placements), QueueTree.of(queues), jobs);
        }
    }
}
