package io.gpusched.simulator.soak;

import io.gpusched.model.Node;
import io.gpusched.model.Taint;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A small cluster with queues, and all that will happen to it. Plain data, so that parts can be left out.
 *
 * @param jobs each with when it comes, and how long it runs in truth
 */
record QueueWorld(
        CycleSettings settings, List<Node> nodes, List<JobQueue> queues, List<Arrival> jobs, List<Event> events) {
    /**
     * A job that comes.
     *
     * @param job as it is submitted
     * @param runs how long it runs, whatever is known of that
     * @param ends how long its pods take to end once they are evicted
     */
    record Arrival(Job job, long runs, long ends) {}

    /** Something that happens to the cluster, to what has this name. */
    record Event(long time, String name, Change change) {
        @Override
        public String toString() {
            return "at " + time + ", " + name + ": " + change;
        }
    }

    /** What can happen to a node, a queue, a job, or the scheduler. */
    sealed interface Change {
        /** The node is lost with what runs there. */
        record Lost() implements Change {}

        /** The node is there, as it was in the beginning. */
        record Back() implements Change {}

        /** The health of a GPU. */
        record Health(int gpu, boolean healthy) implements Change {}

        /** The node takes new pods or not. */
        record Cordoned(boolean cordoned) implements Change {}

        /** Its taints, one or none. */
        record Tainted(List<Taint> taints) implements Change {}

        /** A pod of no job comes to the node if there is room. */
        record Came(Pod pod) implements Change {}

        /** A pod of no job leaves. */
        record Went(Pod pod) implements Change {}

        /** A queue has other quotas; the name is the queue's. */
        record Resized(JobQueue queue) implements Change {}

        /** A job is withdrawn by its owner, and what it runs is gone; the name is the job's. */
        record Cancelled() implements Change {}

        /** What a job runs turns out not to run, one member or all, and waits again; the name is the job's. */
        record Failed(boolean all) implements Change {}

        /** The owner says something else of a job, as far as its queue admits; the name is the job's. */
        record Replaced(JobSpec spec) implements Change {}

        /** The first running member of a job is done; the name is the job's. */
        record Completed() implements Change {}

        /** The queues of a cluster are others, if no job is left without one. */
        record Reordered(List<JobQueue> queues) implements Change {}

        /** A node is in another rack and has another disk. */
        record Relabelled(String rack, String disk) implements Change {}

        /** The planner forgets all that is not in the state. */
        record Restarted() implements Change {}
    }

    /** The same with some jobs, events or nodes less, this many that follow each other, for each place where there are as many. */
    List<QueueWorld> smaller(int count) {
        List<QueueWorld> smaller = new ArrayList<>();
        runs(jobs, count)
                .forEach(gone ->
                        smaller.add(new QueueWorld(settings, nodes, queues, without(jobs, gone::contains), events)));
        runs(events, count)
                .forEach(gone ->
                        smaller.add(new QueueWorld(settings, nodes, queues, jobs, without(events, gone::contains))));
        if (nodes.size() > count) {
            runs(nodes, count).forEach(gone -> {
                List<String> names = gone.stream().map(Node::name).toList();
                List<Event> left = without(events, event -> names.contains(event.name()));
                smaller.add(new QueueWorld(settings, without(nodes, gone::contains), queues, jobs, left));
            });
        }
        return smaller;
    }

    private static <T> List<List<T>> runs(List<T> list, int count) {
        List<List<T>> runs = new ArrayList<>();
        for (int from = 0; from + count <= list.size(); from += count) {
            runs.add(list.subList(from, from + count));
        }
        return runs;
    }

    private static <T> List<T> without(List<T> list, Predicate<T> gone) {
        return list.stream().filter(gone.negate()).toList();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(settings + "\n");
        nodes.forEach(node -> text.append("  ")
                .append(node)
                .append(", ")
                .append(node.topology())
                .append(", ")
                .append(node.labels())
                .append('\n'));
        queues.forEach(queue -> text.append("  ").append(queue).append('\n'));
        for (Arrival arrival : jobs) {
            Job job = arrival.job();
            text.append("  at ")
                    .append(job.spec().submitted())
                    .append(" job ")
                    .append(job.name())
                    .append(" of ")
                    .append(job.queue())
                    .append(", priority ")
                    .append(job.spec().priority())
                    .append(", ")
                    .append(job.spec().eviction())
                    .append(", at most ")
                    .append(job.spec().maxDuration())
                    .append(", expected ")
                    .append(job.spec().expectedDuration())
                    .append(", runs ")
                    .append(arrival.runs())
                    .append(", ends within ")
                    .append(arrival.ends())
                    .append(job.spec().promised() ? ", promised" : "")
                    .append(", delay ")
                    .append(job.spec().preemptionDelay())
                    .append(": ")
                    .append(job.group())
                    .append('\n');
        }
        events.forEach(event -> text.append("  ").append(event).append('\n'));
        return text.toString();
    }
}
