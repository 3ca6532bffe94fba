package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.RefusedException;
import io.gpusched.kubernetes.watch.SlimStore;
import io.gpusched.manifests.dialect.ResidentPods;
import io.gpusched.manifests.grant.BindingStamps;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.manifests.view.SetAside;
import io.gpusched.manifests.view.Trouble;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Taint;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nodes and pods as the API server describes them, and what was granted that it does not show yet.
 *
 * <p>A grant counts from the moment it is decided. It ends when the pod is seen to have it, to be gone, or to have changed
 * without it: a binding names the version of the pod that it is for, so one that did not arrive before the pod changed never
 * will. A binding whose outcome is not known therefore keeps its GPUs until that is settled. Thread-safe.
 */
final class ClusterMirror {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterMirror.class);
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final DialectSet dialects;
    private final ClusterBook book;
    private final BindingStamps stamps;
    private final Consumer<Trouble> troubles;
    private final Map<PodId, Pod> pods = new HashMap<>();
    private final Map<PodId, Grant> granted = new HashMap<>();

    /** Pods whose grant has been written, or may have been or may still be. */
    private final Set<PodId> written = new HashSet<>();

    ClusterMirror(DialectSet dialects, Clock clock) {
        this(dialects, clock, trouble -> {});
    }

    /**
     * Creates it.
     *
     * @param troubles told of what is found wrong
     */
    ClusterMirror(DialectSet dialects, Clock clock, Consumer<Trouble> troubles) {
        this.troubles = troubles;
        this.dialects = dialects;
        this.book = new ClusterBook(dialects);
        this.stamps = new BindingStamps(clock);
    }

    DialectSet dialects() {
        return dialects;
    }

    /** Takes note of a node, new or changed. */
    synchronized void putNode(Node node) {
        book.putNode(node);
        report();
    }

    /** Takes note that a node is gone. */
    synchronized void removeNode(String name) {
        book.removeNode(name);
    }

    /** Takes note of a pod, new or changed; of news that come late only the latest count. */
    synchronized void putPod(Pod pod) {
        PodId id = id(pod);
        Pod known = pods.get(id);
        if (known != null && uid(known).equals(uid(pod)) && Grant.version(known) > Grant.version(pod)) {
            return;
        }
        pods.put(id, isBound(pod) ? outline(pod) : pod);
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        if (phase != null && ENDED.contains(phase)) {
            forget(id);
        } else if (isBound(pod)) {
            granted.remove(id);
            written.remove(id);
            book.putPod(RunningPod.of(pod));
        } else {
            Grant grant = granted.get(id);
            if (grant == null || grant.isOutdatedBy(pod)) {
                forget(id);
            }
        }
        report();
    }

    /** Takes note that a pod is gone. */
    synchronized void removePod(Pod pod) {
        PodId id = id(pod);
        Pod known = pods.get(id);
        if (known == null || uid(known).equals(uid(pod))) {
            pods.remove(id);
            forget(id);
        }
    }

    /** Of a pod that has a node, what is needed beside what the book keeps: which it is, how dear as a victim, and what it keeps away. */
    private static Pod outline(Pod pod) {
        PodBuilder outline = new PodBuilder()
                .withNewMetadataLike(SlimStore.outline(pod.getMetadata()))
                .withLabels(pod.getMetadata().getLabels())
                .endMetadata()
                .withNewSpec()
                .withNodeName(pod.getSpec().getNodeName())
                .withPriority(pod.getSpec().getPriority())
                .withAffinity(pod.getSpec().getAffinity())
                .endSpec();
        return pod.getStatus() == null
                ? outline.build()
                : outline.withNewStatus()
                        .withStartTime(pod.getStatus().getStartTime())
                        .endStatus()
                        .build();
    }

    private void forget(PodId id) {
        granted.remove(id);
        written.remove(id);
        book.removePod(id);
    }

    private void report() {
        for (Trouble trouble : book.troubles()) {
            LOG.warn(
                    "{} {} {}: {}: {}",
                    trouble.kind(),
                    trouble.namespace(),
                    trouble.name(),
                    trouble.reason(),
                    trouble.message());
            troubles.accept(trouble);
        }
    }

    static boolean isBound(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return node != null && !node.isEmpty();
    }

    static PodId id(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        return new PodId(
                namespace == null ? PodId.DEFAULT_NAMESPACE : namespace,
                pod.getMetadata().getName());
    }

    private static String uid(Pod pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getUid(), "");
    }

    /** Returns a pod as it was last seen; of one that has a node, no more than a victim is judged by. */
    synchronized Optional<Pod> pod(PodId id) {
        return Optional.ofNullable(pods.get(id));
    }

    /** Returns what there is, grants included. */
    synchronized Cluster cluster() {
        Cluster cluster = book.cluster();
        report();
        return cluster;
    }

    /** Returns, in words, the pods that hold unnamed GPUs of a node; empty for none. */
    synchronized String setAside(String node) {
        return SetAside.words(book.setAside(node));
    }

    /** Returns a dialect with what it has to know of all nodes together. */
    synchronized Dialect informed(Dialect dialect) {
        return book.informed(dialect);
    }

    /** Returns what there is for a pod: what was granted to it before does not stand in its own way. */
    Cluster clusterFor(PodId id) {
        Cluster cluster = cluster();
        return cluster.placement(id).map(cluster::without).orElse(cluster);
    }

    /**
     * Gives a pod GPUs of a node, by what is known this moment: no two grants get the same.
     *
     * @param pod the pod as the API server holds it, without a node
     * @throws NoGrantException if there is no room, or an earlier grant of the pod may still be written
     */
    synchronized Grant grant(Pod pod, String node) {
        PodId id = id(pod);
        Grant earlier = granted.get(id);
        if (earlier != null && !earlier.isOutdatedBy(pod)) {
            if (earlier.placement().node().equals(node)) {
                return earlier;
            }
            throw new NoGrantException(
                    "whether it was bound to node \"" + earlier.placement().node() + "\" is not known yet");
        }
        forget(id);
        Grant grant = decide(AskedPod.of(pod, dialects), node);
        book.assume(grant.placement());
        granted.put(id, grant);
        return grant;
    }

    private Grant decide(AskedPod asked, String name) {
        Cluster cluster = cluster();
        NodeState node =
                cluster.node(name).orElseThrow(() -> new NoGrantException("node \"" + name + "\" is not known"));
        check(asked, node.node());
        Dialect dialect = book.informed(asked.named().dialect());
        try {
            DeviceFit fit = DeviceFit.of(dialect, asked.gpusOnly(dialects), cluster);
            Placement placement = fit.place(node)
                    .orElseThrow(() -> new NoGrantException(
                            "node \"" + name + "\": " + fit.refusal(node).words()));
            BindingMetadata written = stamps.stamp(dialect, dialect.write(asked.manifest(), node.node(), placement));
            return Grant.of(asked.object(), placement, node.node(), written);
        } catch (RefusedException e) {
            throw new NoGrantException(String.valueOf(e.getMessage()));
        }
    }

    /** What kube-scheduler looks at before it asks, so that no other request gets past it. */
    private static void check(AskedPod asked, io.gpusched.model.Node node) {
        if (ResidentPods.asksForNoGpus(asked.manifest(), asked.named()::isCounted)) {
            throw new NoGrantException("it asks for none of " + asked.named().resources());
        }
        for (Taint taint : node.taints()) {
            if (taint.effect().forbids()
                    && asked.manifest().tolerations().stream().noneMatch(one -> one.tolerates(taint))) {
                throw new NoGrantException(
                        "node \"" + node.name() + "\" has the taint " + taint + ", which it does not tolerate");
            }
        }
    }

    /** Takes note that a grant was written, or that it may have been or may still be. */
    synchronized void written(Grant grant) {
        PodId id = grant.placement().pod();
        if (grant.equals(granted.get(id))) {
            written.add(id);
        }
    }

    /** Takes a grant back whose writing was refused; not if it was or may have been written before. */
    synchronized void withdraw(Grant grant) {
        PodId id = grant.placement().pod();
        if (grant.equals(granted.get(id)) && !written.contains(id)) {
            forget(id);
        }
    }
}
