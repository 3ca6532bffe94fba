package io.gpusched.internal.cycle;

import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Requests as they are, but for one GPU model that they do not accept. */
final class OtherModel {
    private OtherModel() {}

    static PodGroup of(PodGroup group, String model) {
        List<PodGroup.Role> roles = group.roles().stream()
                .map(role -> new PodGroup.Role(role.name(), role.minMember(), of(role.pods(), model)))
                .toList();
        List<PodGroup> parts =
                group.groups().stream().map(part -> of(part, model)).toList();
        return new PodGroup(group.name(), group.minMember(), roles, group.locality(), parts, group.minGroups());
    }

    private static List<Pod> of(List<Pod> pods, String model) {
        return pods.stream()
                .map(pod -> pod.withContainers(pod.containers().stream()
                        .map(container -> of(container, model))
                        .toList()))
                .toList();
    }

    private static Container of(Container container, String model) {
        GpuRequest[] alternatives = container.gpu().alternatives().stream()
                .map(alternative -> of(alternative, model))
                .toArray(GpuRequest[]::new);
        GpuRequest request = alternatives.length == 1 ? alternatives[0] : GpuRequest.firstOf(alternatives);
        return new Container(container.name(), container.kind(), container.resources(), request);
    }

    private static GpuRequest of(GpuRequest request, String model) {
        GpuSelector selector = request.selector();
        Set<String> denied = new HashSet<>(selector.deniedModels());
        denied.add(model);
        return request.withSelector(selector.withDeniedModels(denied));
    }
}
