package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs as the operators of JobSet, LeaderWorkerSet, KubeRay, Kubeflow, Volcano and Kueue define them, placed as gangs. */
class JobsOfOperatorsTest {
    /** A node for two pods of four GPUs. */
    private static String node(String name) {
        return """
            ---
            kind: Node
            metadata: {name: %s, labels: {rack: r-%s}}
            status: {allocatable: {cpu: 64, memory: 256Gi, pods: 50, nvidia.com/gpu: 8}}
            """.formatted(name, name);
    }

    private static final String TWO_NODES = node("n1") + node("n2");

    /** A template whose pod asks for so many GPUs. */
    private static String template(int gpus) {
        return "{spec: {containers: [{name: main, resources: {limits: {cpu: 1, nvidia.com/gpu: " + gpus + "}}}]}}";
    }

    private static final String LIGHT = "{spec: {containers: [{name: main, resources: {limits: {cpu: 1}}}]}}";

    @TempDir
    private Path folder;

    private PlaceRun place(String cluster, String job, String... more) {
        return PlaceRun.manifests(folder, cluster, job, more);
    }

    @Test
    void theReplicatedJobsOfAJobSet_startTogether() {
        String job = """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata: {name: train, namespace: ml}
            spec:
              replicatedJobs:
                - {name: driver, template: {spec: {template: %s}}}
                - {name: workers, replicas: 2, template: {spec: {parallelism: 2, completions: 2, template: %s}}}
            """.formatted(LIGHT, template(4));
        PlaceRun run = place(TWO_NODES, job);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("placed group \"train\"", "pod ml/train-driver-0-0 on", "pod ml/train-workers-1-1 on");
        PlaceRun tight = place(node("n1"), job);
        assertThat(tight.code()).isEqualTo(1);
        assertThat(tight.out()).startsWith("not placed: pod group \"train\"").doesNotContain("pod ml/train");
    }

    @Test
    void whatAnAppWrapperCreates_isPlaced() {
        PlaceRun run = place(TWO_NODES, """
            apiVersion: workload.codeflare.dev/v1beta2
            kind: AppWrapper
            metadata: {name: wrapped}
            spec:
              components:
                - template: {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {}}
                - template:
                    apiVersion: batch/v1
                    kind: Job
                    metadata: {name: inner}
                    spec: {parallelism: 2, completions: 2, template: %s}
            """.formatted(template(8)));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("pod inner-0 on", "pod inner-1 on");
    }

    /** A runtime describes pods that the TrainJob runs. */
    @Test
    void theRuntimeBesideATrainJob_isSkippedAsWhatRunsNothing() {
        PlaceRun run = place(TWO_NODES, """
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainingRuntime
            metadata: {name: torch}
            spec: {template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: %s}}}]}}}
            ---
            apiVersion: trainer.kubeflow.org/v1alpha1
            kind: TrainJob
            metadata: {name: tune}
            spec:
              runtimeRef: {name: torch, kind: TrainingRuntime}
              trainer: {numNodes: 2, resourcesPerNode: {limits: {nvidia.com/gpu: 8}}}
            """.formatted(template(1)));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("tune-node-0-0 on", "tune-node-0-1 on");
    }

    @Test
    void eachReplicaOfALeaderWorkerSet_isAGangOfItsOwn() {
        PlaceRun run = place(TWO_NODES, """
            apiVersion: leaderworkerset.x-k8s.io/v1
            kind: LeaderWorkerSet
            metadata: {name: llm}
            spec:
              replicas: 3
              leaderWorkerTemplate: {size: 2, workerTemplate: %s}
            """.formatted(template(4)));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .contains("placed group \"llm-0\"", "pod llm-1-1 on", "not placed: pod group \"llm-2\"")
                .doesNotContain("pod llm-2-1 on");
    }

    @Test
    void theLeaderOfALeaderWorkerSet_mayHaveItsOwnTemplate() {
        PlaceRun run = place(node("n1"), """
            apiVersion: leaderworkerset.x-k8s.io/v1
            kind: LeaderWorkerSet
            metadata: {name: llm}
            spec:
              leaderWorkerTemplate: {size: 3, leaderTemplate: %s, workerTemplate: %s}
            """.formatted(LIGHT, template(4)));
        assertThat(run.code()).as(run.err() + run.out()).isZero();
        assertThat(run.out()).contains("pod llm-0 on n1", "pod llm-0-2 on n1");
    }

