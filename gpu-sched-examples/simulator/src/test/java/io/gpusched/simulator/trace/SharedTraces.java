package io.gpusched.simulator.trace;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The public traces, where they lie beside the checkout; tests that need them are skipped where they do not. */
public final class SharedTraces {
    private SharedTraces() {}

    /** Returns the folder of the openb traces, or skips the test. */
    public static Path openb() {
        return folder("openb");
    }

    /** Returns a folder of traces, or skips the test. */
    public static Path folder(String name) {
        Path module = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
        Path folder = module.resolve("../../../shared/traces").resolve(name).normalize();
        assumeTrue(Files.isDirectory(folder), () -> "skipped: no traces in " + folder);
        return folder;
    }

    /** Returns an openb workload, or skips the test. */
    public static Workload workload(String trace) {
        return new Workload(
                trace,
                OpenbTrace.nodes(openb().resolve("openb_node_list_gpu_node.csv")),
                OpenbTrace.pods(openb().resolve("openb_pod_list_" + trace + ".csv")));
    }

    /** Returns the recorded orders of an openb workload. */
    public static Map<Long, ArrivalOrder> orders(Workload workload) {
        Path file = openb().resolve("orders").resolve(workload.name() + ".txt.gz");
        return OrderFile.read(file, workload.pods().size(), workload.nodes().size());
    }
}
