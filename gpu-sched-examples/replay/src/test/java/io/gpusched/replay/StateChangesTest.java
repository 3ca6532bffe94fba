package io.gpusched.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Resources;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.UniqueElements;
import org.junit.jupiter.api.Test;

/** What two states differ in leads from one to the other, and says no more of the order of jobs than it must. */
class StateChangesTest {
    private static final QueueTree QUEUES =
            QueueTree.of(List.of(JobQueue.builder("all").build()));

    private static Job job(int number) {
        Pod pod = Pod.of("j" + number, Resources.of(1_000, 1_000), GpuRequest.exclusive(1));
        return Job.pending(
                JobSpec.builder(PodGroup.of("j" + number, List.of(pod)), "all").build());
    }

    private static QueueState state(List<Integer> jobs) {
        return QueueState.of(
                Cluster.of(List.of()),
                QUEUES,
                jobs.stream().map(StateChangesTest::job).toList());
    }

    private static List<Integer> numbers(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    @Test
    void aJobThatComesBetweenTheLastOnes_isToldWithTheLastOnesAlone_evenIfTheFirstIsGone() {
        List<Integer> after = new ArrayList<>(numbers(1, 1_000));
        after.add(997, 1_000);
        List<HistoryEvent> events = StateChanges.between(state(numbers(0, 1_000)), state(after));
        assertThat(events).contains(new HistoryEvent.JobsOrdered(List.of("j1000", "j998", "j999")));
        assertThat(events).hasSize(3);
    }

    @Property(tries = 500)
    void changes_leadToTheJobsInTheirOrder(
            @ForAll @UniqueElements List<@IntRange(max = 12) Integer> before,
            @ForAll @UniqueElements List<@IntRange(max = 12) Integer> after) {
        QueueState next = state(after);
        StateDraft draft = new StateDraft(state(before));
        draft.apply(StateChanges.between(draft.state(), next));
        assertThat(draft.state().jobs()).containsExactlyElementsOf(next.jobs());
    }
}
