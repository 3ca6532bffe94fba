package io.gpusched.bench.load;

import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import java.util.Arrays;
import java.util.SplittableRandom;

/** The pods that run, to draw a random one from, and the pods that arrive: each under an id of its own. */
final class Running {
    private final Pod[] patterns;
    private Placement[] placements = new Placement[1024];
    private int size;

    /** Those that leave next, drawn in blocks: to look for them in a long list is not what is measured. */
    private final Placement[] leaving = new Placement[64];

    private int drawn;

    private final String[] namespaces = new String[256];
    private String name = "";
    private int named;
    private long cpuMillis;

    Running(Mix mix) {
        this.patterns = mix.shapes().stream().map(shape -> shape.pod("pattern")).toArray(Pod[]::new);
        Arrays.setAll(namespaces, n -> "namespace-" + n);
    }

    /** CPU that the running pods ask for: how full the cluster is. */
    long cpuMillis() {
        return cpuMillis;
    }

    int size() {
        return size + drawn;
    }

    /** Returns a pod of this shape under an id that no other has had; each namespace in turn has a pod of the same name. */
    Pod arrival(int shape) {
        int namespace = named % namespaces.length;
        if (namespace == 0) {
            name = "pod-" + named / namespaces.length;
        }
        named++;
        return patterns[shape].withId(new PodId(namespaces[namespace], name));
    }

    void add(Placement placement) {
        if (size == placements.length) {
            placements = Arrays.copyOf(placements, size * 2);
        }
        placements[size++] = placement;
        cpuMillis += placement.resources().cpuMillis();
    }

    /** Removes a random one and returns where it ran. */
    Placement remove(SplittableRandom random) {
        if (drawn == 0) {
            draw(random);
        }
        Placement removed = leaving[--drawn];
        cpuMillis -= removed.resources().cpuMillis();
        return removed;
    }

    private void draw(SplittableRandom random) {
        for (int most = Math.min(leaving.length, 1 + size / 16); drawn < most; drawn++) {
            int at = random.nextInt(size);
            leaving[drawn] = placements[at];
            placements[at] = placements[--size];
        }
    }
}
