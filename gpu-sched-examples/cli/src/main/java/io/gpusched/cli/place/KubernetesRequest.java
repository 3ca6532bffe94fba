package io.gpusched.cli.place;

import io.gpusched.cli.job.Gang;
import io.gpusched.cli.job.JobTopology;
import io.gpusched.cli.job.Jobs;
import io.gpusched.cli.job.PodSource;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.kai.KaiDialect;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.dialect.t9k.T9kPodGroup;
import io.gpusched.manifests.claim.ClaimObjects;
import io.gpusched.manifests.claim.ClaimRequests;
import io.gpusched.manifests.claim.ClaimedGpus;
import io.gpusched.manifests.claim.PublishedGpus;
import io.gpusched.manifests.claim.SeenClaim;
import io.gpusched.manifests.cluster.Kai;
import io.gpusched.manifests.cluster.PendingPods;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.forecast.RunTime;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.manifests.objects.OtherSchedulers;
import io.gpusched.manifests.objects.UnhonouredConstraint;
import io.gpusched.manifests.objects.UnhonouredConstraints;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what is to be placed from Kubernetes manifests: pods, controllers' templates, or a PodGroup with its pods. */
final class KubernetesRequest {
    private static final String POD_GROUP = "PodGroup";

    private final KubernetesFile file;
    private final NamedDialect named;
    private final Dialect dialect;
    private final Notes notes;
    private final Set<String> counted;

    private final Cluster cluster;

    /** What was read of the cluster, where it is one of Kubernetes. */
    private final Optional<SeenCluster> seen;

    /** Reads the claims of pods. */
    private final ClaimRequests claims;

    /** The claims that have no devices yet, each with the first pod that names it. */
    private final Map<String, PodId> claimedBy = new HashMap<>();

    private final Map<PodId, PodManifest> manifests = new LinkedHashMap<>();
    private final Map<PodId, RunTime> runTimes = new HashMap<>();
    private final List<Pod> pods = new ArrayList<>();

    /** The lowest so far. */
    private OptionalInt priority = OptionalInt.empty();

    /** The group that a pod names, in whatever vocabulary. */
    private final Map<PodId, GroupKey> groupOf = new HashMap<>();

    KubernetesRequest(
            KubernetesFile file, NamedDialect named, Notes notes, Cluster cluster, Optional<SeenCluster> seen) {
        this.file = file;
        this.named = named;
        this.dialect = named.dialect();
        this.notes = notes;
        this.counted = NamedDialect.counted(cluster);
        this.cluster = cluster;
        this.seen = seen;
        List<PublishedGpus> published =
                seen.stream().map(read -> read.objects().published()).toList();
        ClaimObjects known = published.isEmpty()
                ? ClaimObjects.of(List.of())
                : published.get(0).claims();
        this.claims = new ClaimRequests(known.with(file.all()), published);
    }

    /**
     * Returns the pods and their group where there is one.
     *
     * @throws io.gpusched.dialect.RefusedException if the dialect's rules forbid a pod, or a group's gate is closed
     */
    PlaceRequest read(YamlNode first) {
        file.only("placed", kinds());
        file.ofKind("Pod").forEach(object -> pods.add(pod(new PodSource(object, file.pod(object)))));
        List<AskedGroup> jobs = jobs();
        Map<YamlNode, List<PodSource>> byTemplate = new LinkedHashMap<>();
        new PodTemplates(file, notes)
                .pods()
                .forEach(source -> byTemplate
                        .computeIfAbsent(source.at(), any -> new ArrayList<>())
                        .add(source));
        byTemplate.forEach((template, sources) -> {
            if (JobTopology.isAsked(sources.get(0).pod())) {
                String name = sources.get(0).pod().getMetadata().getName().replaceFirst("-[0-9]+$", "");
                PodGroup group = template.build(() -> group(JobTopology.gang(name, sources, file)));
                jobs.add(AskedGroup.of(group));
            } else {
                sources.forEach(source -> pods.add(pod(source)));
            }
        });
        if (pods.isEmpty() && jobs.isEmpty()) {
            throw first.at("kind").error("there must be at least one pod to place");
        }
        List<AskedGroup> all = new ArrayList<>(jobs);
        List<Pod> others = new ArrayList<>(pods);
        for (YamlNode group : file.ofKind(POD_GROUP)) {
            List<Pod> members = members(group);
            others.removeAll(members);
            all.add(withAffinity(group(group, members), group));
        }
        others.stream()
                .filter(pod -> groupOf.containsKey(pod.id()))
                .findFirst()
                .ifPresent(pod -> notes.warn(
                        first,
                        "pod \"" + pod.id() + "\" ",
                        "names group " + groupOf.get(pod.id())
                                + ", which is not in this file, and is placed by itself"));
        return new PlaceRequest(others, all, manifests, runTimes, priority.orElse(0), first);
    }

