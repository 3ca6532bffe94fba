package io.gpusched.json;

import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.PodSpec;
import io.gpusched.workload.Toleration;
import java.util.List;

/** What a pod asks, as it is written. */
record SpecForm(
        List<Container> containers,
        NodeSelector nodeSelector,
        List<Toleration> tolerations,
        Resources overhead,
        PodRules rules) {
    /** Stands in errors for the pods that ask this. */
    private static final PodId ANY = PodId.of("any");

    static SpecForm of(PodSpec spec) {
        return new SpecForm(spec.containers(), spec.nodeSelector(), spec.tolerations(), spec.overhead(), spec.rules());
    }

    PodSpec spec() {
        return new Pod(ANY, containers, nodeSelector, tolerations, overhead)
                .withRules(rules)
                .spec();
    }
}