    private static String ray(String more) {
        return """
            headGroupSpec: {rayStartParams: {}, template: %s}
            workerGroupSpecs:
              - {groupName: gpu, replicas: 3, minReplicas: 1, maxReplicas: 5, numOfHosts: 2, template: %s}
            """.formatted(LIGHT, template(4)) + more;
    }

    @Test
    void aRayCluster_needsAllItsReplicas_unlessItScalesItself() {
        String fixed = "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: ray}\nspec:\n";
        PlaceRun run = place(TWO_NODES, fixed + ray("").indent(2));
        assertThat(run.out()).startsWith("not placed: pod group \"ray\"");
        PlaceRun scaling =
                place(TWO_NODES, fixed + ray("enableInTreeAutoscaling: true\n").indent(2));
        assertThat(scaling.code()).as(scaling.err()).isZero();
        assertThat(scaling.out()).contains("pod ray-head on", "pod ray-gpu-worker-1-1 on", "ray-gpu-worker-2-0 waits");
    }

    @Test
    void aRayJob_bringsItsCluster_andTheSubmitterIsNamed() {
        PlaceRun run = place(TWO_NODES + node("n3"), """
            apiVersion: ray.io/v1
            kind: RayJob
            metadata: {name: tune}
            spec:
              entrypoint: python tune.py
              rayClusterSpec:
            """ + ray("").indent(4));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("placed group \"tune\"", "pod tune-gpu-worker-2-1 on");
        assertThat(run.err()).contains("the pod that submits the job starts after the cluster");
    }

    /** The head requests a core, and its submitter half a core. */
    @Test
    void theSubmitterOfARayJobInSidecarMode_isPartOfTheHead() {
        String node = node("n1").replace("cpu: 64", "cpu: 1400m");
        String job = """
            apiVersion: ray.io/v1
            kind: RayJob
            metadata: {name: tune}
            spec:
              submissionMode: %s
              rayClusterSpec: {headGroupSpec: {rayStartParams: {}, template: %s}}
            """;
        PlaceRun beside = place(node, job.formatted("HTTPMode", LIGHT));
        assertThat(beside.code()).as(beside.err()).isZero();
        PlaceRun within = place(node, job.formatted("SidecarMode", LIGHT));
        assertThat(within.code()).isEqualTo(1);
        assertThat(within.out()).contains("asked 1.5");
        assertThat(within.err()).doesNotContain("the pod that submits");
        assertThat(place(node("n1"), job.formatted("SidecarMode", LIGHT)).code())
                .isZero();
    }

    private static final String GROVE = """
            apiVersion: grove.io/v1alpha1
            kind: PodCliqueSet
            metadata: {name: llm}
            spec:
              replicas: 1
              template:
                %s
                cliques:
                  - {name: router, spec: {replicas: 1, podSpec: {containers: [{name: c, resources: {limits: {cpu: 1}}}]}}}
                  - {name: lead, spec: {replicas: 1, podSpec: %s}}
                  - {name: work, spec: {replicas: 2, minAvailable: 1, podSpec: %s}}
                podCliqueScalingGroups:
                  - {name: decode, replicas: 2, minAvailable: 1, cliqueNames: [lead, work]%s}
            """;

    private static String podSpec(int gpus) {
        return template(gpus).replaceFirst("\\{spec: (.*)}$", "$1");
    }

    @Test
    void replicasOfAScalingGroupBeyondItsMinimum_areGangsOfTheirOwn() {
        String set = GROVE.formatted("", podSpec(8), podSpec(4), "");
        PlaceRun run = place(TWO_NODES, set);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .contains("placed group \"llm-0\"", "pod llm-0-decode-0-lead-0 on", "pod llm-0-router-0 on")
                .contains("not placed: pod group \"llm-0-decode-1\"");
        assertThat(place(TWO_NODES + node("n3") + node("n4"), set).code()).isZero();
        assertThat(place(TWO_NODES, set.replace("lead, work]", "lead, worker]")).err())
                .contains("no clique has the name \"worker\"");
    }

