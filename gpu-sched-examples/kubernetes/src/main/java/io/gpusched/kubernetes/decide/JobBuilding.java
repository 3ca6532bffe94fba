package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.queue.Priorities;
import io.gpusched.manifests.grant.JobRecord;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.queue.Backfill;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes one job of the library of the pods of a group, or of a pod by itself. */
final class JobBuilding {
    /** Of a job for which no pod is ever evicted; far enough from the end of time to be added to it. */
    private static final long NEVER = Long.MAX_VALUE / 4;

    private final ClusterBook book;
    private final PodTable pods;
    private final Priorities priorities;
    private final Nominations nominations;
    private final Backfill backfill;

    /** How many of the ways in which a group may stay close found no room in this round. */
    private final Map<Unit, Integer> tried = new HashMap<>();

    JobBuilding(Tables tables, Priorities priorities, Nominations nominations, Backfill backfill) {
        this.backfill = backfill;
        this.book = tables.book();
        this.pods = tables.pods();
        this.priorities = priorities;
        this.nominations = nominations;
    }

    /** A round begins, which may make several plans. */
    void begin() {
        tried.clear();
    }

    /** There is no room for a group within the domains in which it was tried: the next ones are. */
    void widen(Unit unit) {
        tried.merge(unit, 1, Integer::sum);
    }

    static String nameOf(Unit unit) {
        return unit instanceof Unit.Group group ? group.key().unique() : "pod " + ((Unit.Single) unit).pod();
    }

    /** Returns how a job is called in words: a group is known by its name, whosever vocabulary it is. */
    static String inWords(String name) {
        return name.replaceFirst("^group \\S+ ", "group ");
    }

    /** Where the members are. */
    private static final class Whereabouts {
        final List<Placement> running = new ArrayList<>();
        final List<Placement> terminating = new ArrayList<>();
        final Map<PodId, JobPod> members = new LinkedHashMap<>();

        /** The pods that run, and since when as far as that is known. */
        final Map<JobPod, Long> since = new LinkedHashMap<>();

        OptionalLong started = OptionalLong.empty();
        boolean isBinding;

        /** How long these and others that wait run. */
        JobTimes times(Collection<JobPod> waiting, long time) {
            since.replaceAll((pod, known) -> Math.min(time, known));
            return JobTimes.of(since, waiting, started.orElse(time));
        }
    }

    /**
     * Returns those of the pods that wait which would outlast their job. They do not join it: whoever is promised a start at its end was not
     * told of them.
     */
    List<Request.Ready> outlasting(
            @Nullable GroupSpec spec, List<JobPod> members, List<Request.Ready> ready, long time) {
        Whereabouts where = whereabouts(book.cluster(), members);
        if (backfill == Backfill.ANYONE
                || where.running.isEmpty()
                || spec != null && where.running.size() < spec.minimum()) {
            return List.of();
        }
        JobTimes times = where.times(List.of(), time);
        long ranFor = time - where.started.orElse(time);
        return ready.stream()
                .filter(one -> !times.covers(
                        Objects.requireNonNull(where.members.get(one.pod().id())), ranFor))
                .toList();
    }

