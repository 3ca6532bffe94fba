package io.gpusched.kubernetes.extender;

import io.gpusched.dialect.RefusedException;
import io.gpusched.kubernetes.extender.wire.FilterArguments;
import io.gpusched.kubernetes.extender.wire.FilterResult;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Says which nodes have GPUs for a pod, and why the others do not. Changes nothing. */
final class FilterVerb {
    private final ClusterMirror mirror;

    FilterVerb(ClusterMirror mirror) {
        this.mirror = mirror;
    }

    FilterResult filter(FilterArguments arguments) {
        AskedPod asked = AskedPod.of(arguments.pod(), mirror.dialects());
        AskedNodes nodes = AskedNodes.of(arguments, mirror.clusterFor(asked.id()), mirror.dialects());
        Verdicts verdicts = new Verdicts(mirror);
        try {
            DeviceFit fit = DeviceFit.of(
                    mirror.informed(asked.named().dialect()), asked.gpusOnly(mirror.dialects()), nodes.cluster());
            nodes.sent()
                    .keySet()
                    .forEach(name -> verdicts.add(name, nodes.cluster().node(name), fit));
        } catch (RefusedException e) {
            nodes.sent().keySet().forEach(name -> verdicts.never.put(name, String.valueOf(e.getMessage())));
        }
        return verdicts.result(nodes, arguments.names().isPresent());
    }

    /** What was found of each node. */
    private static final class Verdicts {
        private final ClusterMirror mirror;
        private final List<String> fitting = new ArrayList<>();
        private final Map<String, String> later = new LinkedHashMap<>();
        private final Map<String, String> never = new LinkedHashMap<>();

        Verdicts(ClusterMirror mirror) {
            this.mirror = mirror;
        }

        void add(String name, Optional<NodeState> node, DeviceFit fit) {
            if (node.isEmpty()) {
                later.put(name, "the node is not known, or what it says cannot be read");
            } else if (fit.place(node.get()).isPresent()) {
                fitting.add(name);
            } else {
                DeviceFit.Refusal refusal = fit.refusal(node.get());
                BiConsumer<String, String> list = refusal.couldFitLater() ? later::put : never::put;
                String setAside = mirror.setAside(name);
                list.accept(name, setAside.isEmpty() ? refusal.words() : refusal.words() + "; " + setAside);
            }
        }

        FilterResult result(AskedNodes nodes, boolean byName) {
            FilterResult.NodeList objects = byName ? null : new FilterResult.NodeList(nodes.objects(fitting));
            return new FilterResult(objects, byName ? fitting : null, later, never, "");
        }
    }
}