    @Test
    void topologyConstraintsOfGrove_areOfTheLabelsThatItsTopologySays() {
        String topology = """
            ---
            apiVersion: grove.io/v1alpha1
            kind: ClusterTopology
            metadata: {name: grove-topology}
            spec: {levels: [{domain: rack, key: rack}, {domain: host, key: kubernetes.io/hostname}]}
            """;
        String near = ", topologyConstraint: {packDomain: rack}";
        String set = GROVE.formatted("", podSpec(4), podSpec(4), near).replace("replicas: 2, minAvailable: 1, c", "c");
        PlaceRun run = place(TWO_NODES, set + topology);
        assertThat(run.code()).as(run.err() + run.out()).isZero();
        assertThat(racks(run, "llm-0-decode-0-lead-0", "llm-0-decode-0-work-0")).isIn("11", "22");
        String wide = GROVE.formatted("topologyConstraint: {packDomain: rack}", podSpec(8), podSpec(4), "");
        PlaceRun tooWide = place(TWO_NODES, wide + topology);
        assertThat(tooWide.code()).isEqualTo(1);
        assertThat(tooWide.out()).contains("more than one rack");
        assertThat(place(TWO_NODES, wide.replace("packDomain: rack", "packDomain: zone") + topology)
                        .err())
                .contains("the ClusterTopology has no domain \"zone\"");
        assertThat(place(TWO_NODES, wide.replace("packDomain: rack", "packDomain: block"))
                        .err())
                .contains("no node has the topology level \"block\"");
        assertThat(place(TWO_NODES, wide).err()).contains("no ClusterTopology in this file says which label");
    }

    @Test
    void aRayService_bringsItsCluster() {
        PlaceRun run = place(TWO_NODES + node("n3"), """
            apiVersion: ray.io/v1
            kind: RayService
            metadata: {name: llm}
            spec:
              serveConfigV2: ""
              rayClusterConfig:
            """ + ray("").indent(4));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("placed group \"llm\"", "pod llm-gpu-worker-2-1 on");
    }

    @Test
    void kubeflowJobs_areReadByTheFieldOfTheirKind() {
        for (String kind : new String[] {"PyTorchJob pytorch", "MPIJob mpi", "TFJob tf"}) {
            String[] words = kind.split(" ");
            String job = """
                apiVersion: kubeflow.org/v1
                kind: %s
                metadata: {name: job}
                spec:
                  %sReplicaSpecs:
                    Launcher: {template: %s}
                    Worker: {replicas: 5, restartPolicy: OnFailure, template: %s}
                """.formatted(words[0], words[1], LIGHT, template(4));
            assertThat(place(TWO_NODES, job).out()).startsWith("not placed: pod group \"job\"");
            PlaceRun elastic = place(TWO_NODES, job + "  runPolicy: {schedulingPolicy: {minAvailable: 4, queue: q}}\n");
            assertThat(elastic.code()).as(elastic.err()).isZero();
            assertThat(elastic.out()).contains("pod job-launcher-0 on", "pod job-worker-3 on", "job-worker-4 waits");
        }
    }

    @Test
    void aJobOfVolcano_isAGangOfItsTasks_andOneOfKubernetesIsNot() {
        String volcano = """
            apiVersion: batch.volcano.sh/v1alpha1
            kind: Job
            metadata: {name: sim}
            spec:
              minAvailable: 4
              schedulerName: volcano
              tasks:
                - {name: master, template: %s}
                - {name: worker, replicas: 5, minAvailable: 3, template: %s}
            """.formatted(LIGHT, template(4));
        PlaceRun run = place(TWO_NODES, volcano);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("placed group \"sim\"", "pod sim-master-0 on", "sim-worker-4 waits");
        PlaceRun batch = place(TWO_NODES, """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: sim}
            spec: {parallelism: 2, completions: 2, template: %s}
            """.formatted(template(4)));
        assertThat(batch.out()).contains("placed pod \"sim-0\"", "placed pod \"sim-1\"");
    }

    @Test
    void aWorkloadOfKueue_keepsAPodSetWithinItsDomain() {
        String workload = """
            apiVersion: kueue.x-k8s.io/v1beta1
            kind: Workload
            metadata: {name: w}
            spec:
              queueName: q
              podSets:
                - {name: lead, count: 1, template: %s}
                - {name: work, count: 3, minCount: %d, topologyRequest: {required: rack}, template: %s}
            """;
        PlaceRun apart = place(TWO_NODES, workload.formatted(LIGHT, 3, template(4)));
        assertThat(apart.out()).startsWith("not placed: pod group \"w\"").contains("more than one rack");
        PlaceRun partial = place(TWO_NODES, workload.formatted(LIGHT, 2, template(4)));
        assertThat(partial.code()).as(partial.err()).isZero();
        assertThat(partial.out()).contains("w-work-2 waits");
    }

