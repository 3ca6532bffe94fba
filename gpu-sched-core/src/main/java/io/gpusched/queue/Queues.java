package io.gpusched.queue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tree of queues by number, each before its parts, with what each deserves and may hold, and how fair shares are divided. */
final class Queues {
    private final ResourceTable table;
    private final List<JobQueue> queues = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<Integer> roots = new ArrayList<>();
    private final List<List<Integer>> parts = new ArrayList<>();
    private final List<Integer> parents = new ArrayList<>();
    private final List<Integer> depths = new ArrayList<>();
    private final List<Long> minRuntimes = new ArrayList<>();
    private final List<long[]> deserved = new ArrayList<>();
    private final List<long[]> limits = new ArrayList<>();

    Queues(QueueTree tree, ResourceTable table) {
        this.table = table;
        tree.roots().forEach(root -> roots.add(add(tree, root, -1)));
    }

    private int add(QueueTree tree, JobQueue queue, int parent) {
        int number = queues.size();
        queues.add(queue);
        numbers.put(queue.name(), number);
        parents.add(parent);
        depths.add(parent < 0 ? 0 : depths.get(parent) + 1);
        minRuntimes.add(Math.max(queue.minRuntime(), parent < 0 ? 0 : minRuntimes.get(parent)));
        long[] own = new long[table.size()];
        long[] most = new long[table.size()];
        for (int r = 0; r < table.size(); r++) {
            own[r] = queue.quota(table.resource(r)).deserved();
            most[r] = queue.quota(table.resource(r)).limit();
        }
        deserved.add(own);
        limits.add(most);
        List<Integer> below = new ArrayList<>();
        parts.add(below);
        tree.children(queue.name()).forEach(child -> below.add(add(tree, child, number)));
        return number;
    }

    int size() {
        return queues.size();
    }

    JobQueue queue(int number) {
        return queues.get(number);
    }

    String name(int number) {
        return queues.get(number).name();
    }

    int number(String name) {
        return numbers.getOrDefault(name, -1);
    }

    List<Integer> roots() {
        return roots;
    }

    List<Integer> parts(int queue) {
        return parts.get(queue);
    }

    /** The queue that this one is a part of; -1 at the top. */
    int parent(int queue) {
        return parents.get(queue);
    }

    long[] deserved(int queue) {
        return deserved.get(queue);
    }

    long[] limit(int queue) {
        return limits.get(queue);
    }

    /** How long jobs run at least before they are evicted: the greatest on the way to the top. */
    long minRuntime(int queue) {
        return minRuntimes.get(queue);
    }

    /** The queue on the way from one queue to the top that is a sibling of one on the way from the other; itself if they are one. */
    int siblingOf(int queue, int other) {
        int mine = queue;
        int theirs = other;
        while (depths.get(mine) > depths.get(theirs)) {
            mine = parents.get(mine);
        }
        while (depths.get(theirs) > depths.get(mine)) {
            theirs = parents.get(theirs);
        }
        while (mine != theirs && parents.get(mine) >= 0 && !parents.get(mine).equals(parents.get(theirs))) {
            mine = parents.get(mine);
            theirs = parents.get(theirs);
        }
        return mine;
    }

    /**
     * The fair shares of all queues.
     *
     * @param fair the fair share of each queue
     * @param mayKeep what each queue may keep: what it deserves or its fair share, whichever is more, within its limit
     * @param whole what the queues share: what the cluster has, without what pods of no job hold
     */
    @SuppressWarnings("ArrayRecordComponent") // amounts are never compared
    record Shares(List<long[]> fair, List<long[]> mayKeep, long[] whole) {}

    /**
     * Divides what there is to share among the queues at the top, and what each gets among its parts.
     *
     * @param requested what the jobs of each queue hold and ask for
     */
    Shares divide(List<long[]> requested, UsageHistory history, int usagePermille, long[] whole) {
        List<long[]> fair = new ArrayList<>();
        List<long[]> mayKeep = new ArrayList<>();
        for (int queue = 0; queue < size(); queue++) {
            fair.add(new long[table.size()]);
            mayKeep.add(new long[table.size()]);
        }
        for (int r = 0; r < table.size(); r++) {
            divide(roots, r, whole[r], requested, fair, new Past(history, usagePermille, whole[r]));
        }
        for (int queue = 0; queue < size(); queue++) {
            for (int r = 0; r < table.size(); r++) {
                long own = deserved(queue)[r];
                long most = limit(queue)[r];
                mayKeep.get(queue)[r] =
                        own == Quota.UNLIMITED ? most : Math.min(most, Math.max(own, fair.get(queue)[r]));
            }
        }
        return new Shares(fair, mayKeep, whole);
    }

    /** What was used lately, and what the whole cluster would have used is in proportion to. */
    private record Past(UsageHistory history, int weight, long whole) {}

    private void divide(
            List<Integer> siblings, int r, long total, List<long[]> requested, List<long[]> fair, Past past) {
        if (siblings.isEmpty()) {
            return;
        }
        QueueResource resource = table.resource(r);
        List<FairShare.Claim> claims = new ArrayList<>();
        for (int number : siblings) {
            JobQueue queue = queue(number);
            claims.add(new FairShare.Claim(
                    queue.name(),
                    queue.quota(resource),
                    requested.get(number)[r],
                    queue.priority(),
                    queue.created(),
                    permille(past, queue.name(), resource)));
        }
        Map<String, Long> shares =
                FairShare.divide(total, resource.unit(), past.weight, claims).shares();
        for (int number : siblings) {
            fair.get(number)[r] = shares.getOrDefault(name(number), 0L);
            divide(parts(number), r, fair.get(number)[r], requested, fair, past);
        }
    }

    /**
     * What was used over what the whole cluster would have used: steady use u decays to u times 3/2 half-lives over all time, as it
     * falls linearly within each.
     */
    private static long permille(Past past, String queue, QueueResource resource) {
        BigInteger whole = BigInteger.valueOf(past.whole)
                .multiply(BigInteger.valueOf(past.history.halfLife()))
                .multiply(BigInteger.valueOf(3));
        if (past.weight == 0 || whole.signum() == 0) {
            return 0;
        }
        BigInteger part = BigInteger.valueOf(past.history.used(queue, resource))
                .multiply(BigInteger.valueOf(2_000))
                .divide(whole);
        return part.min(BigInteger.valueOf(Integer.MAX_VALUE)).longValueExact();
    }
}
