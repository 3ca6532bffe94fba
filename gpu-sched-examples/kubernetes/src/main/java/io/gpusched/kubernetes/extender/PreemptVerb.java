package io.gpusched.kubernetes.extender;

import io.gpusched.dialect.RefusedException;
import io.gpusched.kubernetes.evict.Disruptions;
import io.gpusched.kubernetes.extender.wire.PreemptionArguments;
import io.gpusched.kubernetes.extender.wire.PreemptionResult;
import io.gpusched.kubernetes.extender.wire.Victims;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Checks and completes the victims of kube-scheduler: it counts a node's GPUs together, so its victims may free parts of
 * several GPUs where the pod needs one. A node where no pod of lower priority could make room is left out. Changes
 * nothing.
 */
final class PreemptVerb {
    private final ClusterMirror mirror;
    private final PodApi api;

    PreemptVerb(ClusterMirror mirror, PodApi api) {
        this.mirror = mirror;
        this.api = api;
    }

    PreemptionResult preempt(PreemptionArguments arguments) {
        AskedPod asked = AskedPod.of(arguments.pod(), mirror.dialects());
        Cluster cluster = mirror.clusterFor(asked.id());
        Map<String, Victims> answer = new LinkedHashMap<>();
        Disruptions disruptions = new Disruptions(api::budgets);
        arguments
                .victims()
                .forEach((name, offered) -> cluster.node(name)
                        .flatMap(node -> victims(asked, cluster, node, offered, disruptions))
                        .ifPresent(victims -> answer.put(name, victims)));
        return new PreemptionResult(answer);
    }

    private Optional<Victims> victims(
            AskedPod asked, Cluster cluster, NodeState node, Victims offered, Disruptions disruptions) {
        try {
            DeviceFit fit = DeviceFit.of(
                    mirror.informed(asked.named().dialect()),
                    asked.amounts(mirror.dialects())
                            .counting(name -> node.capacity().named().amount(name) > 0),
                    cluster);
            return new VictimSearch(asked, node, fit, mirror::pod, disruptions).find(offered);
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }
}
