package io.gpusched.internal.fit;

import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;

/**
 * The forms in which a pod may be placed, the most wanted first: each combination of its containers' alternatives, the first
 * container's choice being the most important, and each first with preferred bonds, then without.
 */
final class PodAlternatives {
    /**
     * A pod whose containers each ask for one thing.
     *
     * @param isPreferred whether bonds that are only preferred are required beside the others here
     */
    record Alternative(Pod pod, boolean isPreferred) {}

    private PodAlternatives() {}

    /** Whether there is any choice. */
    static boolean hasChoice(Pod pod) {
        List<Container> containers = pod.containers();
        for (int i = 0; i < containers.size(); i++) {
            GpuRequest request = containers.get(i).gpu();
            if (request.alternatives().size() > 1 || prefers(request)) {
                return true;
            }
        }
        return false;
    }

    private static boolean prefers(GpuRequest request) {
        return request.selector().affinity().preferred() != Bond.NONE;
    }

    /** Returns them, at least one. */
    static List<Alternative> of(Pod pod) {
        List<List<Container>> combinations = List.of(List.of());
        for (Container container : pod.containers()) {
            List<List<Container>> longer = new ArrayList<>();
            for (List<Container> before : combinations) {
                for (GpuRequest one : container.gpu().alternatives()) {
                    List<Container> more = new ArrayList<>(before);
                    more.add(withGpu(container, one));
                    longer.add(more);
                }
            }
            combinations = longer;
        }
        List<Alternative> all = new ArrayList<>();
        for (List<Container> containers : combinations) {
            if (containers.stream().anyMatch(container -> prefers(container.gpu()))) {
                all.add(new Alternative(pod.withContainers(containers), true));
            }
            all.add(new Alternative(pod.withContainers(content(containers)), false));
        }
        return all;
    }

    /** The containers without the preference for bonds that are only preferred. */
    private static List<Container> content(List<Container> containers) {
        List<Container> content = new ArrayList<>();
        for (Container container : containers) {
            GpuRequest gpu = container.gpu();
            content.add(
                    prefers(gpu)
                            ? withGpu(
                                    container,
                                    gpu.withAffinity(gpu.selector().affinity().withoutPreference()))
                            : container);
        }
        return content;
    }

    private static Container withGpu(Container container, GpuRequest gpu) {
        return new Container(container.name(), container.kind(), container.resources(), gpu);
    }
}