    /**
     * Returns the job; nothing if it has no pod that waits, runs or ends.
     *
     * @param ready the pods that wait and may be asked for
     * @param kept pods that are not to be evicted
     * @param ended how many members have ended well, and are not missed
     */
    Optional<JobInput> job(
            Unit unit,
            @Nullable GroupSpec spec,
            String queue,
            List<JobPod> members,
            List<Request.Ready> ready,
            Set<PodId> kept,
            int ended,
            long time) {
        Cluster cluster = book.cluster();
        Whereabouts where = whereabouts(cluster, members);
        Map<PodId, Request.Ready> byId = new LinkedHashMap<>();
        ready.forEach(one -> byId.put(one.pod().id(), one));
        if (byId.isEmpty() && where.running.isEmpty() && where.terminating.isEmpty()) {
            return Optional.empty();
        }
        List<Placement> nominated = new ArrayList<>();
        List<Placement> lost = new ArrayList<>();
        nominations.places(unit).forEach(place -> (byId.containsKey(place.pod()) ? nominated : lost).add(place));
        List<Near> ways = ways(spec == null ? GroupLocality.ANYWHERE : spec.locality(), where.running, nominated);
        int way = Math.min(tried.getOrDefault(unit, 0), ways.size() - 1);
        PodGroup group = group(unit, spec, where, ready, ways.get(way), ended);
        JobSpec.Builder job = JobSpec.builder(group, queue)
                .priority(priority(spec, members))
                .eviction(eviction(spec, where, kept))
                .submitted(members.stream().mapToLong(JobPod::created).min().orElse(0))
                .preemptionDelay(preempts(spec, members) ? 0 : NEVER)
                .promised(backfill == Backfill.PROMISED && unit instanceof Unit.Group);
        JobTimes times = backfill == Backfill.ANYONE
                ? JobTimes.UNKNOWN
                : where.times(
                        members.stream()
                                .filter(pod -> byId.containsKey(pod.id()))
                                .toList(),
                        time);
        times.limit().ifPresent(job::maxDuration);
        ready.stream().findFirst().ifPresent(first -> job.policy(policy(first)));
        JobStatus placed = JobStatus.PENDING
                .withRunning(where.running)
                .withTerminating(where.terminating)
                .withNominated(nominated);
        JobStatus status = where.running.isEmpty() ? placed : placed.startedAt(where.started.orElse(time));
        return Optional.of(new JobInput(
                unit,
                new Job(job.build(), status),
                times.expected(),
                isPreemptible(spec, members),
                byId,
                lost,
                way < ways.size() - 1));
    }

    /** The one that its dialect names for it; of a group that of its first pod. */
    private PlacementPolicy policy(Request.Ready ready) {
        return book.informed(ready.named().dialect()).policy(ready.manifest());
    }

    private Whereabouts whereabouts(Cluster cluster, List<JobPod> members) {
        Whereabouts where = new Whereabouts();
        for (JobPod member : members) {
            where.members.put(member.id(), member);
            PodRow row = pods.row(member.id());
            Placement placement = cluster.placement(member.id()).orElse(null);
            if (row == null || row.isWaiting() || placement == null) {
                continue;
            }
            where.isBinding |= row.binding() != null;
            if (member.isEnding() || nominations.isLeaving(member.id())) {
                where.terminating.add(placement);
            } else {
                where.running.add(placement);
                long since = member.started().orElseGet(() -> boundAt(row));
                where.since.put(member, since);
                where.started = since == Long.MAX_VALUE
                        ? where.started
                        : OptionalLong.of(Math.min(since, where.started.orElse(since)));
            }
        }
        return where;
    }

    /** A pod that is being bound is not known yet to the server as one that runs. */
    private static long boundAt(PodRow row) {
        return row.binding() == null
                ? Long.MAX_VALUE
                : JobRecord.of(row.id().namespace(), row.binding().write().annotations())
                        .map(JobRecord::started)
                        .orElse(Long.MAX_VALUE);
    }

    /** A group has the priority that it states, or that of its first pod; a pod of the system is one of the group. */
    private int priority(@Nullable GroupSpec spec, List<JobPod> members) {
        int own = members.get(0).priority();
        return spec == null ? own : priorities.of(spec, own);
    }

    private static boolean preempts(@Nullable GroupSpec spec, List<JobPod> members) {
        Optional<Boolean> stated = spec == null ? Optional.empty() : spec.preempts();
        return stated.orElseGet(() -> members.stream().allMatch(JobPod::preempts));
    }

    /** A pod that is being bound is not evicted before it is known where it runs. */
    private static Eviction eviction(@Nullable GroupSpec spec, Whereabouts where, Set<PodId> kept) {
        List<JobPod> members = List.copyOf(where.members.values());
        if (where.isBinding
                || !isPreemptible(spec, members)
                || members.stream().anyMatch(pod -> kept.contains(pod.id()))) {
            return Eviction.NEVER;
        }
        return spec == null || spec.eviction() == Eviction.NEVER ? Eviction.GANG : spec.eviction();
    }