    /** The pods that name a group; where the only group of a file is T9k's, also pods that name none. */
    private List<Pod> members(YamlNode group) {
        GroupVocabulary vocabulary = vocabulary(group);
        YamlNode metadata = group.need("metadata");
        GroupKey key = new GroupKey(
                vocabulary,
                metadata.at("namespace").textOr("default"),
                metadata.need("name").text());
        boolean isOnly =
                vocabulary == GroupVocabulary.T9K && file.ofKind(POD_GROUP).size() == 1;
        List<Pod> members = pods.stream()
                .filter(pod -> groupOf.containsKey(pod.id()) ? key.equals(groupOf.get(pod.id())) : isOnly)
                .toList();
        if (members.isEmpty()) {
            throw group.error("no pod of this file belongs to the group " + key);
        }
        return members;
    }

    /** Without a version a group is T9k's. */
    private static GroupVocabulary vocabulary(YamlNode group) {
        YamlNode version = group.at("apiVersion");
        String text = version.textOr(GroupVocabulary.T9K.apiVersion());
        return Stream.of(GroupVocabulary.values())
                .filter(one -> text.startsWith(apiGroup(one) + "/"))
                .findFirst()
                .orElseThrow(() -> version.error("a PodGroup of " + text + " is not read, only those of "
                        + Stream.of(GroupVocabulary.values())
                                .map(KubernetesRequest::apiGroup)
                                .collect(Collectors.joining(", "))));
    }

    private static String apiGroup(GroupVocabulary vocabulary) {
        return vocabulary.apiVersion().substring(0, vocabulary.apiVersion().indexOf('/'));
    }

    private PodGroup group(YamlNode group, List<Pod> members) {
        GroupVocabulary vocabulary = vocabulary(group);
        return switch (vocabulary) {
            case KUBERNETES -> KubernetesGroup.read(group, members);
            case T9K -> t9kGroup(group, members);
            case COSCHEDULING, VOLCANO, KAI -> MemberGroups.read(group, vocabulary, members, manifests);
        };
    }

    private List<AskedGroup> jobs() {
        List<AskedGroup> jobs = new ArrayList<>();
        for (YamlNode object : file.jobs()) {
            Jobs.read(object, file).forEach(gang -> {
                PodGroup group = object.build(() -> group(gang));
                Set<PodId> after = gang.after().stream()
                        .map(source -> new PodId(
                                Objects.requireNonNullElse(
                                        source.pod().getMetadata().getNamespace(), PodId.DEFAULT_NAMESPACE),
                                source.pod().getMetadata().getName()))
                        .collect(Collectors.toSet());
                jobs.add(new AskedGroup(group, Optional.empty(), after));
            });
        }
        return jobs;
    }

    private PodGroup group(Gang gang) {
        List<PodGroup.Role> roles = gang.roles().stream()
                .map(role -> new PodGroup.Role(
                        role.name(),
                        role.minimum(),
                        role.pods().stream().map(this::pod).toList()))
                .toList();
        List<PodGroup> parts = gang.parts().stream().map(this::group).toList();
        return new PodGroup(gang.name(), gang.minimum(), roles, gang.locality(), parts, parts.size());
    }

    private static List<String> kinds() {
        List<String> kinds = new ArrayList<>(PodTemplates.KINDS);
        kinds.add("Pod");
        kinds.add(POD_GROUP);
        kinds.addAll(Jobs.kinds());
        return kinds;
    }

    /** A part of a GPU that is asked by annotation is marked for the dialect that reads it, and refused for others. */
    private PodSource read(PodSource unread) {
        PodSource source = new PodSource(
                unread.at(),
                seen.map(read -> read.admitted(unread.pod(), file.all())).orElse(unread.pod()));
        if (named.dialect() instanceof KaiDialect) {
            return new PodSource(source.at(), Kai.marked(source.pod()));
        }
        Kai.part(source.pod())
                .ifPresent(key -> notes.unhonoured(
                        source.at(),
                        List.of(UnhonouredConstraint.required(
                                "metadata.annotations." + key,
                                "a part of a GPU is requested by KAI-Scheduler's annotation, which dialect "
                                        + dialect.name() + " does not read"))));
        return source;
    }

