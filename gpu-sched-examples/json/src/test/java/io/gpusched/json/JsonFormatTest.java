package io.gpusched.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.policy.BestFit;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.FragmentationGradient;
import io.gpusched.policy.LookAhead;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.policy.Spread;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.Quota;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.queue.UsageHistory;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.WorkloadProfile;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JsonFormatTest {
    private static final String HOST = "kubernetes.io/hostname";

    /** Returns what is read after it was written, and checks that it is written alike again. */
    private static <T> T again(JsonFormat<T> format, T value) {
        String text = format.write(value);
        T read = format.read(text);
        assertThat(format.write(read)).isEqualTo(text);
        return read;
    }

    private static <T> void assertComesBack(JsonFormat<T> format, T value) {
        assertThat(again(format, value)).isEqualTo(value);
    }

    @Test
    void everyFieldOfNodesAndPods_comesBack() {
        Cluster cluster = Samples.cluster();
        Cluster loaded = again(JsonFormat.CLUSTER, cluster);
        loaded.validate();
        assertThat(loaded.nodes().stream().map(NodeState::node))
                .isEqualTo(cluster.nodes().stream().map(NodeState::node).toList());
        assertThat(loaded.placements()).isEqualTo(cluster.placements());
        assertThat(loaded.placements().stream().map(Pod::of))
                .isEqualTo(cluster.placements().stream().map(Pod::of).toList());
        assertThat(loaded.namespaces()).isEqualTo(cluster.namespaces());
        assertThat(loaded.totals()).isEqualTo(cluster.totals());
        Samples.nodes().forEach(node -> assertComesBack(JsonFormat.NODE, node));
    }

    @Test
    void whatIsAskedAndDecided_comesBack() {
        Cluster cluster = Samples.cluster();
        List<Pod> pods = cluster.placements().stream()
                .flatMap(held -> Pod.of(held).stream())
                .toList();
        pods.forEach(pod -> assertComesBack(JsonFormat.POD, pod));
        cluster.placements().forEach(held -> assertComesBack(JsonFormat.PLACEMENT, held));
        cluster.placements().forEach(held -> assertComesBack(JsonFormat.DECISION, new Placed(held)));
        PodGroup group = PodGroup.of("job", pods).withLocality(Locality.within("rack"));
        assertComesBack(JsonFormat.GROUP, PodGroup.ofGroups("jobs", List.of(group)));
        assertComesBack(JsonFormat.PROFILE, WorkloadProfile.of(pods));
        assertComesBack(
                JsonFormat.GROUP_DECISION,
                new GroupPlaced(cluster.placements(), List.of(PodId.of("web/late")), Certainty.FOUND));
    }

    @Test
    void groupsOfPlacements_comeBackAndAreWrittenOnce() {
        GroupMembership slice =
                GroupMembership.of("job", Locality.within("rack")).in("slice", Locality.oneNode());
        Node node = Node.builder("n").capacity(8_000, 8_192).build();
        List<Placement> held = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            Pod pod = Pod.of(name, Samples.SMALL, GpuRequest.none());
            held.add(new Placement(pod.id(), "n", pod.resources(), List.of(ContainerGrant.of("main", GpuGrant.none())))
                    .withSpec(pod.spec())
                    .withGroup(Optional.of(slice)));
        }
        Cluster read = again(JsonFormat.CLUSTER, Cluster.of(List.of(node), held));
        assertThat(read.placements()).isEqualTo(held);
        assertThat(JsonFormat.CLUSTER.write(read)).containsOnlyOnce("\"slice\"");
        held.forEach(one -> assertComesBack(JsonFormat.PLACEMENT, one));
    }

    @Test
    void aRefusal_comesBackWithItsDiagnosis() {
        Pod large = Pod.of("large", Samples.SMALL, GpuRequest.firstOf(GpuRequest.exclusive(9), GpuRequest.percent(90)));
        Unschedulable refusal = (Unschedulable) GpuScheduler.create().schedule(Samples.cluster(), large);
        assertThat(refusal.diagnosis().otherwise()).hasSize(1);
        Unschedulable read = (Unschedulable) again(JsonFormat.DECISION, (Decision) refusal);
        assertThat(read.subject()).isEqualTo(refusal.subject());
        assertThat(read.certainty()).isEqualTo(refusal.certainty());
        assertThat(read.diagnosis()).isEqualTo(refusal.diagnosis());
        assertThat(read.couldFitLater()).isEqualTo(refusal.couldFitLater());
        assertComesBack(JsonFormat.DIAGNOSIS, refusal.diagnosis());
    }

    @Test
    void aPodThatWasLoaded_keepsOthersAwayAsBefore() {
        Node one = Node.builder("n1").capacity(8_000, 8_192).label(HOST, "n1").build();
        Pod hermit = Pod.builder("hermit")
                .container("main", Samples.SMALL, GpuRequest.none())
                .rules(PodRules.NONE.withAntiAffinity(
                        PodAffinity.required(PodAffinity.Term.of(LabelSelector.ALL, HOST))))
                .build();
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster before = Cluster.of(List.of(one));
        Placed placed = (Placed) scheduler.schedule(before, hermit);
        Cluster loaded = again(JsonFormat.CLUSTER, before.with(placed.placement()));
        assertThat(scheduler.schedule(loaded, Pod.of("other", Samples.SMALL, GpuRequest.none())))
                .isInstanceOf(Unschedulable.class);
    }

    @Test
    void readersAndWriters_serveAsWellAsTexts() throws IOException {
        Cluster cluster = Samples.cluster();
        StringWriter text = new StringWriter();
        JsonFormat.CLUSTER.write(cluster, text);
        assertThat(text).hasToString(JsonFormat.CLUSTER.write(cluster));
        assertThat(JsonFormat.CLUSTER.read(new StringReader(text.toString())).placements())
                .isEqualTo(cluster.placements());
    }

    /** The size that 2,000 nodes had with a field for everything was 8.9 MB. */
    @Test
    void twoThousandNodesWithPods_takeLessThanATenthOfAFieldForEverything() {
        GpuModel h100 = GpuModel.of("nvidia", "H100", 81_559);
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            String name = "node-" + i;
            nodes.add(Node.builder(name)
                    .mode(NodeMode.MIXED)
                    .capacity(128_000, 1_048_576)
                    .resource("ephemeral-storage", 1L << 40)
                    .gpus(8, h100)
                    .label("pool", "training")
                    .label("node.kubernetes.io/instance-type", "gpu.8")
                    .label(HOST, name)
                    .topology(Topology.of("zone", "z" + i / 500, "rack", "r" + i / 20))
                    .build());
        }
        Cluster cluster = Cluster.of(nodes);
        GpuScheduler scheduler = GpuScheduler.create();
        for (int i = 0; i < 2_000; i++) {
            GpuRequest gpus = i % 2 == 0 ? GpuRequest.exclusive(1 + i % 8) : GpuRequest.percent(30);
            Pod pod = Pod.of("team/pod-" + i, Resources.of(1_000 * (1 + i % 4), 4_096), gpus);
            cluster =
                    cluster.with(scheduler.schedule(cluster, pod).toPlacement().orElseThrow());
        }
        String text = JsonFormat.CLUSTER.write(cluster);
        assertThat(text.length()).isLessThan(890_000);
        assertThat(JsonFormat.CLUSTER.read(text).placements()).isEqualTo(cluster.placements());
    }

    @Test
    void uuidsOfTheMachines_comeBack() {
        Node.Builder node = Node.builder("n");
        for (int i = 0; i < 3; i++) {
            node.gpu(Gpu.of(i, "GPU-" + new UUID(i, i), GpuModel.of("nvidia", "A100", 81_920)));
        }
        assertComesBack(JsonFormat.NODE, node.build());
    }

    @Test
    void nodesOfOneKind_shareItsDescriptionAndTheLabelsThatAllHave() {
        List<Node> nodes = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            nodes.add(Node.builder(name)
                    .capacity(1, 1)
                    .label("pool", "p")
                    .label(HOST, name)
                    .build());
        }
        assertThat(JsonFormat.CLUSTER.write(Cluster.of(nodes))).isEqualTo("""
            {"version":1,"nodeKinds":[{"mode":"MIXED","capacity":{"cpuMillis":1,"memoryMib":1},"labels":{"pool":"p"}}],\
            "cluster":{"nodes":[{"name":"a","kind":0,"labels":{"kubernetes.io/hostname":"a"}},\
            {"name":"b","kind":0,"labels":{"kubernetes.io/hostname":"b"}}]}}\
            """);
    }

    /** The documents of version 1 are read for as long as there is version 1; fields may be added to what is written. */
    @Test
    void documentsOfVersion1_areReadAsEver() throws IOException {
        if (Boolean.getBoolean("gpusched.json.update")) {
            Files.writeString(
                    Path.of("src/test/resources/io/gpusched/json/cluster-1.json"),
                    JsonFormat.CLUSTER.write(Samples.cluster()) + "\n");
        }
        assertThat(JsonFormat.CLUSTER.read(resource("cluster-1.json")).placements())
                .isEqualTo(Samples.cluster().placements());
        assertThat(JsonFormat.CLUSTER.write(Samples.cluster()) + "\n").isEqualTo(resource("cluster-1.json"));
    }

    static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(JsonFormatTest.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void whatCanBeLeftOut_standsForWhatTheBuildersGive() {
        Pod pod = JsonFormat.POD.read("""
            {"version": 1, "pod": {"id": "trainer", "spec": {"containers": [
                {"name": "main", "resources": {"cpuMillis": 4000, "memoryMib": 16384}, "gpu": {"kind": "exclusive", "count": 2}}]}}}
            """);
        assertThat(pod).isEqualTo(Pod.of("trainer", Resources.of(4_000, 16_384), GpuRequest.exclusive(2)));
        Node node = JsonFormat.NODE.read("""
            {"version": 1, "node": {"name": "n1", "kind": {
                "mode": "SHARED", "capacity": {"cpuMillis": 96000, "memoryMib": 786432},
                "gpus": [{"count": 2, "model": {"vendor": "nvidia", "name": "A100", "memoryMib": 81920}}]}}}
            """);
        assertThat(node)
                .isEqualTo(Node.builder("n1")
                        .mode(NodeMode.SHARED)
                        .capacity(96_000, 786_432)
                        .gpus(2, GpuModel.of("nvidia", "A100", 81_920))
                        .build());
    }

    @Test
    void fieldsThatAreNotKnown_areIgnored() {
        Pod pod = Pod.of("p", Samples.SMALL, GpuRequest.percent(30));
        String text = JsonFormat.POD.write(pod).replace("\"id\":", "\"since\":{\"deep\":[1]},\"id\":");
        assertThat(text).contains("since");
        assertThat(JsonFormat.POD.read("{\"note\":\"later\"," + text.substring(1)))
                .isEqualTo(pod);
    }

    @Test
    void aStrictFormat_refusesFieldsThatAreNotKnown_andReadsAllThatIsWritten() {
        Pod pod = Pod.of("p", Samples.SMALL, GpuRequest.percent(30));
        String text = JsonFormat.POD.write(pod);
        assertThat(JsonFormat.POD.strict().read(text)).isEqualTo(pod);
        assertRefused(
                JsonFormat.POD.strict(),
                text.replace("\"id\":", "\"idd\":1,\"id\":"),
                "pod",
                "pod has no field \"idd\"; there is id, spec, group");
    }

    private static void assertRefused(JsonFormat<?> format, String text, String path, String message) {
        assertThatThrownBy(() -> format.read(text))
                .isInstanceOfSatisfying(
                        JsonFormatException.class, e -> assertThat(e.path()).isEqualTo(path))
                .hasMessage(message);
    }

    /** Reads a cluster whose text has this instead of that, which occurs in it. */
    private static void assertClusterRefused(String that, String replacement, String path, String message) {
        String text = JsonFormat.CLUSTER.write(Samples.cluster());
        assertThat(text).contains(that);
        assertRefused(JsonFormat.CLUSTER, text.replace(that, replacement), path, message);
    }

    @Test
    void aValueThatIsOutOfRange_isToldWithItsPlaceAndTheRange() {
        assertClusterRefused(
                "\"maxPods\":7",
                "\"maxPods\":1000001",
                "cluster.nodes[1]",
                "cluster.nodes[1]: node \"shared\": maxPods must be in 0..1000000, got 1000001");
        assertClusterRefused(
                "\"slots\":10",
                "\"slots\":0",
                "cluster.nodes[1]",
                "cluster.nodes[1]: gpu 0: slots must be in 1..262143, got 0");
    }

    @Test
    void aValueOfTheWrongType_isToldWithItsPlace() {
        assertClusterRefused(
                "\"maxPods\":7",
                "\"maxPods\":\"many\"",
                "nodeKinds[1].maxPods",
                "nodeKinds[1].maxPods must be a whole number in -2147483648..2147483647, got \"many\"");
        assertClusterRefused(
                "\"name\":\"cut\"",
                "\"name\":[1]",
                "cluster.nodes[0].name",
                "cluster.nodes[0].name must be a text, got [1]");
        assertRefused(
                JsonFormat.CLUSTER,
                "{\"version\":1,\"cluster\":{\"nodes\":{}}}",
                "cluster.nodes",
                "cluster.nodes must be a list, got {}");
    }

    @Test
    void aKindOrConstantThatIsNotKnown_isRefusedByName() {
        assertClusterRefused(
                "\"kind\":\"whole\"",
                "\"kind\":\"half\"",
                "cluster.placements[4].containers[0].gpus.kind",
                "cluster.placements[4].containers[0].gpus.kind must be one of [none, partitions, shared, whole,"
                        + " wholeNode], got \"half\"");
        assertClusterRefused(
                "\"mode\":\"SHARED\"",
                "\"mode\":\"LOANED\"",
                "nodeKinds[1].mode",
                "nodeKinds[1].mode must be one of [EXCLUSIVE, SHARED, MIXED], got \"LOANED\"");
    }

    @Test
    void aFieldThatIsMissing_isNamedAndNotTakenForZero() {
        assertClusterRefused(
                "\"capacity\":{\"cpuMillis\":64000,",
                "\"capacity\":{",
                "nodeKinds[0].capacity",
                "nodeKinds[0].capacity must have a field \"cpuMillis\"");
        assertRefused(JsonFormat.POD, "{\"version\":1}", "", "document must have a field \"pod\"");
        assertRefused(
                JsonFormat.PLACEMENT,
                "{\"version\":1,\"placement\":{\"pod\":\"p\",\"node\":\"n\"}}",
                "placement",
                "placement: placement of \"p\": it must have resources, or a spec that tells them");
    }

    @Test
    void aNumberOfATable_mustBeInTheTable() {
        assertClusterRefused(
                "\"spec\":2",
                "\"spec\":7",
                "cluster.placements[1].spec",
                "cluster.placements[1].spec must be a whole number in 0..4, got 7");
        assertRefused(
                JsonFormat.POD,
                "{\"version\":1,\"pod\":{\"id\":\"p\",\"spec\":0}}",
                "pod.spec",
                "pod.spec must be an object, or a number of the table \"specs\", which the document lacks, got 0");
    }

    @Test
    void aNode_hasAsManyUuidsAndUnhealthyGpusAsItMay() {
        String node =
                "{\"version\":1,\"node\":{\"name\":\"n\",\"kind\":{\"mode\":\"MIXED\",\"capacity\":{\"cpuMillis\":1,"
                        + "\"memoryMib\":1},\"gpus\":[{\"count\":COUNT,\"model\":{\"vendor\":\"v\",\"name\":\"m\",\"memoryMib\":1}}]},"
                        + "\"uuids\":[\"a\"],\"unhealthyGpus\":[GPU]}}";
        assertRefused(
                JsonFormat.NODE,
                node.replace("COUNT", "1000000000").replace("GPU", "0"),
                "node.kind",
                "node.kind: kind of node: the counts of its gpus must each be at least 1 and add up to at most 64, got"
                        + " [1000000000]");
        assertRefused(
                JsonFormat.NODE,
                node.replace("COUNT", "2").replace("GPU", "0"),
                "node",
                "node: node \"n\": number of uuids must be that of its gpus, 2, or 0, got 1");
        assertRefused(
                JsonFormat.NODE,
                node.replace("COUNT", "1").replace("[GPU]", "[1]"),
                "node",
                "node: node \"n\": unhealthyGpus must be in 0..0, got 1");
    }

    @Test
    void groupsThatNameEachOther_areBounded() {
        StringBuilder text = new StringBuilder("{\"version\":1,\"groups\":[{\"name\":\"g\"}");
        for (int i = 0; i < 16; i++) {
            text.append(",{\"name\":\"g\",\"around\":").append(i).append('}');
        }
        assertRefused(
                JsonFormat.PLACEMENT,
                text + "],\"placement\":{\"pod\":\"p\",\"node\":\"n\",\"group\":0}}",
                "groups[16]",
                "groups[16]: group \"g\": number of levels must be in 1..16, got 17");
    }

    @Test
    void anotherVersion_isRefused() {
        assertRefused(
                JsonFormat.POD,
                "{\"version\":2,\"pod\":{}}",
                "version",
                "version must be 1, got 2\nMaybe the document was written by a newer release.");
        assertRefused(JsonFormat.POD, "{\"pod\":{}}", "", "document must have a field \"version\"");
    }

    @Test
    void whatIsNoJson_isRefusedWithLineAndColumn() {
        assertThatThrownBy(() -> JsonFormat.POD.read("{\"version\":1,\n \"pod\": oops}"))
                .isInstanceOf(JsonFormatException.class)
                .hasMessageStartingWith("pod: no JSON at line 2, column ");
        for (String text : List.of("", "{", "{}{}", "{\"version\":1,\"version\":1}", "[".repeat(100_000))) {
            assertThatThrownBy(() -> JsonFormat.POD.read(text)).isInstanceOf(JsonFormatException.class);
        }
        assertRefused(JsonFormat.POD, "3", "document", "document must be an object, got 3");
    }

    @Test
    void depth_isBounded() {
        String group = "{\"version\":1,\"group\":" + "{\"groups\":[".repeat(200);
        assertThatThrownBy(() -> JsonFormat.GROUP.read(group)).isInstanceOf(JsonFormatException.class);
    }

    @Test
    void whatTheClusterSaysAgainstItsPods_isToldWithTheDocument() {
        assertClusterRefused(
                "\"node\":\"linked\"",
                "\"node\":\"gone\"",
                "cluster",
                "cluster: pod \"web/server\": there is no node \"gone\" among the 4 nodes");
    }

    /** Some values of a program's own. */
    public sealed interface News {
        /** Someone came. */
        record Came(String name, OptionalLong time, Map<QueueResource, Quota> quotas) implements News {}

        /** Someone left. */
        record Left(List<JobQueue> queues) implements News {}
    }

    @Test
    void recordsOfAProgramsOwn_areWrittenByTheirComponents() {
        JsonFormat<News> format = JsonFormat.of("news", News.class);
        News came = new News.Came(
                "a",
                OptionalLong.of(7),
                Map.of(
                        QueueResource.GPU,
                        Quota.ofGpus(2),
                        QueueResource.gpuModel("A100"),
                        Quota.NONE.withLimit(3),
                        QueueResource.named("licences"),
                        Quota.NONE));
        assertThat(format.write(came))
                .isEqualTo("{\"version\":1,\"news\":{\"kind\":\"came\",\"name\":\"a\",\"time\":7,\"quotas\":{"
                        + "\"gpu\":{\"deserved\":2000},\"gpu_model:A100\":{\"limit\":3},\"named:licences\":{}}}}");
        assertThat(format.read(format.write(came))).isEqualTo(came);
        News left = new News.Left(List.of(JobQueue.builder("q").priority(3).build()));
        assertThat(format.read(format.write(left))).isEqualTo(left);
        assertThatThrownBy(() -> format.read(
                        "{\"version\":1,\"news\":{\"kind\":\"came\",\"name\":\"a\",\"quotas\":{\"gold\":{}}}}"))
                .hasMessageContaining("must be gpu, cpu, memory, gpu_model:NAME or named:NAME, got \"gold\"");
        assertThatThrownBy(() -> JsonFormat.of("version", News.class)).hasMessageContaining("name must not be");
    }

    @Test
    void stateOfQueues_comesBackWithPoliciesByTheirNames() {
        Pod pod = Pod.of("p", Resources.of(1_000, 1_000), GpuRequest.exclusive(1));
        List<PlacementPolicy> policies =
                List.of(BinPack.of(), Spread.of(), FirstFit.of(), BestFit.of(), new ForeignPolicy("mine"));
        List<Job> jobs = new ArrayList<>();
        for (PlacementPolicy policy : policies) {
            String name = "j" + jobs.size();
            jobs.add(Job.pending(JobSpec.builder(PodGroup.of(name, List.of(pod.withId(PodId.of(name)))), "q")
                    .policy(policy)
                    .maxDuration(60)
                    .eviction(Eviction.NEVER)
                    .build()));
        }
        QueueState state = QueueState.of(
                        Cluster.of(List.of(Node.builder("n")
                                .capacity(64_000, 64_000)
                                .gpus(2, GpuModel.of("nvidia", "A100", 80_000))
                                .build())),
                        QueueTree.of(List.of(JobQueue.builder("q")
                                .quota(QueueResource.GPU, Quota.ofGpus(1))
                                .build())),
                        jobs)
                .withUsage(UsageHistory.ofHalfLife(60).plus("q", QueueResource.GPU, 12));
        QueueState running = SchedulingCycle.create()
                .plan(state.withJobs(jobs.subList(0, 2)), 5)
                .after();
        assertThat(JsonFormat.STATE.read(JsonFormat.STATE.write(state))).isEqualTo(state);
        assertThat(JsonFormat.STATE.read(JsonFormat.STATE.write(running))).isEqualTo(running);
        assertThatThrownBy(() -> new ForeignPolicy("mine").score(null, null, null))
                .hasMessageContaining("\"mine\" is none of the library's own");
    }

    @Test
    void policiesThatLookAtAProfileOrASeed_comeBackWithIt() {
        WorkloadProfile profile =
                WorkloadProfile.of(List.of(Pod.of("p", Resources.of(1_000, 1_000), GpuRequest.percent(30))));
        JsonFormat<PolicyForm> format = JsonFormat.of("policy", PolicyForm.class);
        for (PlacementPolicy policy :
                List.of(LookAhead.of(profile), FragmentationGradient.of(profile), RandomFit.of(-7))) {
            PlacementPolicy read =
                    format.read(format.write(PolicyForm.of(policy))).policy();
            assertThat(read).hasSameClassAs(policy).hasToString(policy.toString());
            assertThat(PolicyForm.of(read)).isEqualTo(PolicyForm.of(policy));
        }
        assertThat(PolicyForm.of((before, after, pod) -> 0).name()).isEqualTo("a function");
    }
}