    @Test
    void aSuspendedJob_isRefused_unlessThatIsToBeIgnored() {
        String job = """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata: {name: train}
            spec: {suspend: true, replicatedJobs: [{name: w, template: {spec: {template: %s}}}]}
            """.formatted(template(1));
        PlaceRun refused = place(TWO_NODES, job);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("spec.suspend", "a suspended job starts no pods", "--ignore spec.suspend");
        assertThat(place(TWO_NODES, job, "--ignore", "spec.suspend").code()).isZero();
    }

    /** A JobSet of jobs of two pods of two GPUs; a node has room for two such jobs. */
    private static String jobSet(int jobs, String metadata, String ofTemplate) {
        return """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata: {name: train%s}
            spec:
              replicatedJobs:
                - name: w
                  replicas: %d
                  template: {%sspec: {parallelism: 2, completions: 2, template: %s}}
            """.formatted(metadata, jobs, ofTemplate, template(2));
    }

    private static final String EXCLUSIVE = "annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: rack}";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jobsWithARackForThemselves_areInOneRackEach_andNoTwoInTheSame(boolean byTemplate) {
        String metadata = byTemplate ? "" : ", " + EXCLUSIVE;
        String ofTemplate = byTemplate ? "metadata: {" + EXCLUSIVE + "}, " : "";
        PlaceRun two = place(TWO_NODES, jobSet(2, metadata, ofTemplate));
        assertThat(two.code()).as(two.err() + two.out()).isZero();
        assertThat(two.out())
                .contains(
                        "pod train-w-0-0 on n1",
                        "pod train-w-0-1 on n1",
                        "pod train-w-1-0 on n2",
                        "pod train-w-1-1 on n2");
        assertThat(place(TWO_NODES, jobSet(3, "", "")).code()).isZero();
        PlaceRun three = place(TWO_NODES, jobSet(3, metadata, ofTemplate));
        assertThat(three.code()).isEqualTo(1);
        assertThat(three.out()).startsWith("not placed: pod group \"train\"");
    }

    @Test
    void groupsOfALeaderWorkerSetWithARackForThemselves_areInOneRackEach_andNoTwoInTheSame() {
        String set = """
            apiVersion: leaderworkerset.x-k8s.io/v1
            kind: LeaderWorkerSet
            metadata: {name: llm, annotations: {leaderworkerset.sigs.k8s.io/%sexclusive-topology: rack}}
            spec:
              replicas: 3
              leaderWorkerTemplate: {size: 2, workerTemplate: %s}
            """;
        PlaceRun run = place(TWO_NODES, set.formatted("", template(2)));
        assertThat(run.out())
                .contains("pod llm-0 on n1", "pod llm-0-1 on n1", "pod llm-1 on n2", "pod llm-1-1 on n2")
                .contains("not placed: pod group \"llm-2\"");
    }

    @Test
    void subgroupsOfALeaderWorkerSet_haveARackForThemselves_andAnOddLeaderIsInTheFirst() {
        String set = """
            apiVersion: leaderworkerset.x-k8s.io/v1
            kind: LeaderWorkerSet
            metadata: {name: llm, annotations: {leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology: rack}}
            spec:
              leaderWorkerTemplate:
                size: %d
                subGroupPolicy: {subGroupSize: 2%s}
                leaderTemplate: %s
                workerTemplate: %s
            """;
        PlaceRun even = place(TWO_NODES, set.formatted(4, "", template(2), template(2)));
        assertThat(racks(even, "llm-0", "llm-0-1", "llm-0-2", "llm-0-3")).isIn("1122", "2211");
        PlaceRun odd = place(TWO_NODES, set.formatted(5, "", template(2), template(2)));
        assertThat(racks(odd, "llm-0", "llm-0-1", "llm-0-2", "llm-0-3", "llm-0-4"))
                .isIn("11122", "22211");
        PlaceRun apart = place(
                TWO_NODES + node("n3").replace("nvidia.com/gpu: 8", "nvidia.com/gpu: 2"),
                set.formatted(5, ", subGroupPolicyType: LeaderExcluded", template(2), template(4)));
        assertThat(racks(apart, "llm-0", "llm-0-1", "llm-0-2", "llm-0-3", "llm-0-4"))
                .isIn("31122", "32211");
        assertThat(place(
                                TWO_NODES,
                                set.formatted(4, "", template(2), template(2)).replace("Size: 2", "Size: 8"))
                        .err())
                .contains("subGroupSize: must divide the number of pods, 4, or of workers, got 8");
    }