    private Pod pod(PodSource unread) {
        PodSource source = read(unread);
        PodManifest asked = KubernetesFile.read(source.at(), () -> ManifestReader.pod(source.pod()));
        PodManifest manifest = source.at().build(() -> onItsNodes(asked.counting(counted::contains)));
        String who = "pod \"" + manifest.id() + "\" ";
        if (SeenCluster.hasEnded(source.pod())) {
            throw source.at().nearest("status.phase").error(who + "has ended");
        }
        if (source.pod().getMetadata().getDeletionTimestamp() != null) {
            throw source.at().nearest("metadata.deletionTimestamp").error(who + "is being deleted");
        }
        String node = SeenCluster.nodeOf(source.pod());
        if (!node.isEmpty()) {
            throw source.at()
                    .nearest("spec.nodeName")
                    .error(who + "already has its node, \"" + node
                            + "\". Maybe take spec.nodeName out to ask where else it could go");
        }
        ClaimedGpus claimed = claimed(source.pod(), manifest.id());
        List<UnhonouredConstraint> unhonoured = new ArrayList<>(
                UnhonouredConstraints.of(source.pod(), named.served(counted), counted, ClaimRequests.problem(claimed)));
        boolean isMember =
                file.ofKind(POD_GROUP).stream().anyMatch(group -> vocabulary(group) == GroupVocabulary.KUBERNETES);
        unhonoured.addAll(OtherSchedulers.of(source.pod()));
        unhonoured.removeIf(constraint -> isMember && constraint.path().equals("spec.schedulingGroup"));
        notes.unhonoured(source.at(), unhonoured);
        PodManifest asking = claimed instanceof ClaimedGpus.Asked these ? these.with(manifest) : manifest;
        if (manifests.put(manifest.id(), asking) != null) {
            throw source.at().error(who + "occurs twice");
        }
        int own = PendingPods.priority(source.pod());
        priority = OptionalInt.of(Math.min(own, priority.orElse(own)));
        runTimes.put(manifest.id(), RunTime.of(source.at(), source.pod()));
        GroupVocabulary.groupOf(source.pod()).ifPresent(group -> groupOf.put(manifest.id(), group));
        return dialect.pod(asking, cluster);
    }

    private PodManifest onItsNodes(PodManifest pod) {
        return seen.map(read -> read.onItsNodes(read.admitted(pod))).orElse(pod);
    }

    /** A claim that several pods name is allocated for the first of them, and where the others may go follows from that. */
    private ClaimedGpus claimed(io.fabric8.kubernetes.api.model.Pod pod, PodId id) {
        ClaimedGpus claimed = claims.of(pod);
        if (claimed instanceof ClaimedGpus.Asked asked) {
            for (SeenClaim claim : asked.open()) {
                PodId first = claimedBy.putIfAbsent(claim.claim().name(), id);
                if (first != null) {
                    return new ClaimedGpus.Waiting(
                            "resource claim " + claim.claim().name() + " is to be allocated for pod \"" + first
                                    + "\" before others may use it");
                }
            }
        }
        return claimed;
    }

    /** Annotations of the group go with every kind, as they do in {@code kube}. */
    private static AskedGroup withAffinity(PodGroup members, YamlNode group) {
        YamlNode annotations = group.at("metadata").at("annotations");
        GroupLocality annotated = GroupLocality.of(
                annotations.at(GroupVocabulary.WITHIN).textOr(""),
                annotations.at(GroupVocabulary.PREFERABLY_WITHIN).textOr(""));
        GroupLocality own = vocabulary(group) == GroupVocabulary.KAI
                ? MemberGroups.spec(group, GroupVocabulary.KAI).locality()
                : GroupLocality.ANYWHERE;
        if (!annotated.equals(GroupLocality.ANYWHERE)
                && !(members.locality().equals(Locality.ANYWHERE) && own.equals(GroupLocality.ANYWHERE))) {
            throw annotations.error("a topology by annotation does not go with one in the spec");
        }
        GroupLocality locality = annotated.equals(GroupLocality.ANYWHERE) ? own : annotated;
        if (locality.equals(GroupLocality.ANYWHERE)) {
            return AskedGroup.of(members);
        }
        List<String> labels = locality.labels();
        PodGroup close = members.withLocality(locality.widest());
        Optional<Locality> closer = labels.size() == 1 ? Optional.empty() : Optional.of(Locality.within(labels.get(0)));
        return new AskedGroup(close, closer, Set.of());
    }

    private PodGroup t9kGroup(YamlNode group, List<Pod> members) {
        Map<String, List<Pod>> byRole = new LinkedHashMap<>();
        for (Pod pod : members) {
            PodManifest manifest = Objects.requireNonNull(manifests.get(pod.id()));
            String role = manifest.labels().getOrDefault(T9kDialect.ROLE, "");
            byRole.computeIfAbsent(role, any -> new ArrayList<>()).add(pod);
        }
        return parse(group).group(byRole);
    }

    private T9kPodGroup parse(YamlNode group) {
        YamlNode spec = group.at("spec").only("minMember", "roles", "queue", "priority");
        Map<String, Integer> minimums = new LinkedHashMap<>();
        for (YamlNode role : spec.at("roles").list()) {
            role.only("name", "minMember");
            minimums.put(role.need("name").text(), role.need("minMember").integerOr(0));
        }
        String name = group.need("metadata").need("name").text();
        return group.build(() -> new T9kPodGroup(name, spec.at("minMember").integerOr(pods.size()), minimums));
    }
}
