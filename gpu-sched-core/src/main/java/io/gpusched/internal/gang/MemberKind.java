package io.gpusched.internal.gang;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.GpuTake;
import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Members of one role that ask for the same; compared by identity. */
public final class MemberKind {
    private final int index;
    private final int role;
    private final Pod asked;
    private final List<Member> members = new ArrayList<>();
    private long idleGpus;
    private long shareMillis;

    MemberKind(int index, int role, Pod asked) {
        this.index = index;
        this.role = role;
        this.asked = asked;
    }

    public int index() {
        return index;
    }

    public int role() {
        return role;
    }

    /** Returns a hash that is the same for pods that {@link #isOf} takes for equal. */
    static int hash(Pod pod) {
        return (pod.requestHash() * 31 + pod.rules().hashCode()) * 31
                + pod.id().namespace().hashCode();
    }

    /** Whether a pod asks for the same as the members, and rules treat it alike. */
    boolean isOf(Pod pod) {
        return areAlike(asked, pod) && asked.group().equals(pod.group());
    }

    /** Whether two pods ask for the same, and rules treat them alike, whatever groups they are in. */
    static boolean areAlike(Pod one, Pod other) {
        return one.asksTheSame(other)
                && one.rules().equals(other.rules())
                && one.id().namespace().equals(other.id().namespace());
    }

    void add(Member member) {
        members.add(member);
        if (members.size() == 1) {
            idleGpus = least(MemberKind::idleGpus);
            shareMillis = least(MemberKind::shareMillis);
        }
    }

    /** The least that a member takes, in whatever alternative. */
    private long least(ToLongFunction<PodDemand> amount) {
        long least = Long.MAX_VALUE;
        for (PodDemand alternative = demand(); alternative != null; alternative = alternative.otherwise()) {
            least = Math.min(least, amount.applyAsLong(alternative));
        }
        return least;
    }

    /** The members in the group's order, at least one. */
    public List<Member> members() {
        return members;
    }

    public int size() {
        return members.size();
    }

    public PodDemand demand() {
        return members.get(0).demand();
    }

    /**
     * Whether a member takes exactly one from the number of its kind that a node can take, wherever it is put
     * there.
     */
    public boolean isCountable() {
        return PodCapacity.isExact(demand());
    }

    /** Whether a node admits a member in any alternative, whatever GPUs are free. */
    boolean isAdmitted(NodeState node) {
        for (PodDemand alternative = demand(); alternative != null; alternative = alternative.otherwise()) {
            if (FitRule.butForGpus(alternative, node) == null) {
                return true;
            }
        }
        return false;
    }

    /** Returns the idle GPUs that a member takes at least. */
    public long idleGpus() {
        return idleGpus;
    }

    /** Returns the compute that the shares of a member take at least at one time, in milli. */
    long shareMillis() {
        return shareMillis;
    }

    /** Returns how many whole nodes a member takes. */
    public int wholeNodes() {
        return demand().wholeNode() ? 1 : 0;
    }

    private static long idleGpus(PodDemand demand) {
        int sum = 0;
        int most = 0;
        for (Container container : demand.gpuContainers()) {
            int count = GpuTake.isWhole(container.gpu()) ? container.gpu().count() : 0;
            sum += container.kind() == ContainerKind.INIT ? 0 : count;
            most = Math.max(most, count);
        }
        return Math.max(sum, most);
    }

    private static long shareMillis(PodDemand demand) {
        long sum = 0;
        for (Container container : demand.gpuContainers()) {
            if (container.gpu() instanceof GpuRequest.Share share && container.kind() != ContainerKind.INIT) {
                sum += (long) share.count() * share.computeMillis();
            }
        }
        return sum;
    }
}
