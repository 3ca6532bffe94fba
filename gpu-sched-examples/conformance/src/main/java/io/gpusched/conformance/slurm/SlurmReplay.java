package io.gpusched.conformance.slurm;

import io.gpusched.dialect.slurm.SlurmJob;
import io.gpusched.dialect.slurm.SlurmScheduler;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The state of a Slurm 22.05 while a recording is played, with the fault of that version in its books.
 *
 * <p>That Slurm keeps two books for one device: whether the GPU is taken as {@code gpu}, and how many units of mps or
 * shard are taken. The first share on a GPU marks it as taken in the first book; but when any one of its shares ends the
 * mark goes, though others may still run, and the GPU is then given whole. The recordings show it several times. So the
 * replay keeps two snapshots as well: {@code whole} decides about gpu, {@code shared} about mps and shard. In the
 * first a shared GPU holds a mark, in the second a GPU taken whole is out of service. The library itself keeps one book
 * and never gives such a GPU away.
 */
final class SlurmReplay {
    private final SlurmScheduler scheduler;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, List<Placement>> jobs = new HashMap<>();
    private Cluster whole;
    private Cluster shared;

    SlurmReplay(List<Node> nodes, long memoryMibPerTask) {
        this.scheduler = new SlurmScheduler(nodes.stream().map(Node::name).toList(), memoryMibPerTask);
        this.whole = Cluster.of(nodes);
        this.shared = whole;
        nodes.forEach(node -> this.nodes.put(node.name(), node));
    }

    /** Returns a node of the recording. */
    Node node(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("no node \"" + name + "\"");
        }
        return node;
    }

    /** Decides about a job; nothing is booked. */
    SlurmScheduler.Verdict submit(String id, SlurmJob job) {
        boolean shares = job.perNode().stream().anyMatch(gres -> gres.isShared())
                || job.perTask().stream().anyMatch(gres -> gres.isShared());
        return scheduler.submit(shares ? shared : whole, id, job);
    }

    /** Books what a job holds. */
    void start(String id, List<Placement> placements) {
        jobs.put(id, placements);
        for (Placement placement : placements) {
            if (isShared(placement)) {
                shared = shared.with(placement);
                whole = whole.with(withoutGpus(placement));
                placement.gpus().forEach(gpu -> mark(placement.node(), gpu));
            } else {
                whole = whole.with(placement);
                shared = shared.with(withoutGpus(placement));
                placement.gpus().forEach(gpu -> shared = shared.withGpuHealth(placement.node(), gpu, false));
            }
        }
    }

    /** Ends a job; false if there is none of this name. */
    boolean end(String id) {
        List<Placement> placements = jobs.remove(id);
        if (placements == null) {
            return false;
        }
        for (Placement placement : placements) {
            whole = whole.without(placement.pod());
            shared = shared.without(placement.pod());
            if (isShared(placement)) {
                placement.gpus().forEach(gpu -> unmark(placement.node(), gpu));
            } else {
                placement.gpus().forEach(gpu -> shared = shared.withGpuHealth(placement.node(), gpu, true));
            }
        }
        return true;
    }

    private static boolean isShared(Placement placement) {
        return placement.containers().stream().anyMatch(grant -> grant.gpus() instanceof GpuGrant.Shared);
    }

    private static Placement withoutGpus(Placement placement) {
        return new Placement(placement.pod(), placement.node(), placement.resources(), List.of());
    }

    private static PodId markOf(String node, int gpu) {
        return new PodId("marks", node + "-" + gpu);
    }

    private void mark(String node, int gpu) {
        PodId id = markOf(node, gpu);
        if (whole.placement(id).isEmpty()) {
            GpuGrant grant = new GpuGrant.Shared(List.of(new GpuShare(gpu, 0, 0, 1)));
            whole = whole.with(new Placement(id, node, Resources.NONE, List.of(ContainerGrant.of("mark", grant))));
        }
    }

    private void unmark(String node, int gpu) {
        whole = whole.placement(markOf(node, gpu)).map(whole::without).orElse(whole);
    }
}
