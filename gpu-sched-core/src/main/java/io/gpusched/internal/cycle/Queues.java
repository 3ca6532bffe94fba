package io.gpusched.internal.cycle;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.PendingReason;
import io.gpusched.policy.FairShare;
import io.gpusched.workload.Queue;
import io.gpusched.workload.QueueResource;
import io.gpusched.workload.QueueTree;
import io.gpusched.workload.UsageHistory;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tree of queues with what each uses, its fair share, and the arithmetic that refuses a job before anything is searched. */
final class Queues {
    private final ResourceTable resources;
    private final Map<String, QueueUse> byName = new LinkedHashMap<>();
    private final List<QueueUse> roots = new ArrayList<>();

    Queues(QueueTree tree, ResourceTable resources) {
        this.resources = resources;
        tree.roots().forEach(root -> roots.add(added(tree, root, null)));
    }

    private QueueUse added(QueueTree tree, Queue queue, @Nullable QueueUse parent) {
        QueueUse use = new QueueUse(queue, parent, resources);
        byName.put(queue.name(), use);
        tree.children(queue.name()).forEach(child -> use.parts.add(added(tree, child, use)));
        return use;
    }

    QueueUse get(String name) {
        QueueUse use = byName.get(name);
        if (use == null) {
            throw new IllegalArgumentException("there is no queue \"" + name + "\"");
        }
        return use;
    }

    List<QueueUse> roots() {
        return roots;
    }

    /** All queues, each before its parts. */
    Collection<QueueUse> all() {
        return byName.values();
    }

    /** A cycle starts: divides what there is to share among the queues at the top, and what each gets among its parts. */
    void start(UsageHistory history, int usagePermille, long[] shared) {
        all().forEach(QueueUse::start);
        for (int r = 0; r < resources.size(); r++) {
            divide(roots, r, shared[r], new Past(history, usagePermille, shared[r]));
        }
    }

    /** What was used lately, and what the whole cluster would have used is in proportion to. */
    private record Past(UsageHistory history, int weight, long whole) {}

    private void divide(List<QueueUse> siblings, int r, long total, Past past) {
        if (siblings.isEmpty()) {
            return;
        }
        QueueResource resource = resources.resource(r);
        List<FairShare.Claim> claims = new ArrayList<>();
        for (QueueUse use : siblings) {
            Queue queue = use.queue;
            claims.add(new FairShare.Claim(
                    queue.name(),
                    queue.quota(resource),
                    use.requested[r],
                    queue.priority(),
                    queue.created(),
                    permille(past, queue.name(), resource)));
        }
        Map<String, Long> shares =
                FairShare.divide(total, resource.unit(), past.weight, claims).shares();
        for (QueueUse use : siblings) {
            use.setFairShare(r, shares.getOrDefault(use.name(), 0L));
            divide(use.parts, r, use.fairShare[r], past);
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

    /**
     * Returns why quotas forbid that a queue uses this in addition; null if they do not.
     *
     * @param certainty whether the job uses as much wherever it is placed
     */
    @Nullable
    PendingReason forbids(QueueUse queue, long[] asked, boolean isFixed, Certainty certainty) {
        for (QueueUse at = queue; at != null; at = at.parent) {
            int r = Vectors.firstAbove(at.used, asked, at.limit);
            if (r >= 0) {
                return new PendingReason.OverLimit(
                        at.name(), resources.resource(r), at.used[r], asked[r], at.limit[r], certainty);
            }
        }
        return forbidsFixed(queue, asked, isFixed, certainty);
    }

    /** Returns why a queue may not use this in addition for good, whoever leaves; null if it may. */
    @Nullable
    PendingReason forbidsFixed(QueueUse queue, long[] asked, boolean isFixed, Certainty certainty) {
        for (QueueUse at = queue; isFixed && at != null; at = at.parent) {
            int r = Vectors.firstAbove(at.fixed, asked, at.deserved);
            if (r >= 0) {
                return new PendingReason.OverDeserved(
                        at.name(), resources.resource(r), at.fixed[r], asked[r], at.deserved[r], certainty);
            }
        }
        return null;
    }
}
