package io.gpusched.internal.gang;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SharedValues;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.internal.search.RuledDemand;
import io.gpusched.model.Cluster;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** A group's request, taken apart once: its members, sorted into kinds that are decided alike. */
public final class Gang {
    /** Whole nodes first, then by idle GPUs, by GPUs, and by CPU. */
    static final Comparator<MemberKind> LARGEST_FIRST = Comparator.comparing(
                    (MemberKind kind) -> !kind.demand().wholeNode())
            .thenComparingInt(kind -> -kind.idleGpus())
            .thenComparingInt(kind -> -kind.demand().mostGpus())
            .thenComparingLong(kind -> -kind.demand().resources().cpuMillis());

    /**
     * A member is compared with so many kinds of the same hash, of which someone could have written thousands. One that equals none
     * of them gets a kind of its own, which costs time and changes nothing.
     */
    private static final int MOST_OF_ONE_HASH = 32;

    private final PodGroup group;
    private final List<Member> members = new ArrayList<>();
    private final List<MemberKind> kinds = new ArrayList<>();

    /**
     * Takes a group apart.
     *
     * @param shared what the placements of equal members share
     */
    public Gang(PodGroup group, SharedValues shared) {
        this.group = group;
        for (int role = 0; role < group.roles().size(); role++) {
            Map<Integer, List<MemberKind>> known = new HashMap<>();
            MemberKind last = null;
            for (Pod pod : group.roles().get(role).pods()) {
                boolean same = last != null && last.isOf(pod);
                MemberKind kind = same && last != null ? last : kind(role, pod, known);
                Member member = new Member(members.size(), new PodDemand(shared.shared(pod), shared), kind);
                kind.add(member);
                members.add(member);
                last = kind;
            }
        }
    }

    private MemberKind kind(int role, Pod pod, Map<Integer, List<MemberKind>> known) {
        List<MemberKind> sameHash = known.computeIfAbsent(MemberKind.hash(pod), any -> new ArrayList<>());
        for (MemberKind kind : sameHash) {
            if (kind.isOf(pod)) {
                return kind;
            }
        }
        MemberKind kind = new MemberKind(kinds.size(), role, pod);
        kinds.add(kind);
        if (sameHash.size() < MOST_OF_ONE_HASH) {
            sameHash.add(kind);
        }
        return kind;
    }

    public PodGroup group() {
        return group;
    }

    public List<Member> members() {
        return members;
    }

    public List<MemberKind> kinds() {
        return kinds;
    }

    /** Returns what the containers of all kinds of members ask of GPUs, in every shape that a member may take. */
    List<GpuRequest> requests() {
        List<GpuRequest> requests = new ArrayList<>();
        for (MemberKind kind : kinds) {
            for (PodDemand shape = kind.demand(); shape != null; shape = shape.otherwise()) {
                shape.gpuContainers().forEach(container -> requests.add(container.gpu()));
            }
        }
        return requests;
    }

    public int roles() {
        return group.roles().size();
    }

    public int roleMinimum(int role) {
        return group.roles().get(role).minMember();
    }

    /** The number of members that must start together at least. */
    public int required() {
        int byRole = group.roles().stream().mapToInt(PodGroup.Role::minMember).sum();
        return Math.max(group.minMember(), byRole);
    }

    /** Whether a member that is placed may change where another may go, beyond taking room. */
    public boolean isRuled(RuleCounts rules) {
        return kinds.stream().anyMatch(kind -> RuledDemand.isAffected(rules, kind.demand()));
    }

    /** Returns the snapshot as members see it that may all go to cordoned nodes. */
    @SuppressWarnings("ReferenceEquality") // a snapshot that was not opened is the same object
    public Cluster opened(Cluster cluster) {
        Cluster open = cluster;
        for (MemberKind kind : kinds) {
            Cluster seen = RuledDemand.opened(cluster, kind.demand());
            if (seen == cluster) {
                return cluster;
            }
            open = seen;
        }
        return open;
    }

    /** Returns the snapshot with all nodes open if any member may go to cordoned nodes: it has room for no fewer members. */
    @SuppressWarnings("ReferenceEquality") // a snapshot that was not opened is the same object
    public Cluster openedForAny(Cluster cluster) {
        for (MemberKind kind : kinds) {
            Cluster seen = RuledDemand.opened(cluster, kind.demand());
            if (seen != cluster) {
                return seen;
            }
        }
        return cluster;
    }

