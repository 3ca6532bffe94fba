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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tree of queues with what each uses, its fair share, and the arithmetic that refuses a job before anything is searched. */
final class Queues {
    private final ResourceTable resources;
    private final Map<String, QueueUse> byName = new HashMap<>();
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

    /** Divides the cluster among the queues at the top, and what each gets among its parts. */
    void divide(UsageHistory history, int usagePermille) {
        for (int r = 0; r < resources.size(); r++) {
            divide(roots, r, resources.capacity()[r], history, usagePermille);
        }
    }

    private void divide(List<QueueUse> siblings, int r, long total, UsageHistory history, int usagePermille) {
        if (siblings.isEmpty()) {
            return;
        }
        QueueResource resource = resources.resource(r);
        List<FairShare.Claim> claims = new ArrayList<>();
        for (QueueUse use : siblings) {
            Queue queue = use.queue;
            long past = usagePermille == 0 ? 0 : permille(history.used(queue.name(), resource), history.halfLife(), r);
            claims.add(new FairShare.Claim(
                    queue.name(), queue.quota(resource), use.requested[r], queue.priority(), queue.created(), past));
        }
        Map<String, Long> shares =
                FairShare.divide(total, resource.unit(), usagePermille, claims).shares();
        for (QueueUse use : siblings) {
            use.setFairShare(r, shares.getOrDefault(use.name(), 0L));
            divide(use.parts, r, use.fairShare[r], history, usagePermille);
        }
    }

    /**
     * What was used over what the whole cluster would have used: steady use u decays to u times 3/2 half-lives over all time, as it
     * falls linearly within each.
     */
    private long permille(long used, long halfLife, int r) {
        BigInteger whole = BigInteger.valueOf(resources.capacity()[r])
                .multiply(BigInteger.valueOf(halfLife))
                .multiply(BigInteger.valueOf(3));
        if (whole.signum() == 0) {
            return 0;
        }
        BigInteger part =
                BigInteger.valueOf(used).multiply(BigInteger.valueOf(2_000)).divide(whole);
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
