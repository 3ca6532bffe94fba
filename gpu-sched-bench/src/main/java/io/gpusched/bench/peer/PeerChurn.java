package io.gpusched.bench.peer;

import io.gpusched.bench.load.Shape;
import io.gpusched.workload.GpuRequest;
import java.util.SplittableRandom;

/** A peer's cluster in steady state: full but for a random part, and then a release for each placement. */
public final class PeerChurn {
    private final Peer peer;
    private final SplittableRandom random;
    private final int[] running;
    private int size;

    /** Fills the peer's cluster with pods of this shape, each place with a probability of {@code fill}. */
    public PeerChurn(Peer peer, Shape shape, int nodes, double fill, int seed) {
        this.peer = peer;
        this.random = new SplittableRandom(seed);
        boolean whole = shape.gpu() instanceof GpuRequest.WholeNode;
        int podsPerGpu = shape.gpu() instanceof GpuRequest.Share share ? 1000 / share.computeMillis() : 1;
        running = new int[nodes * Peer.GPUS * podsPerGpu + 1];
        for (int gpu = 0; gpu < nodes * Peer.GPUS; gpu += whole ? Peer.GPUS : 1) {
            for (int k = 0; k < podsPerGpu; k++) {
                if (random.nextDouble() < fill) {
                    place(gpu);
                }
            }
        }
    }

    private void place(int where) {
        peer.take(where);
        running[size++] = where;
    }

    /** Places a pod and releases a random one; returns where it was placed. */
    public int step() {
        int found = peer.find();
        if (found < 0) {
            throw new IllegalStateException("no room while " + size + " pods run");
        }
        place(found);
        int at = random.nextInt(size);
        peer.release(running[at]);
        running[at] = running[--size];
        return found;
    }
}
