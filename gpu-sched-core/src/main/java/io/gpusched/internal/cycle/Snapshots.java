package io.gpusched.internal.cycle;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as the cycle goes on, in three snapshots that are one as long as nothing terminates.
 *
 * <ul>
 *   <li>{@code now} holds what runs and what terminates: what is really free.
 *   <li>{@code later} holds what runs and what is nominated: what is free once everything has ended. A nomination holds its room here,
 *       and nobody else is placed there.
 *   <li>{@code idle} holds all three, as far as they fit beside each other. A node on which they do not is cordoned.
 * </ul>
 *
 * <p>A pod may start now if it fits in {@code now} and {@code later}. It is looked for in {@code idle}, where it cannot take room that is
 * held; if it is not found there, in {@code later}, and then it starts or is nominated.
 */
final class Snapshots {
    private Cluster now;
    private Cluster idle;
    private Cluster later;
    private boolean isApart;
    private final List<Placement> terminating = new ArrayList<>();

    /** Nominated places that no longer exist, are held by others or are not healthy. */
    private final List<Placement> lost = new ArrayList<>();

    Snapshots(Cluster cluster, Collection<Placement> terminating, Collection<Placement> nominated) {
        this.now = cluster;
        this.terminating.addAll(terminating);
        isApart = !terminating.isEmpty() || !nominated.isEmpty();
        ClusterBatch batch = cluster.batch();
        terminating.forEach(placement -> batch.release(placement.pod()));
        later = terminating.isEmpty() ? cluster : batch.build();
        for (Placement placement : nominated) {
            Cluster next = isHealthy(placement) ? Fit.with(later, placement) : null;
            if (next == null) {
                lost.add(placement);
            } else {
                later = next;
            }
        }
        idle = later;
        terminating.forEach(this::holdIdle);
    }

    private boolean isHealthy(Placement placement) {
        return now.node(placement.node())
                .filter(node -> placement.gpus().stream().allMatch(gpu -> gpu < node.gpuCount() && node.isHealthy(gpu)))
                .isPresent();
    }

    Cluster now() {
        return now;
    }

    Cluster idle() {
        return idle;
    }

    Cluster later() {
        return later;
    }

    List<Placement> lost() {
        return lost;
    }

    /** Whether something is held that will be free, or is free that is held. */
    boolean isApart() {
        return isApart;
    }

    /** Returns {@code now} with these pods, or null if they do not all fit. */
    private @Nullable Cluster started(Collection<Placement> placements) {
        Cluster next = now;
        for (Placement placement : placements) {
            next = next.placement(placement.pod()).isPresent() ? null : Fit.with(next, placement);
            if (next == null) {
                return null;
            }
        }
        return next;
    }

    boolean canStart(Collection<Placement> placements) {
        return !isApart() || started(placements) != null;
    }

    /** Whether pods can start where they were nominated. */
    boolean canStartNominated(Collection<Placement> placements) {
        return started(placements) != null;
    }

    /** Pods start that were found a place just now. */
    void start(List<Placement> placements) {
        now = now.withAll(placements);
        if (isApart) {
            later = later.withAll(placements);
            placements.forEach(this::holdIdle);
        } else {
            later = now;
            idle = now;
        }
    }

    /** Pods start where they were nominated. */
    void startNominated(List<Placement> placements) {
        now = now.withAll(placements);
    }

    /** Places are held from now on. */
    void nominate(List<Placement> placements) {
        isApart = true;
        later = later.withAll(placements);
        placements.forEach(this::holdIdle);
    }

    /** Pods that run begin to terminate. */
    void evict(List<Placement> placements) {
        ClusterBatch batch = later.batch();
        placements.forEach(placement -> batch.release(placement.pod()));
        later = batch.build();
        terminating.addAll(placements);
        isApart = true;
    }

    /** Pods do not start after all that were to start in this cycle. */
    void cancel(List<Placement> placements) {
        now = without(now, placements);
        later = isApart ? without(later, placements) : now;
        idle = isApart ? without(idle, placements) : now;
    }

    private static Cluster without(Cluster cluster, List<Placement> placements) {
        ClusterBatch batch = cluster.batch();
        placements.stream()
                .filter(placement -> cluster.placement(placement.pod())
                        .filter(placement::equals)
                        .isPresent())
                .forEach(placement -> batch.release(placement.pod()));
        return batch.build();
    }

    /** A nominated place is given up. */
    void withdraw(Placement placement) {
        if (later.placement(placement.pod()).filter(placement::equals).isPresent()) {
            later = later.without(placement.pod());
            if (idle.placement(placement.pod()).filter(placement::equals).isPresent()) {
                idle = idle.without(placement.pod());
            }
        }
    }

    /** Holds a place in {@code idle}; where something is in the way that will end, nobody starts on that node. */
    private void holdIdle(Placement placement) {
        if (idle.placement(placement.pod()).isPresent()) {
            cordon(placement.node());
            return;
        }
        Cluster next = Fit.with(idle, placement);
        if (next != null) {
            idle = next;
        } else {
            cordon(placement.node());
        }
    }

    private void cordon(String node) {
        NodeState state = idle.node(node).orElse(null);
        if (state != null && !state.isCordoned()) {
            idle = idle.withCordoned(node, true);
        }
    }
}
