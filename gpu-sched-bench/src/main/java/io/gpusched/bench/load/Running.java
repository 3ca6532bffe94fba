package io.gpusched.bench.load;

import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The pods that run, to draw a random one from, and for each shape the pods that left and may come again. */
final class Running {
    private final Mix mix;
    private final List<List<Pod>> spare = new ArrayList<>();
    private Pod[] pods = new Pod[1024];
    private Placement[] placements = new Placement[1024];
    private byte[] shapes = new byte[1024];
    private int size;
    private int named;
    private long cpuMillis;

    Running(Mix mix) {
        this.mix = mix;
        mix.shapes().forEach(shape -> spare.add(new ArrayList<>()));
    }

    int size() {
        return size;
    }

    /** CPU that the running pods ask for: how full the cluster is. */
    long cpuMillis() {
        return cpuMillis;
    }

    /** Returns a pod of this shape that does not run, a new one if none is left. */
    Pod take(int shape) {
        List<Pod> left = spare.get(shape);
        return left.isEmpty() ? mix.shapes().get(shape).pod("pod-" + named++) : left.remove(left.size() - 1);
    }

    /** Gives back a pod that was not placed. */
    void putBack(int shape, Pod pod) {
        spare.get(shape).add(pod);
    }

    void add(int shape, Pod pod, Placement placement) {
        if (size == pods.length) {
            pods = java.util.Arrays.copyOf(pods, size * 2);
            placements = java.util.Arrays.copyOf(placements, size * 2);
            shapes = java.util.Arrays.copyOf(shapes, size * 2);
        }
        pods[size] = pod;
        placements[size] = placement;
        shapes[size++] = (byte) shape;
        cpuMillis += mix.shapes().get(shape).resources().cpuMillis();
    }

    /** Removes a random one and returns where it ran. */
    Placement remove(SplittableRandom random) {
        int at = random.nextInt(size);
        Placement removed = placements[at];
        int shape = shapes[at];
        putBack(shape, pods[at]);
        cpuMillis -= mix.shapes().get(shape).resources().cpuMillis();
        size--;
        pods[at] = pods[size];
        placements[at] = placements[size];
        shapes[at] = shapes[size];
        return removed;
    }
}
