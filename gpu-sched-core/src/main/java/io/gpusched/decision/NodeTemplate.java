package io.gpusched.decision;

import io.gpusched.check.Checks;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a node must be to take a pod, or several pods together: {@code 1 core, 1000 MiB, for 1 whole GPU}.
 *
 * @param resources what must be free
 * @param modes the modes that admit the GPU requests; all where none is asked for
 * @param gpus the GPU requests that it must serve together; none where no GPU is asked for
 * @param labels what its labels must meet, each of them; empty if any labels will do
 * @param place the domain of the topology that it must stand in; {@link Topology#NONE} for any
 */
public record NodeTemplate(
        Resources resources, Set<NodeMode> modes, List<GpuRequest> gpus, List<NodeSelector> labels, Topology place) {
    /** Copies the collections. */
    public NodeTemplate {
        Objects.requireNonNull(resources, "resources");
        Objects.requireNonNull(place, "place");
        Checks.noNulls("modes", modes);
        modes = Set.copyOf(modes);
        gpus = Checks.list("gpus", gpus);
        labels = Checks.list("labels", labels);
    }

    /** Returns the template in words; the mode if nodes are not in it where nothing else is said. */
    @Override
    public String toString() {
        String mode = modes.contains(NodeMode.MIXED) || modes.isEmpty()
                ? ""
                : " in mode "
                        + EnumSet.copyOf(modes).stream().map(NodeMode::toString).collect(Collectors.joining(" or "));
        String selectors = labels.stream().map(NodeSelector::toString).collect(Collectors.joining(" and "));
        String needs = gpus.isEmpty()
                ? resources.toString()
                : resources.equals(Resources.NONE) ? words(gpus) + mode : resources + mode + ", for " + words(gpus);
        return needs
                + (selectors.isEmpty() ? "" : ", labelled " + selectors)
                + (place.equals(Topology.NONE) ? "" : ", in " + place);
    }

    /** Returns requests in words, of several that are alike their number. */
    static String words(List<GpuRequest> gpus) {
        Map<GpuRequest, Integer> counts = new LinkedHashMap<>();
        gpus.forEach(request -> counts.merge(request, 1, Integer::sum));
        List<String> parts = new ArrayList<>();
        counts.forEach((request, count) -> parts.add((count > 1 ? count + " times " : "") + request));
        return String.join(" and ", parts);
    }
}
