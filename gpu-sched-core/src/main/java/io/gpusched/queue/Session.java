package io.gpusched.queue;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state at one moment of a plan; a value, so that a what-if is another session and dropping it costs nothing.
 *
 * <p>A pod that may start is one that is nominated and also passes now. What runs, terminates and is nominated together may over-book, so
 * there are three snapshots, one and the same as long as nothing terminates and nothing is nominated.
 *
 * @param input what does not change in a plan
 * @param now what runs and what terminates: what is really free
 * @param later what runs and what is nominated, once all that terminates has ended
 * @param strict now, and of what is nominated what fits beside it: a place found here is free now and held for no one
 * @param jobs where a job stands that does not stand as before the plan; null for others
 * @param unsettled the jobs that have a place in {@code jobs}, or ask for something, by number
 * @param held what each queue holds with what runs and what is nominated
 * @param fixed what of it may not be evicted
 * @param standing what each queue holds with what runs and what terminates
 * @param timeline what is held at later times; null if no start is reserved
 * @param apart how many placements terminate or are nominated
 * @param delays whether a reserved start finds its places taken
 * @param started what was started last, even if it left since; null if nothing was, or no pod looks at others
 */
record Session(
        PlanInput input,
        Cluster now,
        Cluster later,
        Cluster strict,
        Vec<@Nullable JobStatus> jobs,
        JobNumbers unsettled,
        Vec<long[]> held,
        Vec<long[]> fixed,
        Vec<long[]> standing,
        @Nullable Timeline timeline,
        int apart,
        boolean delays,
        @Nullable Started started) {

    /**
     * What this plan starts where rules look at other pods, in the order in which it does.
     *
     * @param before what it started before; null if nothing
     */
    record Started(int job, Placement placement, @Nullable Started before) {}

    /** The session at the start of a plan: what is nominated has to be admitted again, and no start is reserved yet. */
    static Session of(PlanInput input) {
        Cluster now = input.cluster();
        List<Placement> terminating = new ArrayList<>();
        Vec<@Nullable JobStatus> jobs = Vec.ofNulls(input.jobs().size());
        JobNumbers unsettled = input.unsettled();
        for (int i = 0; i < unsettled.size(); i++) {
            JobStatus status = input.job(unsettled.get(i)).job.status();
            terminating.addAll(status.terminating());
            if (!status.nominated().isEmpty()) {
                jobs = jobs.with(unsettled.get(i), status.withNominated(List.of()));
            }
        }
        Cluster later = terminating.isEmpty() ? now : Snapshots.without(now, terminating);
        return new Session(
                input,
                now,
                later,
                now,
                jobs,
                unsettled,
                Vec.of(input.sums().held()),
                Vec.of(input.sums().fixed()),
                Vec.of(input.sums().standing()),
                null,
                terminating.size(),
                false,
                null);
    }

    /** Whether nothing terminates and nothing is nominated, so that the snapshots are one. */
    boolean isPlain() {
        return apart == 0;
    }

    JobStatus status(int job) {
        JobStatus changed = jobs.get(job);
        return changed == null ? input.job(job).job.status() : changed;
    }

    @Nullable
    Request next(int job) {
        return input.job(job).next(job, status(job));
    }

    /** The session once these members run; null if there is no room for them, or one of them still terminates. */
    @Nullable
    Session start(int job, List<Placement> placements) {
        JobStatus status = status(job);
        if (!Collections.disjoint(Members.ids(status.terminating()), Members.ids(placements))) {
            return null;
        }
        Session after = become(
                job,
                status.with(
                        plus(status.running(), placements),
                        status.terminating(),
                        minus(status.nominated(), placements)));
        return after == null || !input.isRuled() ? after : after.withStarted(job, placements);
    }

    private Session withStarted(int job, List<Placement> placements) {
        Started last = started;
        for (Placement placement : placements) {
            last = new Started(job, placement, last);
        }
        return new Session(
                input, now, later, strict, jobs, unsettled, held, fixed, standing, timeline, apart, delays, last);
    }

    /** What this plan has started and still runs there, in the order in which it started. */
    List<Started> inOrder() {
        List<Started> order = new ArrayList<>();
        Set<PodId> seen = new HashSet<>();
        for (Started each = started; each != null; each = each.before()) {
            PodId pod = each.placement().pod();
            if (seen.add(pod) && Members.ids(status(each.job()).running()).contains(pod)) {
                order.add(each);
            }
        }
        Collections.reverse(order);
        return order;
    }

    /** The session once places are held for these members; null if there is no room for them. */
    @Nullable
    Session nominate(int job, List<Placement> placements) {
        JobStatus status = status(job);
        return become(job, status.with(status.running(), status.terminating(), plus(status.nominated(), placements)));
    }

    /** The session once no places are held for a job any more. */
    @Nullable
    Session withdraw(int job) {
        JobStatus status = status(job);
        return become(job, status.with(status.running(), status.terminating(), List.of()));
    }

    /** The session once these members terminate; members that this plan started do not run at all. */
    @Nullable
    Session evict(int job, List<Placement> placements) {
        JobStatus status = status(job);
        Set<PodId> before = Members.ids(input.job(job).job.status().running());
        List<Placement> ending = placements.stream()
                .filter(placement -> before.contains(placement.pod()))
                .toList();
        return become(
                job,
                status.with(
                        minus(status.running(), placements), plus(status.terminating(), ending), status.nominated()));
    }

    /** The session once these members, which were to leave, stay where they ran before the plan; null if there is no room for them. */
    @Nullable
    Session restore(int job, List<Placement> placements) {
        JobStatus status = status(job);
        JobStatus before = input.job(job).job.status();
        Set<PodId> staying = Members.ids(plus(status.running(), placements));
        List<Placement> running = new ArrayList<>(before.running());
        running.removeIf(placement -> !staying.contains(placement.pod()));
        running.addAll(minus(status.running(), before.running()));
        return become(
                job,
                new JobStatus(
                        running,
                        minus(status.terminating(), placements),
                        minus(status.nominated(), placements),
                        before.started(),
                        before.staleSince(),
                        status.reservation()));
    }

    private static List<Placement> plus(List<Placement> placements, List<Placement> more) {
        if (placements.isEmpty()) {
            return more;
        }
        List<Placement> all = new ArrayList<>(placements);
        all.addAll(more);
        return all;
    }

    private static List<Placement> minus(List<Placement> placements, List<Placement> gone) {
        if (placements.isEmpty()) {
            return placements;
        }
        Set<PodId> ids = Members.ids(gone);
        return placements.stream()
                .filter(placement -> !ids.contains(placement.pod()))
                .toList();
    }

    /** What comes and what goes from one set of placements to another. */
    private record Difference(List<Placement> gone, List<Placement> come) {
        static Difference of(List<Placement> oldA, List<Placement> oldB, List<Placement> newA, List<Placement> newB) {
            if (oldA.isEmpty() && oldB.isEmpty()) {
                return new Difference(List.of(), newB.isEmpty() ? newA : plus(newA, newB));
            }
            Set<Placement> before = identities(oldA, oldB);
            Set<Placement> after = identities(newA, newB);
            return new Difference(missing(oldA, oldB, after), missing(newA, newB, before));
        }

        private static Set<Placement> identities(List<Placement> a, List<Placement> b) {
            Set<Placement> all = Collections.newSetFromMap(new IdentityHashMap<>());
            all.addAll(a);
            all.addAll(b);
            return all;
        }

        private static List<Placement> missing(List<Placement> a, List<Placement> b, Set<Placement> in) {
            List<Placement> missing = new ArrayList<>();
            a.stream().filter(placement -> !in.contains(placement)).forEach(missing::add);
            b.stream().filter(placement -> !in.contains(placement)).forEach(missing::add);
            return missing;
        }

        boolean isEmpty() {
            return gone.isEmpty() && come.isEmpty();
        }

        @Nullable
        Cluster apply(Cluster cluster) {
            return isEmpty() ? cluster : Snapshots.with(Snapshots.without(cluster, gone), come);
        }
    }

    /**
     * The one change: what a job runs, what of it terminates, and what is nominated. All snapshots and sums follow from it.
     *
     * @return null if one of the snapshots has no room
     */
    private @Nullable Session become(int job, JobStatus next) {
        JobStatus old = status(job);
        Difference ofNow = Difference.of(old.running(), old.terminating(), next.running(), next.terminating());
        Difference ofLater = Difference.of(old.running(), old.nominated(), next.running(), next.nominated());
        Cluster newNow = ofNow.apply(now);
        int newApart = apart
                + next.terminating().size()
                + next.nominated().size()
                - old.terminating().size()
                - old.nominated().size();
        boolean isOne = isPlain() && newApart == 0;
        Cluster newLater = isOne ? newNow : ofLater.apply(later);
        Cluster newStrict = isOne ? newNow : strict(old, next, ofNow);
        if (newStrict == null && newNow != null && Members.ids(old.nominated()).containsAll(Members.ids(ofNow.come))) {
            newStrict =
                    strict(newNow, job, next); // what is nominated starts even if others that are could start there now
        }
        if (newNow == null || newLater == null || newStrict == null) {
            return null;
        }
        Timeline known = timeline;
        Timeline follows =
                known == null || ofLater.isEmpty() ? known : known.follow(job, next, ofLater.gone, ofLater.come);
        return new Session(
                input,
                newNow,
                newLater,
                newStrict,
                jobs.with(job, stamped(job, old, next)),
                unsettled.with(job),
                moved(held, job, ofLater),
                fixedMoved(job, old, next),
                moved(standing, job, ofNow),
                follows == null ? known : follows,
                newApart,
                delays || known != null && follows == null,
                started);
    }

    private @Nullable Cluster strict(JobStatus old, JobStatus next, Difference ofNow) {
        Cluster cluster = Snapshots.without(Snapshots.without(strict, ofNow.gone), old.nominated());
        cluster = Snapshots.with(cluster, ofNow.come);
        return cluster == null ? null : asFarAsFits(cluster, next.nominated());
    }

    private Cluster strict(Cluster newNow, int job, JobStatus next) {
        Cluster cluster = newNow;
        for (int i = 0; i < unsettled.size(); i++) {
            JobStatus status = unsettled.get(i) == job ? next : status(unsettled.get(i));
            cluster = asFarAsFits(cluster, status.nominated());
        }
        return cluster;
    }

    private static Cluster asFarAsFits(Cluster cluster, List<Placement> placements) {
        Cluster all = cluster;
        for (Placement placement : placements) {
            Cluster more = Snapshots.with(all, placement);
            all = more == null ? all : more;
        }
        return all;
    }

    /** When the minimum started, as the members that run say. */
    private JobStatus stamped(int job, JobStatus old, JobStatus next) {
        if (next.running().isEmpty()) {
            return next.notStarted();
        }
        boolean isKnown = next.started().isPresent() && next.staleSince().isEmpty();
        if (isKnown || old.running().size() == next.running().size()) {
            return next;
        }
        return Members.isMinimum(input.job(job).job.group(), Members.ids(next.running()))
                ? next.startedAt(next.started().orElse(input.time()))
                : next;
    }

    private Vec<long[]> moved(Vec<long[]> sums, int job, Difference difference) {
        if (difference.isEmpty()) {
            return sums;
        }
        long[] change = input.table().held(difference.come, now);
        Amounts.subtract(change, input.table().held(difference.gone, now));
        return added(sums, input.job(job).queue, change);
    }

    private Vec<long[]> added(Vec<long[]> sums, int queue, long[] change) {
        Vec<long[]> next = sums;
        for (int q = queue; q >= 0; q = input.queues().parent(q)) {
            next = next.with(q, Amounts.sum(next.get(q), change));
        }
        return next;
    }

    private Vec<long[]> fixedMoved(int job, JobStatus old, JobStatus next) {
        JobFacts facts = input.job(job);
        if (!facts.isFixed(true)) {
            return fixed;
        }
        long[] change = facts.fixed(plus(next.running(), next.nominated()), now);
        Amounts.subtract(change, facts.fixed(plus(old.running(), old.nominated()), now));
        return added(fixed, facts.queue, change);
    }

    /** The session with other reserved starts. */
    Session withTimeline(@Nullable Timeline value) {
        return new Session(
                input, now, later, strict, jobs, unsettled, held, fixed, standing, value, apart, false, started);
    }

    /** The session where a job stands otherwise in what no snapshot shows: what is reserved for it, or since when it is stale. */
    Session withStatus(int job, JobStatus status) {
        return new Session(
                input,
                now,
                later,
                strict,
                jobs.with(job, status),
                unsettled.with(job),
                held,
                fixed,
                standing,
                timeline,
                apart,
                delays,
                started);
    }

    /** What these placements of a job hold together. */
    long[] held(Collection<Placement> placements) {
        return input.table().held(placements, now);
    }

    /** Divides what the queues share by what their jobs hold and ask for. */
    Queues.Shares shares() {
        Queues queues = input.queues();
        List<long[]> requested = input.sums().requested();
        for (int i = 0; i < unsettled.size(); i++) {
            JobStatus status = jobs.get(unsettled.get(i));
            if (status != null) {
                JobFacts facts = input.job(unsettled.get(i));
                long[] more = facts.requested(status, input.cluster()).clone();
                Amounts.subtract(more, facts.requested);
                for (int q = facts.queue; q >= 0; q = queues.parent(q)) {
                    Amounts.add(requested.get(q), more);
                }
            }
        }
        return queues.divide(requested, input.state().usage(), input.settings().usagePermille(), input.shared());
    }
}
