package io.gpusched.kubernetes.extender;

import static io.gpusched.kubernetes.extender.Objects.node;
import static io.gpusched.kubernetes.extender.Objects.pod;
import static io.gpusched.kubernetes.extender.Objects.running;
import static io.gpusched.kubernetes.extender.Objects.withPriority;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.gpusched.kubernetes.extender.wire.PreemptionArguments;
import io.gpusched.kubernetes.extender.wire.Victims;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PreemptVerbTest {
    private ClusterMirror mirror = new ClusterMirror(Objects.dialects("nano-gpu"), Clock.systemUTC());
    private final FakeApi api = new FakeApi();

    private void run(String name, int percent, int gpu, int priority) {
        mirror.putPod(withPriority(running(pod(name, percent), "n", gpu), priority));
    }

    private Map<String, Victims> preempt(Pod pod, String... offered) {
        List<String> uids = Arrays.stream(offered).map(name -> "uid-" + name).toList();
        return new PreemptVerb(mirror, api)
                .preempt(new PreemptionArguments(pod, Map.of("n", Victims.of(uids, 0))))
                .nodes();
    }

    private static Pod important(int percent) {
        return withPriority(pod("p", percent), 100);
    }

    @Test
    void victimsThatMakeRoomOnOneGpu_areConfirmed() {
        mirror.putNode(node("n", 1));
        run("a", 60, 0, 0);
        run("b", 30, 0, 0);

        assertThat(preempt(important(60), "a")).containsExactly(Map.entry("n", Victims.of(List.of("uid-a"), 0)));
    }

    /** As kube-scheduler 1.38.0-beta.0 asked on two GPUs, each with a pod of 60 percent: of its sums there is room for 50. */
    @Test
    void nodesThatAreOfferedWithoutVictims_areGivenThem() throws IOException {
        JsonNode recorded = new ObjectMapper().readTree(PreemptVerbTest.class.getResourceAsStream("preempt-1.38.json"));
        mirror.putNode(node("nano", 2));
        int gpu = 0;
        for (String name : List.of("low-a", "low-b")) {
            Pod low = withPriority(running(pod(name, 60), "nano", gpu++), 0);
            low.getMetadata().setUid(recorded.at("/running/" + name).asText());
            mirror.putPod(low);
        }
        PreemptionArguments asked = PreemptionArguments.read(recorded.path("request"));
        assertThat(asked.victims()).containsExactly(Map.entry("nano", Victims.of(List.of(), 0)));
        Map<String, Victims> answer =
                new PreemptVerb(mirror, api).preempt(asked).nodes();
        assertThat(answer).containsOnlyKeys("nano");
        assertThat(answer.get("nano").uids())
                .hasSize(1)
                .isSubsetOf(
                        recorded.at("/running/low-a").asText(),
                        recorded.at("/running/low-b").asText());
    }

    /** kube-scheduler sees 100 percent free in sum; the pod needs them on one GPU. */
    @Test
    void victimsOnTheWrongGpus_areReplacedByThoseThatHelp() {
        mirror.putNode(node("n", 2));
        run("a", 50, 0, 0);
        run("b", 50, 1, 0);
        run("c", 40, 1, 0);

        Map<String, Victims> answer = preempt(important(100), "c");

        assertThat(answer.get("n").uids()).containsExactly("uid-a");
    }

    @Test
    void victimsThatAreTooFew_areCompletedByOthersOfLowerPriority() {
        mirror.putNode(node("n", 1));
        run("a", 50, 0, 1);
        run("b", 40, 0, 2);

        assertThat(preempt(important(100), "a").get("n").uids()).containsExactlyInAnyOrder("uid-a", "uid-b");
    }

    @Test
    void podsOfTheSameOrHigherPriority_areNeverAdded() {
        mirror.putNode(node("n", 1));
        run("a", 50, 0, 0);
        run("b", 40, 0, 100);

        assertThat(preempt(important(100), "a")).isEmpty();
    }

    @Test
    void theLeastImportantGo_whereAnyWouldDo() {
        mirror.putNode(node("n", 2));
        run("a", 100, 0, 50);
        run("b", 100, 1, 10);

        assertThat(preempt(important(80), "a").get("n").uids()).containsExactly("uid-b");
    }

    @Test
    void fewerGo_whereTheyAreEquallyImportant() {
        mirror.putNode(node("n", 2));
        run("a", 30, 0, 0);
        run("b", 30, 0, 0);
        run("c", 30, 0, 0);
        run("d", 90, 1, 0);

        assertThat(preempt(important(100), "a").get("n").uids()).containsExactly("uid-d");
    }

    @Test
    void nodesWithoutRoomForThePodAtAll_areLeftOut() {
        mirror.putNode(node("n", 1));
        run("a", 50, 0, 0);
        Pod two = new PodBuilder(important(60))
                .editSpec()
                .addNewContainer()
                .withName("side")
                .withNewResources()
                .addToLimits(Objects.PERCENT, new Quantity("60"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();

        assertThat(preempt(two, "a")).isEmpty();
    }

    @Test
    void aNodeWhereNobodyNeedGo_isLeftOut() {
        mirror.putNode(node("n", 2));
        run("a", 50, 0, 0);

        assertThat(preempt(important(100), "a")).isEmpty();
    }

    @Test
    void anUnknownNode_isLeftOut_andAVictimThatIsGone_isPassedOver() {
        assertThat(preempt(important(100), "a")).isEmpty();
        mirror.putNode(node("n", 1));
        run("b", 50, 0, 0);

        assertThat(preempt(important(100), "a", "b").get("n").uids()).containsExactly("uid-b");
    }

    /** A victim without GPUs may hold the CPU that the pod needs. */
    @Test
    void aVictimOfferedForItsCpu_staysAVictim() {
        mirror.putNode(node("n", 1));
        Pod cpu = new PodBuilder(running(pod("cpu", Map.of("cpu", "15")), "n", 0)).build();
        mirror.putPod(cpu);
        Pod asked = new PodBuilder(important(50))
                .editSpec()
                .editFirstContainer()
                .editResources()
                .addToRequests("cpu", new Quantity("4"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();

        assertThat(preempt(asked, "cpu").get("n").uids()).containsExactly("uid-cpu");
    }

    /** What is not judged here may be why kube-scheduler offered it. */
    @Test
    void anOfferedVictim_staysOne_whereThePodHasReasonsThatAreNotJudgedHere() {
        mirror.putNode(node("n", 2));
        run("a", 50, 0, 0);
        run("b", 60, 1, 0);
        Pod asked = new PodBuilder(important(50))
                .editSpec()
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim("data", false)
                .endVolume()
                .endSpec()
                .build();

        assertThat(preempt(asked, "b").get("n").uids()).containsExactly("uid-b");
    }

    /** kube-scheduler may have offered it for its rule, and nothing here looks at that. */
    @Test
    void anOfferedVictim_staysOne_whereItKeepsOthersAway() {
        mirror.putNode(node("n", 2));
        run("a", 50, 0, 0);
        mirror.putPod(new PodBuilder(withPriority(running(pod("b", 60), "n", 1), 0))
                .editSpec()
                .withNewAffinity()
                .withNewPodAntiAffinity()
                .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withTopologyKey("kubernetes.io/hostname")
                .withNewLabelSelector()
                .endLabelSelector()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endPodAntiAffinity()
                .endAffinity()
                .endSpec()
                .build());

        assertThat(preempt(important(50), "b").get("n").uids()).containsExactly("uid-b");
    }

    @Test
    void podsThatABudgetProtects_goLast_andAreCounted() {
        mirror.putNode(node("n", 2));
        for (String name : List.of("a", "b")) {
            Pod pod = withPriority(running(pod(name, 100), "n", name.equals("a") ? 0 : 1), name.equals("a") ? 0 : 50);
            mirror.putPod(new PodBuilder(pod)
                    .editMetadata()
                    .addToLabels("app", name)
                    .endMetadata()
                    .build());
        }
        api.budgets.add(new PodDisruptionBudgetBuilder()
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", "a")
                .endSelector()
                .endSpec()
                .withNewStatus()
                .withDisruptionsAllowed(0)
                .endStatus()
                .build());

        assertThat(preempt(important(80), "a").get("n")).isEqualTo(Victims.of(List.of("uid-b"), 0));
        Pod both = new PodBuilder(important(80))
                .editSpec()
                .addNewContainer()
                .withName("side")
                .withNewResources()
                .addToLimits(Objects.PERCENT, new Quantity("80"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
        Victims victims = preempt(both, "a").get("n");
        assertThat(victims.uids()).containsExactlyInAnyOrder("uid-a", "uid-b");
        assertThat(victims.numPdbViolations()).isEqualTo(1);
    }

    /** Beside a search through all sets: there is an answer if any set helps, it helps, and nobody in it is spare. */
    @Property(tries = 200)
    void victims_makeRoom_andEachIsNeeded(@ForAll Random random) {
        mirror = new ClusterMirror(Objects.dialects("nano-gpu"), Clock.systemUTC());
        int gpus = 1 + random.nextInt(3);
        mirror.putNode(node("n", gpus));
        int[] left = new int[gpus];
        Arrays.fill(left, 100);
        List<int[]> running = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int gpu = random.nextInt(gpus);
            int percent = 10 * (1 + random.nextInt(6));
            if (percent <= left[gpu]) {
                int priority = random.nextInt(3) * 60;
                left[gpu] -= percent;
                run("v" + i, percent, gpu, priority);
                running.add(new int[] {i, gpu, percent, priority});
            }
        }
        int asked = 10 * (1 + random.nextInt(10));
        List<int[]> lower = running.stream().filter(one -> one[3] < 100).toList();
        if (lower.isEmpty()) {
            return;
        }

        Map<String, Victims> answer = preempt(important(asked), "v" + lower.get(random.nextInt(lower.size()))[0]);

        boolean needed = !fits(running, Set.of(), asked, gpus);
        Set<Integer> all = new HashSet<>(lower.stream().map(one -> one[0]).toList());
        assertThat(answer.containsKey("n")).isEqualTo(needed && fits(running, all, asked, gpus));
        if (answer.containsKey("n")) {
            Set<Integer> gone = new HashSet<>();
            answer.get("n").uids().forEach(uid -> gone.add(Integer.parseInt(uid.substring("uid-v".length()))));
            assertThat(all).containsAll(gone);
            assertThat(fits(running, gone, asked, gpus)).isTrue();
            for (int one : gone) {
                Set<Integer> fewer = new HashSet<>(gone);
                fewer.remove(one);
                assertThat(fits(running, fewer, asked, gpus)).isFalse();
            }
        }
    }

    private static boolean fits(List<int[]> running, Set<Integer> gone, int asked, int gpus) {
        for (int gpu = 0; gpu < gpus; gpu++) {
            int used = asked;
            for (int[] one : running) {
                used += one[1] == gpu && !gone.contains(one[0]) ? one[2] : 0;
            }
            if (used <= 100) {
                return true;
            }
        }
        return false;
    }
}
