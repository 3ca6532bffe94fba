package io.gpusched.cli;

import io.gpusched.simulator.ArrivalSequence;
import io.gpusched.simulator.paper.PaperTrace;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A tiny folder in the layout of the openb traces. */
final class PaperFolder {
    private PaperFolder() {}

    static Path make(Path folder) throws IOException {
        Files.writeString(
                folder.resolve("openb_node_list_gpu_node.csv"),
                "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,64000,2,T4\nn1,64000,64000,4,G2\n");
        Files.writeString(
                folder.resolve("openb_pod_list_default.csv"),
                "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\np0,1000,1,1,500,\np1,1000,1,2,1000,G2\np2,9000,1,0,0,\n");
        return folder;
    }

    /** Writes the paper's order of a workload as a file of orders. */
    static Path order(Path file, Workload workload, long seed) throws IOException {
        ArrivalSequence arrivals = PaperTrace.arrivals(workload, List.of(seed)).get(0);
        Map<String, Integer> rows = new HashMap<>();
        workload.pods().forEach(pod -> rows.put(pod.name(), rows.size()));
        return Files.writeString(
                file,
                "seed=" + seed + joined(arrivals.pods().stream().map(pod -> rows.get(original(pod)))) + "\nnoderank="
                        + seed + joined(arrivals.nodeRanks().stream()) + "\n");
    }

    private static String original(TracePod pod) {
        return pod.name().replaceFirst("-tuned-.*", "");
    }

    private static String joined(Stream<Integer> numbers) {
        return numbers.map(number -> " " + number).collect(Collectors.joining());
    }
}