    /** The numbers of the nodes that these pods are on. */
    private static String racks(PlaceRun run, String... pods) {
        assertThat(run.code()).as(run.err() + run.out()).isZero();
        return Stream.of(pods)
                .map(pod -> run.out().replaceAll("(?s).*pod " + pod + " on n([0-9]).*", "$1"))
                .collect(Collectors.joining());
    }

    @Test
    void aJobOfVolcanoThatNeedsFewerPodsThanItsTasksComeTo_startsWithSoMany() {
        PlaceRun run = place(TWO_NODES, """
            apiVersion: batch.volcano.sh/v1alpha1
            kind: Job
            metadata: {name: tf}
            spec:
              minAvailable: 3
              tasks:
                - {name: ps, template: %s}
                - {name: worker, replicas: 6, template: %s}
            """.formatted(LIGHT, template(8)));
        assertThat(run.code()).as(run.err() + run.out()).isZero();
        assertThat(run.out()).contains("pod tf-ps-0 on", "pod tf-worker-1 on", "tf-worker-2 waits");
    }

    @Test
    void podSetsOfAKubeflowJobThatMustEachBeInARack_areThereWholly() {
        String close = "{metadata: {annotations: {kueue.x-k8s.io/podset-required-topology: rack}}, ";
        String job = """
            apiVersion: kubeflow.org/v1
            kind: PyTorchJob
            metadata: {name: job}
            spec:
              pytorchReplicaSpecs:
                Master: {template: %s}
                Worker: {replicas: %d, template: %s}
            """;
        String template = close + template(4).substring(1);
        assertThat(place(TWO_NODES, job.formatted(template, 2, template)).code())
                .isZero();
        PlaceRun three = place(TWO_NODES, job.formatted(template, 3, template));
        assertThat(three.code()).isEqualTo(1);
        assertThat(three.out()).doesNotContain("waits");
    }

    @Test
    void jobsThatStartWhenOthersHaveCompleted_needNoRoomBesideThem() {
        String set = """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata: {name: train}
            spec:
              replicatedJobs:
                - {name: data, template: {spec: {template: %s}}}
                - {name: model, dependsOn: [{name: data, status: Complete}], template: {spec: {template: %s}}}
                - name: node
                  dependsOn: [{name: model, status: %s}]
                  template: {spec: {parallelism: 2, completions: 2, template: %s}}
            """;
        PlaceRun run = place(TWO_NODES, set.formatted(template(8), template(8), "Complete", template(8)));
        assertThat(run.code()).as(run.err() + run.out()).isZero();
        assertThat(run.out()).contains("placed group \"train after data, model\"", "pod train-node-0-1 on");
        assertThat(run.err()).contains("starts when \"model\" has completed");
        PlaceRun beside = place(TWO_NODES, set.formatted(template(8), template(8), "Ready", template(8)));
        assertThat(beside.code()).isEqualTo(1);
        assertThat(beside.out()).contains("not placed: pod group \"train after data\"");
        assertThat(place(TWO_NODES, set.formatted(LIGHT, LIGHT, "Ready", LIGHT).replace("name: data, s", "name: x, s"))
                        .err())
                .contains("no replicated job before this one has the name \"x\"");
    }

