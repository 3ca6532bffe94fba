package io.gpusched.kubernetes.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Await;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.process.SchedulerProcess;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole process, alone and as two replicas, against an API server of which much goes wrong. */
class SchedulerFaultsTest {
    private static final FaultTurns TURNS = new FaultTurns();

    /** How many times in all the Lease may run out too early. */
    private static final int MOST_IN_VAIN = 100;

    /** A third of the writes fail, a fifth of what watches tell goes wrong, and the leader leaves in the middle. */
    @ParameterizedTest
    @CsvSource({"1,33,0,0", "2,0,0,20", "3,0,33,0", "4,33,20,20", "5,20,10,50"})
    void whateverFails_everyPodThatFitsIsBoundOnce_andNoGpuTwice(
            long seed, int writePercent, int readPercent, int watchPercent) {
        Faults faults = new Faults(seed, writePercent, readPercent, watchPercent, TURNS);
        try (FaultScene scene = new FaultScene(new FaultyApiServer(faults))) {
            SchedulerProcess first = scene.start("one");
            SchedulerProcess second = scene.start("two");
            Await.until("one leads", () -> first.isLeading() || second.isLeading());
            scene.createPods();
            Await.until("some are bound", () -> scene.bound("") >= 3);
            (first.isLeading() ? first : second).close();
            scene.awaitAllBound();
            scene.calls.delete("single-0");
            scene.calls.create(Manifests.pod("single-9", T9kDialect.GPU, "1"));
            scene.awaitAllBound();
            Await.until(
                    "assumptions are settled",
                    () -> first.view().binding() + second.view().binding() == 0);
            scene.check();
            assertFewWrites(scene);
        }
    }

    /** What never happens proves nothing. */
    @AfterAll
    static void everyFaultHappened() {
        assertThat(TURNS.happened()).containsOnlyKeys(Fault.values());
    }

    /** Pods that are bound need a write each, those that are not say why when it changes; a retry comes with each fault. */
    private static void assertFewWrites(FaultScene scene) {
        for (String name : new String[] {"one", "two"}) {
            WrittenBy written = scene.server.writtenBy(name);
            assertThat(written.count("bindings")).as("bindings by %s", name).isLessThan(30);
            assertThat(written.count("pods")).as("conditions by %s", name).isLessThan(40);
            assertThat(written.count("events")).as("events by %s", name).isLessThan(60);
            assertThat(written.count("others"))
                    .as("taints and groups by %s", name)
                    .isLessThan(15);
        }
    }

    /**
     * Killed after each number of writes that it would do, from none to all; another goes on when the Lease runs out. Where the machine
     * was so busy that it ran out before, nothing is learned, and it is tried again.
     */
    @Test
    void killedBetweenAnyTwoWrites_another_bindsTheRest() {
        int writes = Integer.MAX_VALUE;
        int inVain = 0;
        for (int k = 0; k <= writes && inVain < MOST_IN_VAIN; k++) {
            try (FaultScene scene = new FaultScene(new FaultyApiServer(Faults.none()))) {
                SchedulerProcess first = scene.start("one");
                Await.until("one leads", first::isLeading);
                scene.server.writtenBy("one").killAfter(k);
                scene.createPods();
                scene.start("two");
                scene.awaitAllBound();
                scene.check();
                WrittenBy one = scene.server.writtenBy("one");
                if (scene.server.leases().runOut() > 0) {
                    inVain++;
                    k--;
                    continue;
                }
                if (!one.isDead()) {
                    writes = k;
                }
                assertThat(one.count("bindings") + scene.server.writtenBy("two").count("bindings"))
                        .isEqualTo(FaultScene.SINGLES + FaultScene.SHARES + FaultScene.MEMBERS);
            }
        }
        assertThat(writes)
                .as("writes without a kill, after %d times in vain", inVain)
                .isBetween(16, Integer.MAX_VALUE - 1);
    }

    /** By its own clock the other has not renewed for an hour, or will not need to for one. */
    @ParameterizedTest
    @ValueSource(longs = {3_600, -3_600})
    void aReplicaWhoseClockIsWrong_waitsForTheLeaseToRunOut_andNoLonger(long secondsAhead) {
        try (FaultScene scene = new FaultScene(new FaultyApiServer(Faults.none()))) {
            SchedulerProcess first = scene.start("one");
            Await.until("the first leads", first::isLeading);
            scene.server.writtenBy("two").setClockAhead(Duration.ofSeconds(secondsAhead));
            SchedulerProcess second = scene.start("two");
            Await.until(
                    "the second has looked at the Lease for longer than it lasts",
                    () -> scene.server.writtenBy("two").looks() * FaultScene.RETRY.toMillis()
                            >= 2 * FaultScene.LEASE.toMillis());
            assertThat(scene.server.leases().takenEarly()).isEmpty();
            scene.server.writtenBy("one").killAfter(0);
            Await.until("the second leads", second::isLeading);
            scene.createPods();
            scene.awaitAllBound();
            scene.check();
        }
    }

    /** Its bindings are not answered until another has taken over; they are not to be tried again then. Closing lets what it tries end. */
    @Test
    void aLeaderThatIsCutOffWhileItBinds_triesNoBindingOnceAnotherLeads() {
        try (FaultScene scene = new FaultScene(new FaultyApiServer(Faults.none()))) {
            SchedulerProcess first = scene.start("one");
            Await.until("the first leads", first::isLeading);
            SchedulerProcess second = scene.start("two");
            WrittenBy one = scene.server.writtenBy("one");
            one.setCutOff(path -> path.endsWith("/binding"));
            scene.createPods();
            Await.until("bindings are tried", () -> one.count("bindings") > 3);
            one.setCutOff(path -> true);
            Await.until(
                    "the second leads, and nothing of the first is under way",
                    () -> second.isLeading() && scene.server.leases().isSettled());
            one.setCutOff(path -> false);
            scene.awaitAllBound();
            first.close();
            scene.check();
        }
    }

    /** The one that is cut off must not write after its Lease has run out, however long it takes until it hears of that. */
    @Test
    void aLeaderThatIsCutOff_bindsNothingUntilItHoldsTheLeaseAgain() {
        try (FaultScene scene = new FaultScene(new FaultyApiServer(Faults.none()))) {
            SchedulerProcess first = scene.start("one");
            Await.until("the first leads", first::isLeading);
            SchedulerProcess second = scene.start("two");
            for (String name : new String[] {"one", "two", "one"}) {
                scene.server.writtenBy(name).setCutOff(path -> true);
                SchedulerProcess other = name.equals("one") ? second : first;
                Await.until("the other leads", other::isLeading);
                scene.server.writtenBy(name).setCutOff(path -> false);
            }
            scene.createPods();
            scene.awaitAllBound();
            scene.check();
        }
    }
}
