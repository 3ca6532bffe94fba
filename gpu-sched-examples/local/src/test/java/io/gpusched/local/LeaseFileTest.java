package io.gpusched.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.workload.GpuRequest;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LeaseFileTest {
    @TempDir
    private Path folder;

    private GpuMachine machine(int gpus) {
        return GpuMachine.builder()
                .node(Machines.node(gpus))
                .environment(Map.of())
                .leaseFile(folder.resolve("leases"))
                .build();
    }

    /** Leases as many whole GPUs of a machine of two as its second argument says, and holds them until its input ends. */
    static final class OtherProgram {
        private OtherProgram() {}

        public static void main(String... args) throws Exception {
            GpuMachine machine = GpuMachine.builder()
                    .node(Machines.node(2))
                    .environment(Map.of())
                    .leaseFile(Path.of(args[0]))
                    .build();
            System.out.println("ready");
            try (Lease lease = machine.lease(GpuRequest.exclusive(Integer.parseInt(args[1])))) {
                System.out.println(lease.gpus());
                while (System.in.read() >= 0) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    private Process start(int gpus) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProgram.class.getName(),
                        folder.resolve("leases").toString(),
                        String.valueOf(gpus))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void programsShareOneMachine_andWhatAKilledProgramHeldIsFreeAgain() throws Exception {
        GpuMachine machine = machine(2);
        Process other = start(2);
        try (BufferedReader printed = other.inputReader()) {
            assertThat(printed.readLine()).isEqualTo("ready");
            assertThat(printed.readLine()).isEqualTo("[0, 1]");
            assertThat(machine.tryLease(GpuRequest.exclusive(1))).isEmpty();
            Thread.currentThread().interrupt();
            assertThat(machine.tryLease(GpuRequest.exclusive(1))).isEmpty();
            assertThat(Thread.interrupted()).isTrue();

            other.destroyForcibly().waitFor();
            try (Lease lease = machine.lease(GpuRequest.exclusive(2), Duration.ofMinutes(1))) {
                assertThat(lease.gpus()).containsExactly(0, 1);
            }
            assertThat(machine.counts().recovered()).isEqualTo(1);
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void anotherProgramWaits_inItsTurn_andADeadOneIsNotWaitedFor() throws Exception {
        GpuMachine machine = machine(2);
        Lease held = machine.tryLease(GpuRequest.exclusive(1)).orElseThrow();
        Process dead = start(2);
        awaitWaiting(machine, 1);
        Process other = start(1);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (BufferedReader ofDead = dead.inputReader();
                BufferedReader printed = other.inputReader()) {
            assertThat(ofDead.readLine()).isEqualTo("ready");
            assertThat(printed.readLine()).isEqualTo("ready");
            awaitWaiting(machine, 2);
            Future<Lease> last = threads.submit(() -> machine.lease(GpuRequest.exclusive(2)));
            awaitWaiting(machine, 3);
            dead.destroyForcibly().waitFor();
            assertThat(printed.readLine()).isEqualTo("[1]");
            held.close();
            assertThat(last.isDone()).isFalse();
            other.getOutputStream().close();
            assertThat(last.get().gpus()).containsExactly(0, 1);
        } finally {
            threads.shutdownNow();
            dead.destroyForcibly();
            other.destroyForcibly();
        }
    }

    private static void awaitWaiting(GpuMachine machine, int count) throws InterruptedException {
        while (machine.counts().waiting() < count) {
            Thread.sleep(2);
        }
    }

    @Test
    void machineObjectsOfOneProgram_shareTheFile() {
        GpuMachine one = machine(1);
        GpuMachine other = machine(1);
        try (Lease lease = one.tryLease(GpuRequest.exclusive(1)).orElseThrow()) {
            assertThat(other.tryLease(GpuRequest.exclusive(1))).isEmpty();
            assertThat(other.counts().held()).isEqualTo(1);
        }
        assertThat(other.tryLease(GpuRequest.exclusive(1))).isPresent();
    }

    @Test
    void leasesOfOtherGpus_areNotMixed() {
        GpuMachine one = machine(1);
        try (Lease lease = one.tryLease(GpuRequest.exclusive(1)).orElseThrow()) {
            assertThatThrownBy(() -> machine(2))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("programs hold leases of a machine with other gpus");
        }
        assertThat(machine(2).tryLease(GpuRequest.exclusive(2))).isPresent();
    }

    @Test
    void aFileThatIsNoLeaseFile_isRefusedByNameAndLine_andKept() throws Exception {
        Path file = folder.resolve("leases");
        for (String text : new String[] {
            "hello\n", "gpu-sched leases, version 1\nheld 1 2\n", "gpu-sched leases, version 1\nnext x\n"
        }) {
            Files.writeString(file, text);
            assertThatThrownBy(() -> machine(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(
                            "lease file \"" + file + "\", line " + text.lines().count());
            assertThat(file).hasContent(text);
        }
    }

    @Test
    void aFolderThatDoesNotExist_isNamed() {
        Path file = folder.resolve("none").resolve("leases");
        assertThatThrownBy(() -> GpuMachine.builder()
                        .node(Machines.node(1))
                        .leaseFile(file)
                        .build())
                .hasMessageContaining("lease file \"" + file + "\" cannot be opened");
    }
}
