package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.objects.ManifestException;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A pod that kube-scheduler asks about. Labels, taints, CPU and the like are kube-scheduler's own affair, so what is asked
 * of the library is only what it does not know: the pod on any node, without them.
 *
 * @param object the pod
 * @param manifest what it says, all of it
 * @param named the dialect that it speaks
 */
record AskedPod(Pod object, PodManifest manifest, NamedDialect named) {
    private static final Set<String> COUNTED_ELSEWHERE = Set.of("cpu", "memory");

    /**
     * Reads a pod.
     *
     * @throws HttpProblem with status 400 if a field has an illegal value
     */
    static AskedPod of(Pod pod, DialectSet dialects) {
        try {
            PodManifest manifest = ManifestReader.pod(pod);
            NamedDialect named = dialects.ofPod(manifest);
            check(named, manifest);
            return new AskedPod(pod, manifest, named);
        } catch (ManifestException e) {
            throw HttpProblem.badRequest("arguments.Pod." + e.getMessage());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw HttpProblem.badRequest("arguments.Pod: " + e.getMessage());
        }
    }

    /** What the dialect forbids is said of each node later. */
    private static void check(NamedDialect named, PodManifest manifest) {
        try {
            var unused = named.dialect().pod(manifest);
        } catch (RefusedException e) {
            // a pod that can be understood
        }
    }

    PodId id() {
        return manifest.id();
    }

    /** Returns the pod with nothing but its GPUs, on any node of its dialect. */
    PodManifest gpusOnly(DialectSet dialects) {
        List<ContainerManifest> containers =
                manifest.containers().stream().map(AskedPod::gpusOnly).toList();
        return anywhere(containers, Resources.NONE, dialects);
    }

    /** Returns the pod with all amounts that it asks, on any node of its dialect. */
    PodManifest amounts(DialectSet dialects) {
        return anywhere(manifest.containers(), manifest.overhead(), dialects);
    }

    private PodManifest anywhere(List<ContainerManifest> containers, Resources overhead, DialectSet dialects) {
        return new PodManifest(
                manifest.id(),
                manifest.labels(),
                manifest.annotations(),
                containers,
                dialects.nodesFor(manifest, named),
                List.of(Toleration.everything()),
                overhead,
                PodRules.NONE);
    }

    private static ContainerManifest gpusOnly(ContainerManifest container) {
        return new ContainerManifest(
                container.name(), container.kind(), others(container.requests()), others(container.limits()));
    }

    private static Map<String, String> others(Map<String, String> amounts) {
        Map<String, String> others = new TreeMap<>(amounts);
        others.keySet().removeAll(COUNTED_ELSEWHERE);
        return others;
    }
}
