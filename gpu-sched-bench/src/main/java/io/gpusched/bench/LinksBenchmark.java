package io.gpusched.bench;

import io.gpusched.analysis.PreferredGpus;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuLinks.Link;
import io.gpusched.model.GpuLinks.Path;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.workload.GpuAffinity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does it take to choose GPUs of one node of 16 by their links? 16 nodes are cycled; each has different links, of which no
 * two GPUs have the same.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class LinksBenchmark {
    private static final int GPUS = 16;
    private static final int NODES = 16;
    private static final List<Integer> ALL = IntStream.range(0, GPUS).boxed().toList();

    /** How many GPUs. */
    @Param({"2", "4", "8"})
    public int count;

    private final List<Node> nodes = new ArrayList<>();
    private int next;

    /** Draws the links. */
    @Setup(Level.Trial)
    public void wire() {
        Random random = new Random(7);
        for (int n = 0; n < NODES; n++) {
            nodes.add(Node.builder("node-" + n)
                    .gpus(GPUS, GpuModel.of("nvidia", "V100", 32_768))
                    .links(links(random))
                    .build());
        }
    }

    /** Two sockets of eight GPUs; NVLinks between some pairs. */
    private static GpuLinks links(Random random) {
        List<List<Link>> matrix = new ArrayList<>();
        for (int a = 0; a < GPUS; a++) {
            matrix.add(new ArrayList<>(Collections.nCopies(GPUS, Link.NONE)));
            for (int b = 0; b < a; b++) {
                Path path = a / 8 != b / 8 ? Path.SYS : a / 2 == b / 2 ? Path.PIX : Path.PHB;
                Link link = Link.of(path, random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0);
                matrix.get(a).set(b, link);
                matrix.get(b).set(a, link);
            }
        }
        return GpuLinks.of(matrix, List.of());
    }

    /** A choice among all 16 GPUs. */
    @Benchmark
    public List<Integer> choose() {
        next = (next + 1) % NODES;
        return PreferredGpus.of(nodes.get(next), ALL, List.of(), count, GpuAffinity.ANY);
    }
}
