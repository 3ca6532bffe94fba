package io.gpusched.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpusched.simulator.trace.OpenbTrace;
import io.gpusched.simulator.trace.Workload;
import java.nio.file.Files;
import java.nio.file.Path;

/** The public traces: every thirtieth node and pod, which are committed, and all of them, where they lie beside the checkout. */
final class Traces {
    static final String POD_LIST = "openb_pod_list_small.csv";
    static final String NODE_LIST = "openb_node_list_gpu_node.csv";

    private Traces() {}

    /** Returns the folder of the committed part. */
    static Path small() {
        return Path.of("..", "simulator", "src", "test", "resources", "traces", "openb");
    }

    static Workload workload() {
        return new Workload(
                "small", OpenbTrace.nodes(small().resolve(NODE_LIST)), OpenbTrace.pods(small().resolve(POD_LIST)));
    }

    /** Returns the folder of all of them, or skips the test. */
    static Path all() {
        Path folder = Path.of("..", "..", "..", "shared", "traces", "openb")
                .toAbsolutePath()
                .normalize();
        assumeTrue(Files.isDirectory(folder), () -> "skipped: no traces in " + folder);
        return folder;
    }
}