    /** A job that runs is under the terms of its pods that do, whatever its object and those that come later say. */
    private static boolean isPreemptible(@Nullable GroupSpec spec, List<JobPod> members) {
        List<JobPod> bound = members.stream().filter(JobPod::isBound).toList();
        boolean areTermsKnown = bound.stream().anyMatch(pod -> pod.terms().isPresent());
        return (bound.isEmpty() ? members : bound).stream().allMatch(JobPod::isPreemptible)
                && (areTermsKnown || spec == null || spec.eviction() != Eviction.NEVER);
    }

    private PodGroup group(
            Unit unit, @Nullable GroupSpec spec, Whereabouts where, List<Request.Ready> ready, Near near, int ended) {
        Map<PodId, Pod> all = new LinkedHashMap<>();
        where.running.forEach(placement -> all.put(placement.pod(), pod(placement)));
        where.terminating.forEach(placement -> all.put(placement.pod(), pod(placement)));
        for (Request.Ready one : ready) {
            all.put(
                    one.pod().id(),
                    one.asking(one.manifest().onNodes(near.nodes())).pod(book.cluster()));
        }
        Map<PodId, String> roles = new LinkedHashMap<>();
        all.keySet().forEach(id -> roles.put(id, role(spec, id, ready)));
        Map<String, Integer> least = new HashMap<>();
        roles.values()
                .forEach(role ->
                        least.put(role, spec == null ? 0 : spec.roleMinimums().getOrDefault(role, 0)));
        int minimum = Math.min(all.size(), spec == null ? 1 : Math.max(1, spec.minimum() - ended));
        List<PodGroup> onOneNode = new ArrayList<>();
        for (Set<PodId> some : sharers(ready)) {
            if (!keepMinimums(some, roles, least)) {
                continue; // each follows the first of them by its affinity alone
            }
            List<PodGroup.Role> theirs = roles(all, roles, least, some);
            int needed = Math.max(1, minimum - (all.size() - some.size()));
            onOneNode.add(
                    new PodGroup("sharers of " + some.iterator().next().name(), needed, theirs, Locality.oneNode()));
        }
        Set<PodId> rest = new LinkedHashSet<>(all.keySet());
        onOneNode.forEach(some -> some.pods().forEach(pod -> rest.remove(pod.id())));
        return new PodGroup(
                nameOf(unit),
                minimum,
                roles(all, roles, least, rest),
                near.locality(),
                onOneNode,
                minimum == all.size() ? onOneNode.size() : 0);
    }

    /** Whether the minimum of each role of some members is none, all of the role, or of these members alone. */
    private static boolean keepMinimums(Set<PodId> some, Map<PodId, String> roles, Map<String, Integer> least) {
        for (PodId one : some) {
            String role = roles.getOrDefault(one, "");
            Set<PodId> members = new HashSet<>(roles.keySet());
            members.removeIf(id -> !role.equals(roles.get(id)));
            int needed = least.getOrDefault(role, 0);
            if (needed > 0 && needed < members.size() && !some.containsAll(members)) {
                return false;
            }
        }
        return true;
    }

    /** Some members by role; the minimum of a role is that which they must meet if all others of it start. */
    private static List<PodGroup.Role> roles(
            Map<PodId, Pod> all, Map<PodId, String> roles, Map<String, Integer> least, Set<PodId> some) {
        Map<String, List<Pod>> byRole = new LinkedHashMap<>();
        Map<String, Integer> others = new HashMap<>();
        roles.forEach((id, role) -> {
            if (some.contains(id)) {
                byRole.computeIfAbsent(role, any -> new ArrayList<>()).add(Objects.requireNonNull(all.get(id)));
            } else {
                others.merge(role, 1, Integer::sum);
            }
        });
        List<PodGroup.Role> found = new ArrayList<>();
        byRole.forEach((name, pods) -> {
            int needed = least.getOrDefault(name, 0) - others.getOrDefault(name, 0);
            found.add(new PodGroup.Role(
                    name.isEmpty() ? "(no role)" : name, Math.max(0, Math.min(needed, pods.size())), pods));
        });
        return found;
    }

