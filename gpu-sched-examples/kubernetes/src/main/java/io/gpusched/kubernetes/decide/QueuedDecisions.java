package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.evict.BudgetBook;
import io.gpusched.kubernetes.queue.Priorities;
import io.gpusched.kubernetes.queue.SchedulingQueue;
import io.gpusched.kubernetes.quota.QueueBook;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.queue.QueueState;
import java.time.Clock;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What there is beside the rest where pods are in queues: jobs, queues, budgets, nominations, and the cycle that decides. */
final class QueuedDecisions {
    private final PodTable pods;
    private final SchedulingQueue<Unit> waits;
    private final JobBook jobs;
    private final QueueBook queues;
    private final BudgetBook budgets = new BudgetBook();
    private final RoomPlans rooms;
    private final CycleRound round;

    QueuedDecisions(
            Scope scope,
            ClusterBook book,
            PodTable pods,
            Map<GroupKey, GroupSpec> groups,
            GroupTally tally,
            Ranks ranks,
            Priorities priorities,
            Requests requests,
            Refusals refusals,
            SchedulingQueue<Unit> waits,
            Binder binder,
            QueueSettings how,
            Clock clock) {
        this.pods = pods;
        this.waits = waits;
        jobs = new JobBook(scope, priorities, how.vocabulary(), clock);
        queues = new QueueBook(how.vocabulary());
        Nominations nominations = new Nominations();
        rooms = new RoomPlans(book, pods, jobs, nominations);
        CycleStates states = new CycleStates(
                book, pods, groups, tally, ranks, requests, refusals, waits, jobs, queues, nominations, how.backfill());
        round = new CycleRound(book, states, rooms, budgets, jobs, binder, refusals, queues::tree, how, clock);
    }

    /** Takes note of a change, as far as queues are concerned. */
    void apply(Change change, long now) {
        if (change instanceof Change.PodPut put) {
            if (!pods.isLate(put.pod()) && jobs.put(put.pod())) {
                rooms.saw(Unit.idOf(put.pod()));
            }
        } else if (change instanceof Change.PodGone gone) {
            JobPod known = jobs.get(gone.id());
            if (known != null && known.uid().equals(gone.uid())) {
                jobs.remove(gone.id());
            }
        } else if (change instanceof Change.QueuePut put) {
            queues.put(put.queue());
        } else if (change instanceof Change.QueueGone gone) {
            queues.remove(gone.name());
        } else if (change instanceof Change.BudgetPut put) {
            budgets.put(put.budget());
        } else if (change instanceof Change.BudgetGone gone) {
            budgets.remove(gone.budget());
        } else if (change instanceof Change.RoomGivenUp given) {
            Optional<Unit> unit = rooms.givenUp(given, now);
            if (given.kept().isEmpty()) {
                unit.ifPresent(one -> waits.delay(one, now)); // it is the job itself to which the server said no
            }
        }
    }

    /** After a batch of changes: a node or volume alone matters only if something of it is another now. */
    void changed(Collection<Change> changes, boolean nodesChanged) {
        boolean others = changes.stream()
                .anyMatch(change -> !(change instanceof Change.NodePut) && !(change instanceof Change.VolumePut));
        if (nodesChanged || others) {
            round.changed();
        }
    }

    Decisions decide(long now) {
        return round.decide(now);
    }

    QueueState seen(long now) {
        return round.seen(now);
    }

    OptionalLong nextAt() {
        return round.nextAt();
    }
}
