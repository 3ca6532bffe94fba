package io.gpusched.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class GpuMachineTest {
    private static final Duration NOW = Duration.ZERO;
    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void aLease_tellsAChildProcessItsGpus_andClosingGivesThemBack() throws Exception {
        GpuMachine machine = Machines.machine(Machines.node(2));
        try (Lease lease = machine.lease(GpuRequest.exclusive(2), NOW)) {
            assertThat(lease.environment())
                    .containsOnly(
                            Map.entry("CUDA_VISIBLE_DEVICES", "GPU-a0,GPU-b1"),
                            Map.entry("CUDA_DEVICE_ORDER", "PCI_BUS_ID"));
            assertThat(lease.gpus()).containsExactly(0, 1);
            assertThat(machine.tryLease(GpuRequest.percent(1))).isEmpty();
        }
        assertThat(machine.tryLease(GpuRequest.exclusive(2))).isPresent();
    }

    @Test
    void shares_arePackedOnOneGpu_andTellMpsTheirPercentage() {
        GpuMachine machine = Machines.machine(Machines.node(2));
        Lease first = machine.tryLease(GpuRequest.percent(40)).orElseThrow();
        Lease second = machine.tryLease(GpuRequest.percent(60)).orElseThrow();
        assertThat(first.gpus()).isEqualTo(second.gpus());
        assertThat(second.environment()).containsEntry("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "60");
        assertThat(first.grant()).hasToString("shares [GPU 0 (40 %, 16 GiB)]");
        assertThat(machine.tryLease(GpuRequest.exclusive(1)).orElseThrow().gpus())
                .containsExactly(1);
    }

    @Test
    void wholeGpus_areTheBestConnectedOnes() {
        GpuMachine machine = Machines.machine(Machines.pairs(4));
        assertThat(machine.tryLease(GpuRequest.exclusive(2)).orElseThrow().gpus())
                .containsExactly(0, 2);
        assertThat(machine.tryLease(GpuRequest.exclusive(2)).orElseThrow().gpus())
                .containsExactly(1, 3);
    }

    @Test
    void aRequestThatWaits_isNotPassedByALaterSmallerOne() throws Exception {
        GpuMachine machine = Machines.machine(Machines.node(4));
        Lease one = machine.tryLease(GpuRequest.exclusive(1)).orElseThrow();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Future<Lease> four = threads.submit(() -> machine.lease(GpuRequest.exclusive(4)));
            awaitWaiting(machine, 1);
            assertThat(machine.tryLease(GpuRequest.exclusive(1))).isEmpty();
            assertThatThrownBy(() -> machine.lease(GpuRequest.exclusive(1), NOW))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessage("no lease of 1 whole GPU within PT0S: 1 earlier request waits");
            one.close();
            assertThat(four.get().gpus()).containsExactly(0, 1, 2, 3);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aTimeout_saysWhatStandsInTheWay_andLeavesNoRequestBehind() {
        GpuMachine machine = Machines.machine(Machines.node(1));
        machine.tryLease(GpuRequest.percent(70)).orElseThrow();
        assertThatThrownBy(() -> machine.lease(GpuRequest.percent(40), Duration.ofMillis(5)))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("no room now");
        assertThat(machine.counts().waiting()).isZero();
        assertThat(machine.counts().abandoned()).isEqualTo(1);
        assertThat(machine.tryLease(GpuRequest.percent(30))).isPresent();
    }

    @Test
    void anInterruptedThread_leavesNoRequestBehind() throws Exception {
        GpuMachine machine = Machines.machine(Machines.node(1));
        Lease held = machine.tryLease(GpuRequest.exclusive(1)).orElseThrow();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        Future<Lease> waits = threads.submit(() -> machine.lease(GpuRequest.exclusive(1)));
        awaitWaiting(machine, 1);
        threads.shutdownNow();
        assertThatThrownBy(waits::get).hasCauseInstanceOf(InterruptedException.class);
        assertThat(machine.counts().waiting()).isZero();
        held.close();
        assertThat(machine.tryLease(GpuRequest.exclusive(1))).isPresent();
    }

    @Test
    void aRequestThatTheMachineCanNeverMeet_isRefusedAtOnce_evenWhileOthersWait() {
        GpuMachine machine = Machines.machine(Machines.node(2));
        machine.tryLease(GpuRequest.exclusive(2)).orElseThrow();
        assertThatThrownBy(() -> machine.lease(GpuRequest.exclusive(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("this machine can never meet the request for 3 whole GPUs");
        assertThatThrownBy(() -> machine.tryLease(GpuRequest.exclusive(1, GpuSelector.models("H100"))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(machine.counts().waiting()).isZero();
    }

    @Test
    void requestsForPartitionsOrForNothing_areRefused() {
        GpuMachine machine = Machines.machine(Machines.node(2));
        for (GpuRequest request : List.of(GpuRequest.none(), GpuRequest.partition("1g.5gb", 1))) {
            assertThatThrownBy(() -> machine.tryLease(request))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must be for whole GPUs, shares or the whole node, got \"" + request + "\"");
        }
    }

    @Test
    void gpusThatTheEnvironmentHides_areNotLeased_whateverTheRequest() {
        GpuMachine machine = Machines.machine(Machines.node(4), Map.of("CUDA_VISIBLE_DEVICES", "1,GPU-d"));
        assertThat(machine.tryLease(GpuRequest.exclusive(2)).orElseThrow().gpus())
                .containsExactly(1, 3);
        for (GpuRequest request : List.of(
                GpuRequest.wholeNode(),
                GpuRequest.exclusive(3),
                GpuRequest.exclusive(1, GpuSelector.ANY.withAllowedUuids(Set.of("GPU-a0"))),
                GpuRequest.firstOf(GpuRequest.exclusive(4), GpuRequest.exclusive(3)))) {
            assertThatThrownBy(() -> machine.tryLease(request))
                    .as(request.toString())
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aListOfVisibleGpus_endsWhereCudaSaysItEnds() {
        assertThat(visible("")).isEmpty();
        assertThat(visible("-1")).isEmpty();
        assertThat(visible("0,2,-1,1")).containsExactly(0, 2);
        assertThat(visible("2,9,1")).containsExactly(2);
        assertThat(visible("GPU-b,GPU-,GPU-c")).containsExactly(1);
        assertThat(visible(" 3 , 0 ")).containsExactly(0, 3);
    }

    private static List<Integer> visible(String value) {
        Set<String> hidden = VisibleGpus.hidden(Machines.node(4), Map.of("CUDA_VISIBLE_DEVICES", value));
        List<Integer> visible = new ArrayList<>();
        Machines.node(4).gpus().stream()
                .filter(gpu -> !hidden.contains(gpu.uuid()))
                .forEach(gpu -> visible.add(gpu.index()));
        return visible;
    }

    @Test
    void aListOfVisibleGpusThatIsNotClear_isRefusedByName() {
        Node node = Machines.node(2);
        assertThatThrownBy(() -> Machines.machine(node, Map.of("CUDA_VISIBLE_DEVICES", "0,GPU-a")))
                .hasMessage("CUDA_VISIBLE_DEVICES: must name each gpu once, got \"0,GPU-a\"");
        assertThatThrownBy(() -> Machines.machine(node, Map.of("CUDA_VISIBLE_DEVICES", "MIG-7")))
                .hasMessage("CUDA_VISIBLE_DEVICES: must name whole GPUs, got \"MIG-7\"");
        Node differing =
                node.toBuilder().gpus(1, GpuModel.of("nvidia", "T4", 15_360)).build();
        assertThatThrownBy(() -> Machines.machine(differing, Map.of("CUDA_VISIBLE_DEVICES", "0")))
                .hasMessageContaining("index 0 may mean another gpu to CUDA than to nvidia-smi");
        GpuMachine clear =
                Machines.machine(differing, Map.of("CUDA_VISIBLE_DEVICES", "0", "CUDA_DEVICE_ORDER", "PCI_BUS_ID"));
        assertThat(clear.tryLease(GpuRequest.exclusive(1))).isPresent();
    }

    @Test
    void amdGpus_areHiddenAndShownByRocmsVariable() {
        Node node = Node.builder("local")
                .gpus(3, GpuModel.of("amd", "MI300X", 196_608))
                .build();
        GpuMachine machine = Machines.machine(node, Map.of("ROCR_VISIBLE_DEVICES", "1,2", "CUDA_VISIBLE_DEVICES", "0"));
        assertThat(machine.tryLease(GpuRequest.exclusive(2)).orElseThrow().environment())
                .containsOnly(Map.entry("ROCR_VISIBLE_DEVICES", "1,2"));
    }

    @Test
    void gpusOfAnUnknownVendor_areRefusedByName() {
        Node node =
                Node.builder("local").gpus(1, GpuModel.of("acme", "X1", 1_024)).build();
        assertThatThrownBy(() -> GpuMachine.of(node))
                .hasMessage("node \"local\": gpus must all be of vendor nvidia or all of vendor amd, got [acme]");
    }

    @Test
    void closingTwice_givesBackOnce() {
        GpuMachine machine = Machines.machine(Machines.node(1));
        Lease first = machine.tryLease(GpuRequest.exclusive(1)).orElseThrow();
        first.close();
        machine.tryLease(GpuRequest.exclusive(1)).orElseThrow();
        first.close();
        assertThat(machine.tryLease(GpuRequest.percent(1))).isEmpty();
    }

    @Test
    void manyThreads_neverHoldMoreThanThereIs_andAllAreServed() throws Exception {
        GpuMachine machine = Machines.machine(Machines.pairs(4));
        AtomicIntegerArray percent = new AtomicIntegerArray(4);
        ExecutorService threads = Executors.newFixedThreadPool(12);
        try {
            List<Callable<Integer>> programs = new ArrayList<>();
            for (int t = 0; t < 12; t++) {
                long seed = t;
                programs.add(() -> leaseOften(machine, percent, new Random(seed)));
            }
            for (Future<Integer> served : threads.invokeAll(programs)) {
                assertThat(served.get()).isEqualTo(60);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(machine.counts().granted()).isEqualTo(720);
        assertThat(machine.counts().held()).isZero();
    }

    private static int leaseOften(GpuMachine machine, AtomicIntegerArray percent, Random random) throws Exception {
        for (int i = 0; i < 60; i++) {
            int share = 10 * (1 + random.nextInt(9));
            boolean isWhole = random.nextBoolean();
            GpuRequest request = isWhole
                    ? GpuRequest.exclusive(1 + random.nextInt(4))
                    : GpuRequest.percent(share).withCount(1 + random.nextInt(2));
            try (Lease lease = machine.lease(request, LONG)) {
                assertThat(lease.gpus()).hasSize(request.count());
                for (int gpu : lease.gpus()) {
                    assertThat(percent.addAndGet(gpu, isWhole ? 100 : share)).isLessThanOrEqualTo(100);
                }
                Thread.yield();
                for (int gpu : lease.gpus()) {
                    percent.addAndGet(gpu, isWhole ? -100 : -share);
                }
            }
        }
        return 60;
    }

    private static void awaitWaiting(GpuMachine machine, int count) throws InterruptedException {
        while (machine.counts().waiting() != count) {
            Thread.sleep(1);
        }
    }
}