    /** Whether any member prefers some nodes to others. */
    public boolean hasPreferences(RuleCounts rules) {
        return kinds.stream().anyMatch(kind -> RuledDemand.hasPreferences(rules, kind.demand()));
    }

    /** Whether counting members node by node, in any order, settles whether the group can start. */
    public boolean isCountable() {
        return kinds.size() == 1 && kinds.get(0).isCountable();
    }

    /** Whether this many members of each kind may start. */
    public boolean canStart(int[] byKind) {
        int total = 0;
        int[] byRole = new int[roles()];
        for (MemberKind kind : kinds) {
            byRole[kind.role()] += byKind[kind.index()];
            total += byKind[kind.index()];
        }
        for (int role = 0; role < byRole.length; role++) {
            if (byRole[role] < roleMinimum(role)) {
                return false;
            }
        }
        return total >= group.minMember();
    }

    /** How many members of each kind start in any case when the group does. */
    public int[] least() {
        return least(kinds.stream().mapToInt(MemberKind::size).toArray());
    }

    /** How many members of each kind start in any case if of each kind no more than these do; O(kinds). */
    int[] least(int[] most) {
        int total = 0;
        int[] byRole = new int[roles()];
        for (MemberKind kind : kinds) {
            byRole[kind.role()] += most[kind.index()];
            total += most[kind.index()];
        }
        int[] least = new int[kinds.size()];
        for (MemberKind kind : kinds) {
            int sameRole = byRole[kind.role()] - most[kind.index()];
            int others = total - most[kind.index()];
            least[kind.index()] =
                    Math.max(0, Math.max(roleMinimum(kind.role()) - sameRole, group.minMember() - others));
        }
        return least;
    }

    /** The compute that the shares of members take together at least which may start, in milli. */
    long leastShareMillis() {
        return least(MemberKind::shareMillis);
    }

    /** The least that members take together which may start, when each takes this much. */
    private long least(ToIntFunction<MemberKind> amount) {
        List<MemberKind> cheapestFirst = new ArrayList<>(kinds);
        cheapestFirst.sort(Comparator.comparingInt(amount));
        int[] missing = new int[roles()];
        Arrays.setAll(missing, this::roleMinimum);
        int[] left = kinds.stream().mapToInt(MemberKind::size).toArray();
        int chosen = 0;
        long sum = 0;
        for (MemberKind kind : cheapestFirst) {
            int taken = Math.min(missing[kind.role()], kind.size());
            missing[kind.role()] -= taken;
            left[kind.index()] -= taken;
            chosen += taken;
            sum += (long) taken * amount.applyAsInt(kind);
        }
        for (MemberKind kind : cheapestFirst) {
            int taken = Math.min(Math.max(0, group.minMember() - chosen), left[kind.index()]);
            chosen += taken;
            sum += (long) taken * amount.applyAsInt(kind);
        }
        return sum;
    }

    /** What members take together, in terms that a cluster's tree can count. */
    public record Bulk(long idleGpus, long emptyNodes) {}

    /** The least that the members take which must start. */
    public Bulk leastBulk() {
        return new Bulk(least(MemberKind::idleGpus), least(kind -> kind.demand().wholeNode() ? 1 : 0));
    }

    /** What all members take at least. */
    public Bulk fullBulk() {
        long gpus = 0;
        long nodes = 0;
        for (MemberKind kind : kinds) {
            gpus += (long) kind.size() * kind.idleGpus();
            nodes += kind.demand().wholeNode() ? kind.size() : 0;
        }
        return new Bulk(gpus, nodes);
    }

    /** The classes of nodes that may admit any member. */
    public List<ClassIndex> classes(Cluster cluster) {
        List<ClassIndex> admitting = new ArrayList<>();
        for (ClassIndex nodes : ClusterIndex.of(cluster).classes()) {
            for (MemberKind kind : kinds) {
                if (kind.mayUse(nodes.nodeClass())) {
                    admitting.add(nodes);
                    break;
                }
            }
        }
        return admitting;
    }
}