    @Test
    void slicesOfAPodSet_areEachInARack() {
        String nodes = TWO_NODES + node("n3").replace("r-n3", "r-n2");
        String workload = """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Workload
            metadata: {name: w}
            spec:
              podSets:
                - name: main
                  count: %d
                  topologyRequest: {podSetSliceRequiredTopology: rack, podSetSliceSize: 3}
                  template: %s
            """;
        PlaceRun one = place(nodes, workload.formatted(3, template(4)));
        assertThat(one.code()).as(one.err() + one.out()).isZero();
        assertThat(one.out()).doesNotContain("on n1");
        assertThat(place(nodes, workload.formatted(6, template(4))).code()).isEqualTo(1);
        assertThat(place(nodes, workload.formatted(6, template(2))).code()).isZero();
        assertThat(place(nodes, workload.formatted(4, template(2))).err())
                .contains("must divide the number of pods, 4, got 3");
        assertThat(place(nodes, workload.formatted(3, template(2)).replace(", podSetSliceSize: 3", ""))
                        .err())
                .contains("kueue.x-k8s.io/podset-slice-size must be a number from 1 on");
        assertThat(place(nodes, workload.formatted(3, template(2)).replace("Topology: rack", "Topology: rak"))
                        .err())
                .contains("no node has the topology level \"rak\"");
    }

    @Test
    void podSetsOfOneGroup_areInOneRack() {
        PlaceRun run = place(TWO_NODES, """
            apiVersion: kueue.x-k8s.io/v1beta2
            kind: Workload
            metadata: {name: w}
            spec:
              podSets:
                - {name: a, topologyRequest: {required: rack, podSetGroupName: g}, template: %1$s}
                - {name: b, count: 2, topologyRequest: {required: rack, podSetGroupName: g}, template: %1$s}
            """.formatted(template(4)));
        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.out()).contains("more than one rack");
    }

    @Test
    void thePodsOfAPredictorWithWorkers_haveSoManyGpusAsItsTensorIsSplitInto() {
        String service = """
            apiVersion: serving.kserve.io/v1beta1
            kind: InferenceService
            metadata: {name: llm}
            spec:
              predictor:
                model: {modelFormat: {name: huggingface}}
                workerSpec: {pipelineParallelSize: 2, tensorParallelSize: %d}
            """;
        PlaceRun fits = place(TWO_NODES, service.formatted(8));
        assertThat(fits.code()).as(fits.err()).isZero();
        assertThat(fits.out()).contains("whole GPUs [0, 1, 2, 3, 4, 5, 6, 7]");
        assertThat(fits.err()).contains("what its serving runtime requests is not known here");
        assertThat(place(TWO_NODES, service.formatted(16)).code()).isEqualTo(1);
    }

    @Test
    void aKindThatIsNotKnownWithTheFieldsOfADeployment_isPlacedLikeOne() {
        String rollout = """
            apiVersion: argoproj.io/v1alpha1
            kind: Rollout
            metadata: {name: web}
            spec: {replicas: 2, template: %s}
            """.formatted(template(8));
        PlaceRun run = place(TWO_NODES, rollout);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("pod web-0 on", "pod web-1 on");
        assertThat(run.err()).contains("Rollout is not known; its pods are taken for spec.replicas");
        assertThat(place(TWO_NODES, rollout.replace("spec: {", "spec: {worker: {containers: []}, "))
                        .err())
                .as("pods of another template as well")
                .contains("Rollout is not placed");
        assertThat(place(TWO_NODES, rollout, "--ignore", "Rollout").err()).contains("at least one pod");
    }

    @Test
    void wrongFieldsOfAJob_areNamedWithTheirLine() {
        PlaceRun run = place(TWO_NODES, """
            apiVersion: kubeflow.org/v1
            kind: PyTorchJob
            metadata: {name: job}
            spec:
              pytorchReplicaSpecs:
                Worker: {replicas: -1, template: %s}
            """.formatted(template(1)));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .contains("line 6", "pytorchReplicaSpecs.Worker.replicas", "must be in 0..1000000, got -1");
        PlaceRun missing = place(TWO_NODES, "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: r}\nspec: {}\n");
        assertThat(missing.err()).contains("spec.headGroupSpec: must be there");
    }

    @Test
    void severalJobsOfOneFile_arePlacedOneAfterTheOther() {
        String job = """
            ---
            apiVersion: kubeflow.org/v1
            kind: PyTorchJob
            metadata: {name: %s}
            spec: {pytorchReplicaSpecs: {Worker: {replicas: 3, template: %s}}}
            """;
        PlaceRun run = place(TWO_NODES, job.formatted("a", template(4)) + job.formatted("b", template(4)));
        assertThat(run.out()).contains("placed group \"a\"", "not placed: pod group \"b\"");
    }
}
