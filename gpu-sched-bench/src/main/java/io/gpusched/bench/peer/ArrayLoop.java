package io.gpusched.bench.peer;

import io.gpusched.bench.load.Shape;
import io.gpusched.workload.GpuRequest;
import java.util.Arrays;

/**
 * The loop over flat arrays that one would write first where speed counts: one byte for what is left of each GPU in
 * percent, one int each for the CPU and memory left of each node, and a scan of all nodes for the tightest fit.
 */
public final class ArrayLoop implements Peer {
    private static final byte IDLE = 100;

    private final Shape shape;
    private final int percent;
    private final byte[] left;
    private final int[] cpuLeft;
    private final int[] memoryLeft;

    /** Creates empty nodes of this much CPU and memory that take pods of this shape. */
    public ArrayLoop(Shape shape, int nodes, int cpuMillis, int memoryMib) {
        this.shape = shape;
        this.percent = shape.gpu() instanceof GpuRequest.Share share ? share.computeMillis() / 10 : IDLE;
        left = new byte[nodes * GPUS];
        cpuLeft = new int[nodes];
        memoryLeft = new int[nodes];
        Arrays.fill(left, IDLE);
        Arrays.fill(cpuLeft, cpuMillis);
        Arrays.fill(memoryLeft, memoryMib);
    }

    @Override
    public int find() {
        return shape.gpu() instanceof GpuRequest.Exclusive
                ? tightestIdle()
                : shape.gpu() instanceof GpuRequest.Share ? tightestShared() : firstEmpty();
    }

    @Override
    public void take(int gpu) {
        change(gpu, -1);
    }

    @Override
    public void release(int gpu) {
        change(gpu, 1);
    }

    private void change(int gpu, int sign) {
        boolean whole = shape.gpu() instanceof GpuRequest.WholeNode;
        for (int g = gpu; g < gpu + (whole ? GPUS : 1); g++) {
            left[g] += (byte) (sign * percent);
        }
        cpuLeft[gpu / GPUS] += (int) (sign * shape.resources().cpuMillis());
        memoryLeft[gpu / GPUS] += (int) (sign * shape.resources().memoryMib());
    }

    private boolean hasResources(int node) {
        return cpuLeft[node] >= shape.resources().cpuMillis()
                && memoryLeft[node] >= shape.resources().memoryMib();
    }

    /** The first idle GPU of the node with the fewest. */
    private int tightestIdle() {
        int best = -1;
        int fewest = Integer.MAX_VALUE;
        for (int node = 0; node < cpuLeft.length; node++) {
            int idle = 0;
            int first = -1;
            for (int g = node * GPUS + GPUS - 1; g >= node * GPUS; g--) {
                if (left[g] == IDLE) {
                    idle++;
                    first = g;
                }
            }
            if (idle > 0 && idle < fewest && hasResources(node)) {
                fewest = idle;
                best = first;
            }
        }
        return best;
    }

    /** The GPU with the least left that is enough. */
    private int tightestShared() {
        int best = -1;
        int least = Integer.MAX_VALUE;
        for (int g = 0; g < left.length; g++) {
            if (left[g] >= percent && left[g] < least && hasResources(g / GPUS)) {
                least = left[g];
                best = g;
            }
        }
        return best;
    }

    private int firstEmpty() {
        for (int node = 0; node < cpuLeft.length; node++) {
            int g = node * GPUS;
            while (g < node * GPUS + GPUS && left[g] == IDLE) {
                g++;
            }
            if (g == node * GPUS + GPUS && hasResources(node)) {
                return node * GPUS;
            }
        }
        return -1;
    }
}
