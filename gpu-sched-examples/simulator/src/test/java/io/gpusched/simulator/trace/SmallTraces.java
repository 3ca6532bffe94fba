package io.gpusched.simulator.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The parts of the public traces that are committed, so that tests on real data run everywhere. */
public final class SmallTraces {
    /** Every thirtieth pod of the default trace. */
    public static final String POD_LIST = "openb_pod_list_small.csv";

    public static final String NODE_LIST = "openb_node_list_gpu_node.csv";

    private SmallTraces() {}

    /** Returns the folder with every thirtieth node and pod of the openb traces. */
    public static Path openb() {
        return folder("openb");
    }

    /** Returns a folder of traces. */
    public static Path folder(String name) {
        try {
            return Path.of(Objects.requireNonNull(SmallTraces.class.getResource("/traces/" + name), name)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the cluster of every thirtieth node and the workload of every thirtieth pod. */
    public static Workload workload() {
        return new Workload(
                "small", OpenbTrace.nodes(openb().resolve(NODE_LIST)), OpenbTrace.pods(openb().resolve(POD_LIST)));
    }

    /** Returns the lines of a file of the openb folder. */
    public static List<String> lines(String file) {
        try {
            return Files.readAllLines(openb().resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
