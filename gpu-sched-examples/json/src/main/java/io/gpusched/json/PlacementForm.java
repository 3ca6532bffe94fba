package io.gpusched.json;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodSpec;
import java.util.List;
import java.util.Optional;

/** A placement as it is written; resources are left out where they are what the pod asks. */
record PlacementForm(
        PodId pod,
        String node,
        Optional<Resources> resources,
        List<ContainerGrant> containers,
        Optional<PodSpec> spec,
        Optional<GroupMembership> group) {
    static PlacementForm of(Placement held) {
        Optional<PodSpec> spec = Pod.of(held).map(Pod::spec);
        boolean asAsked = spec.isPresent() && spec.get().resources().equals(held.resources());
        return new PlacementForm(
                held.pod(),
                held.node(),
                asAsked ? Optional.empty() : Optional.of(held.resources()),
                held.containers(),
                spec,
                held.group());
    }

    Placement placement() {
        Resources held = resources
                .or(() -> spec.map(PodSpec::resources))
                .orElseThrow(() -> new IllegalArgumentException(
                        "placement of \"" + pod + "\": it must have resources, or a spec that tells them"));
        Placement placement = new Placement(pod, node, held, containers);
        return (spec.isPresent() ? placement.withSpec(spec.get()) : placement).withGroup(group);
    }
}