    /** Pods that need the devices of one claim, or of claims that pods have in common: those are of one node. */
    private static List<Set<PodId>> sharers(List<Request.Ready> ready) {
        Map<String, Set<PodId>> byClaim = new LinkedHashMap<>();
        for (Request.Ready one : ready) {
            Stream.concat(one.devices().open().stream(), one.devices().shared().stream())
                    .forEach(claim -> byClaim.computeIfAbsent(claim.claim().name(), any -> new LinkedHashSet<>())
                            .add(one.pod().id()));
        }
        List<Set<PodId>> sets = new ArrayList<>();
        for (Set<PodId> users : byClaim.values()) {
            sets.stream().filter(set -> !Collections.disjoint(set, users)).forEach(users::addAll);
            sets.removeIf(set -> users.containsAll(set));
            sets.add(users);
        }
        sets.removeIf(set -> set.size() < 2);
        return sets;
    }

    /** A pod as it was placed; of one that was placed by others what it holds is all that is known. */
    private static Pod pod(Placement placement) {
        return Pod.of(placement)
                .map(pod -> pod.withGroup(Optional.empty()))
                .orElseGet(() -> new Pod(
                        placement.pod(),
                        List.of(Container.of("main", placement.resources(), GpuRequest.none())),
                        NodeSelector.ANY,
                        List.of()));
    }

    /** Returns the role of a member, which runs or waits; empty for none. */
    String role(@Nullable GroupSpec spec, PodId id, List<Request.Ready> ready) {
        if (spec == null || spec.roleMinimums().isEmpty()) {
            return "";
        }
        return book.running(id)
                .map(pod -> pod.manifest())
                .or(() -> ready.stream()
                        .filter(one -> one.pod().id().equals(id))
                        .map(Request.Ready::manifest)
                        .findFirst())
                .map(manifest -> spec.roleOf(manifest.labels(), manifest.annotations()))
                .orElse("");
    }

    /**
     * How close members stay.
     *
     * @param locality among the pods that are placed together
     * @param nodes where members are placed already: the nodes of their domain
     */
    private record Near(Locality locality, NodeSelector nodes) {
        static final Near ANYWHERE = new Near(Locality.ANYWHERE, NodeSelector.ANY);
    }

    /**
     * The ways in which a group may stay close, to be tried in this order, the narrowest domains first. Of several labels those are left
     * out that no node has. Where a place is held already, it is the last one that counts.
     */
    private List<Near> ways(GroupLocality locality, List<Placement> running, List<Placement> nominated) {
        List<String> labels = labels(locality);
        if (labels.isEmpty()) {
            return List.of(Near.ANYWHERE);
        }
        String widest = labels.get(labels.size() - 1);
        List<Near> ways = new ArrayList<>();
        for (String label : labels) {
            List<String> domains = Stream.concat(running.stream(), nominated.stream())
                    .map(placement -> book.manifest(placement.node())
                            .map(node -> node.labels().getOrDefault(label, ""))
                            .orElse(""))
                    .filter(domain -> !domain.isEmpty())
                    .distinct()
                    .toList();
            boolean isLast = label.equals(widest);
            if (isLast && !locality.required()) {
                ways.add(new Near(Locality.within(label).preferred(), NodeSelector.ANY));
            } else if (domains.isEmpty()) {
                ways.add(new Near(Locality.within(label), NodeSelector.ANY));
            } else if (isLast || domains.size() == 1) {
                ways.add(new Near(Locality.ANYWHERE, NodeSelector.labels(Map.of(label, domains.get(0)))));
            }
        }
        return nominated.isEmpty() ? ways : ways.subList(ways.size() - 1, ways.size());
    }

    private List<String> labels(GroupLocality locality) {
        List<String> all = locality.labels();
        List<String> known =
                all.size() < 2 ? all : all.stream().filter(book::isLabelled).toList();
        return known.isEmpty() && !all.isEmpty() ? List.of(all.get(all.size() - 1)) : known;
    }
}
