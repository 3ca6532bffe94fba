package io.gpusched.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.command.DialectConverter;
import io.gpusched.kubernetes.command.QueueConverter;
import io.gpusched.kubernetes.command.Serving;
import io.gpusched.kubernetes.http.Shutdown;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.kubernetes.record.ClusterRecorder;
import io.gpusched.manifests.dialect.NamedDialect;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code gpu-sched record}: writes a history of a cluster, whichever scheduler decides there. */
@Command(
        name = "record",
        description = {
            "Records what a cluster does, whichever scheduler decides there, for gpu-sched replay. It reads, installs"
                    + " nothing and writes nothing to the cluster.",
            "Finds the cluster as kubectl does, and records until it is stopped; or reads with --from what kubectl get"
                    + " --watch -o json --output-watch-events printed."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:it was stopped, or all was read", "1:the recording ended, as the disk failed", "2:bad input"
        })
public final class RecordCommand implements Callable<Integer> {
    private static final int MIB_BITS = 20;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Where the history is written.")
    private Path out = Path.of("");

    @Option(
            names = "--mib",
            paramLabel = "N",
            description = "How large its files become together; the oldest are deleted (default: ${DEFAULT-VALUE}).")
    private int mib = 1_024;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            split = ",",
            description =
                    "Reads files that kubectl printed, at the times that the objects name; - reads what comes from now"
                            + " on.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--dialect",
            paramLabel = "NAME",
            split = ",",
            converter = DialectConverter.class,
            description = "The dialects of the nodes (default: found by what the nodes say).")
    private List<NamedDialect> dialects = new ArrayList<>();

    @Option(
            names = "--queues",
            paramLabel = "NAME",
            converter = QueueConverter.class,
            defaultValue = "gpu-sched",
            description = "Whose Queue objects are read: gpu-sched, volcano, kai or t9k (default: ${DEFAULT-VALUE}).")
    private QueueVocabulary queues = QueueVocabulary.GPU_SCHED;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (mib < 1) {
            throw new IllegalArgumentException("--mib must be at least 1, got " + mib);
        }
        if (files.contains("-") && files.size() > 1) {
            throw new IllegalArgumentException("--from - goes with no other file");
        }
        Files.createDirectories(out);
        ClusterRecorder recorder = new ClusterRecorder(out, (long) mib << MIB_BITS, dialects, queues, this::note);
        if (files.isEmpty()) {
            return live(recorder) ? 0 : 1;
        }
        if (files.equals(List.of("-"))) {
            return recorder.record(System.in, "standard input") ? 0 : 1;
        }
        long states = recorder.record(files.stream().map(Path::of).toList());
        if (states >= 0) {
            note(states + " states");
        }
        return states >= 0 ? 0 : 1;
    }

    /** Records on a thread of its own until the process is told to stop, or the recording ends. */
    private boolean live(ClusterRecorder recorder) throws InterruptedException {
        AtomicBoolean isWhole = new AtomicBoolean();
        Thread main = Thread.currentThread();
        try (KubernetesClient client = Serving.client(1)) {
            Thread recording = new Thread(
                    () -> {
                        isWhole.set(recorder.record(client));
                        if (!isWhole.get()) {
                            main.interrupt();
                        }
                    },
                    "gpu-sched-record");
            recording.start();
            note("records " + client.getMasterUrl() + " into " + out + " until it is stopped");
            Shutdown.await();
            boolean isEnded = Thread.interrupted();
            recording.interrupt();
            recording.join();
            return !isEnded && isWhole.get();
        }
    }

    /** Says something to people. */
    private void note(String words) {
        if (spec != null) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("gpu-sched record: " + words);
            err.flush();
        }
    }
}
