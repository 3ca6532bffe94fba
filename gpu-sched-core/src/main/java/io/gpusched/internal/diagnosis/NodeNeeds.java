package io.gpusched.internal.diagnosis;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.gang.Member;
import io.gpusched.model.Resources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Says in words what a node would have to be to take a pod, or several pods together. */
final class NodeNeeds {
    private NodeNeeds() {}

    /** What a node needs for one pod, as in {@code 1000m CPU, 1000 MiB in mode EXCLUSIVE or MIXED, for 1 whole gpu}. */
    static String of(PodDemand demand) {
        RequestFormatter asked = new RequestFormatter(demand);
        String gpus = demand.gpuContainers().isEmpty() ? "" : asked.gpus();
        return words(demand.resources(), demand.needsWhole(), demand.needsShares(), gpus, asked.labels());
    }

    /** What a node needs for all these members. */
    static String together(List<Member> members) {
        Resources sum = Resources.NONE;
        boolean whole = false;
        boolean shares = false;
        Map<String, Integer> gpus = new LinkedHashMap<>();
        TreeSet<String> labels = new TreeSet<>();
        for (Member member : members) {
            PodDemand demand = member.demand();
            RequestFormatter asked = new RequestFormatter(demand);
            sum = sum.plus(demand.resources());
            whole |= demand.needsWhole();
            shares |= demand.needsShares();
            if (!demand.gpuContainers().isEmpty()) {
                gpus.merge(asked.gpus(), 1, Integer::sum);
            }
            labels.add(asked.labels());
        }
        labels.remove("");
        List<String> parts = gpus.entrySet().stream()
                .map(entry -> (entry.getValue() > 1 ? entry.getValue() + " times " : "") + entry.getKey())
                .toList();
        return words(sum, whole, shares, String.join(" and ", parts), String.join(" and ", labels));
    }

    private static String words(Resources resources, boolean whole, boolean shares, String gpus, String labels) {
        // partitions lie on nodes of any mode
        String mode = whole && shares
                ? " in mode MIXED"
                : whole ? " in mode EXCLUSIVE or MIXED" : shares ? " in mode SHARED or MIXED" : "";
        return resources
                + (gpus.isEmpty() ? "" : mode + ", for " + gpus)
                + (labels.isEmpty() ? "" : ", labelled " + labels);
    }
}
