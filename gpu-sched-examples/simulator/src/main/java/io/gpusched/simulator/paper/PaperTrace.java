package io.gpusched.simulator.paper;

import io.gpusched.simulator.ArrivalSequence;
import io.gpusched.simulator.trace.ArrivalOrder;
import io.gpusched.simulator.trace.OpenbTrace;
import io.gpusched.simulator.trace.OrderFile;
import io.gpusched.simulator.trace.TraceException;
import io.gpusched.simulator.trace.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One of the openb traces in a folder: its pod list and the node list.
 *
 * @param name the name of the trace, such as {@code default} or {@code gpuspec10}
 * @param pods the pod list
 * @param nodes the node list, the same for all traces
 */
public record PaperTrace(String name, Path pods, Path nodes) {
    private static final String PREFIX = "openb_pod_list_";
    private static final String SUFFIX = ".csv";

    /**
     * Returns the traces of a folder: {@code default} first, then by name.
     *
     * @throws TraceException if there is none
     */
    public static List<PaperTrace> in(Path folder) {
        try (Stream<Path> files = Files.isDirectory(folder) ? Files.list(folder) : Stream.of()) {
            List<PaperTrace> traces = files.map(file -> String.valueOf(file.getFileName()))
                    .filter(file -> file.startsWith(PREFIX) && file.endsWith(SUFFIX))
                    .map(file -> of(folder, file.substring(PREFIX.length(), file.length() - SUFFIX.length())))
                    .sorted(Comparator.comparing(
                                    (PaperTrace trace) -> !trace.name().equals("default"))
                            .thenComparing(PaperTrace::name))
                    .toList();
            if (traces.isEmpty()) {
                throw new TraceException(
                        "folder \"" + folder + "\": expected files " + PREFIX + "NAME" + SUFFIX
                                + ", got none\nMaybe name the folder with --traces; github.com/hkust-adsl/kubernetes-scheduler-simulator has them in data/csv.");
            }
            return traces;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PaperTrace of(Path folder, String name) {
        return new PaperTrace(
                name, folder.resolve(PREFIX + name + SUFFIX), folder.resolve("openb_node_list_gpu_node.csv"));
    }

    /** Reads the cluster and the pods. */
    public Workload workload() {
        return new Workload(name, OpenbTrace.nodes(nodes), OpenbTrace.pods(pods));
    }

    /** Makes the orders of these seeds as the authors' program made them. */
    public static List<ArrivalSequence> arrivals(Workload workload, List<Long> seeds) {
        return seeds.stream()
                .map(seed -> ArrivalSequence.of(workload, PublishedOrder.of(workload, seed)))
                .toList();
    }

    /**
     * Reads the orders of these seeds from a file.
     *
     * @throws TraceException if a seed is missing
     */
    public static List<ArrivalSequence> arrivals(Workload workload, Path orders, List<Long> seeds) {
        Map<Long, ArrivalOrder> recorded =
                OrderFile.read(orders, workload.pods().size(), workload.nodes().size());
        List<ArrivalSequence> arrivals = new ArrayList<>();
        for (long seed : seeds) {
            ArrivalOrder order = recorded.get(seed);
            if (order == null) {
                throw new TraceException(
                        "file \"" + orders + "\": has the seeds " + recorded.keySet() + ", asked for " + seed);
            }
            arrivals.add(ArrivalSequence.of(workload, order));
        }
        return arrivals;
    }
}
