package io.gpusched.internal.gang;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SharedValues;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.model.GroupMembership;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/** A group's request, taken apart once: its members, sorted into kinds that are decided alike. */
public final class Gang {
    /** Whole nodes first, then by idle GPUs, by GPUs, and by CPU. */
    static final Comparator<MemberKind> LARGEST_FIRST = Comparator.comparing(
                    (MemberKind kind) -> !kind.demand().wholeNode())
            .thenComparingLong(kind -> -kind.idleGpus())
            .thenComparingInt(kind -> -kind.demand().mostGpus())
            .thenComparingLong(kind -> -kind.demand().resources().cpuMillis());

    private final PodGroup group;
    private final int required;
    private final GroupMembership membership;
    private final List<Member> members = new ArrayList<>();
    private final List<MemberKind> kinds = new ArrayList<>();

    /** Takes a group apart that is not part of another. */
    public Gang(PodGroup group, SharedValues shared) {
        this(group, GroupMembership.of(group.name(), group.locality()), shared);
    }

    /**
     * Takes a group apart.
     *
     * @param membership what its members are members of
     * @param shared what the placements of equal members share
     */
    public Gang(PodGroup group, GroupMembership membership, SharedValues shared) {
        this.group = group;
        this.required = Math.max(
                group.minMember(),
                group.roles().stream().mapToInt(PodGroup.Role::minMember).sum());
        this.membership = membership;
        Optional<GroupMembership> own = Optional.of(membership);
        for (int role = 0; role < group.roles().size(); role++) {
            Map<Integer, List<MemberKind>> known = new HashMap<>();
            MemberKind last = null;
            for (Pod asked : group.roles().get(role).pods()) {
                Pod pod = asked.group().equals(own) ? asked.withGroup(Optional.empty()) : asked;
                boolean same = last != null && last.isOf(pod);
                MemberKind kind = same && last != null ? last : kind(role, pod, known);
                Member member = new Member(members.size(), shared.demand(pod), kind);
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
        if (sameHash.size() < GangBounds.MOST_KINDS_PER_HASH) {
            sameHash.add(kind);
        }
        return kind;
    }

    public PodGroup group() {
        return group;
    }

    /** What its members are members of. */
    public GroupMembership membership() {
        return membership;
    }

    /** Returns how many members of a group that has the namespaces of this one run on each node on which any do. */
    Map<String, Integer> running(RuleCounts counts, GroupMembership asked) {
        Map<String, Integer> byNode = new HashMap<>();
        Set<String> namespaces = new HashSet<>();
        for (MemberKind kind : kinds) {
            String namespace = kind.demand().pod().id().namespace();
            if (namespaces.add(namespace)) {
                counts.running(namespace, asked).forEach((node, pods) -> byNode.merge(node, pods, Integer::sum));
            }
        }
        return byNode;
    }

    public List<Member> members() {
        return members;
    }

    public List<MemberKind> kinds() {
        return kinds;
    }

    /** Returns what all kinds of members ask, in every alternative. */
    List<PodDemand> demands() {
        List<PodDemand> demands = new ArrayList<>();
        for (MemberKind kind : kinds) {
            for (PodDemand demand = kind.demand(); demand != null; demand = demand.otherwise()) {
                demands.add(demand);
            }
        }
        return demands;
    }

    /** Returns what their containers ask of GPUs. */
    List<GpuRequest> requests() {
        return demands().stream()
                .flatMap(demand -> demand.gpuContainers().stream())
                .map(Container::gpu)
                .toList();
    }

    public int roles() {
        return group.roles().size();
    }

    public int roleMinimum(int role) {
        return group.roles().get(role).minMember();
    }

    /** The number of members that must start together at least. */
    public int required() {
        return required;
    }

    /** Whether a member that is placed may change where another may go, beyond taking room. */
    public boolean isRuled(RuleCounts rules) {
        return kinds.stream().anyMatch(kind -> kind.demand().isAffectedBy(rules));
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

    /**
     * Returns the least that members which may start take together, beside the members that have a place.
     *
     * @param placed how many members of each kind have a place
     * @param most how many may have one in the end
     * @param leastFirst the kinds by what each member takes
     */
    long leastSum(int[] placed, int[] most, List<MemberKind> leastFirst, ToLongFunction<MemberKind> amount) {
        int[] missing = new int[roles()];
        Arrays.setAll(missing, this::roleMinimum);
        int more = group.minMember();
        for (MemberKind kind : kinds) {
            missing[kind.role()] -= placed[kind.index()];
            more -= placed[kind.index()];
        }
        int[] left = new int[kinds.size()];
        long sum = 0;
        for (MemberKind kind : leastFirst) {
            int open = most[kind.index()] - placed[kind.index()];
            int taken = Math.max(0, Math.min(missing[kind.role()], open));
            missing[kind.role()] -= taken;
            left[kind.index()] = open - taken;
            more -= taken;
            sum += taken * amount.applyAsLong(kind);
        }
        for (int i = 0; i < leastFirst.size() && more > 0; i++) {
            MemberKind kind = leastFirst.get(i);
            int taken = Math.min(more, left[kind.index()]);
            more -= taken;
            sum += taken * amount.applyAsLong(kind);
        }
        return sum;
    }

    /** Returns the least that members which may start take together. */
    public long leastSum(ToLongFunction<MemberKind> amount) {
        List<MemberKind> leastFirst = new ArrayList<>(kinds);
        leastFirst.sort(Comparator.comparingLong(amount));
        return leastSum(new int[kinds.size()], sizes(), leastFirst, amount);
    }

    /** Returns what all members take together at least. */
    long sum(ToLongFunction<MemberKind> amount) {
        return kinds.stream()
                .mapToLong(kind -> kind.size() * amount.applyAsLong(kind))
                .sum();
    }

    /** Returns how many members there are of each kind. */
    int[] sizes() {
        return kinds.stream().mapToInt(MemberKind::size).toArray();
    }

    /** Whether a GPU is told from another by its UUID. */
    boolean looksAtUuids() {
        return kinds.stream().anyMatch(kind -> kind.demand().looksAtUuids());
    }
}
