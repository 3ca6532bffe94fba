package io.gpusched.queue;

import io.gpusched.analysis.MakeRoom;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterTotals;
import io.gpusched.model.Placement;
import java.util.List;

/** A request for which others may leave or move. */
final class Newcomer implements MakeRoom.Newcomer {
    private final Session session;
    private final Places places;
    private final Request request;
    private final JobFacts facts;
    private final long[] lacks;

    Newcomer(Session session, Places places, Request request) {
        this.session = session;
        this.places = places;
        this.request = request;
        this.facts = session.input().job(request.job());
        this.lacks = new long[session.input().table().size()];
        for (int r = 0; r <= ResourceTable.MEMORY; r++) {
            lacks[r] = request.atLeast()[r] > 0 ? request.atLeast()[r] - free(session, r) : 0;
        }
    }

    /** At most what is free of a resource once everything has ended. */
    static long free(Session session, int resource) {
        ClusterTotals totals = session.later().totals();
        return switch (resource) {
            case ResourceTable.GPU -> Math.max(0, totals.gpuComputeMillis() - totals.usedGpuComputeMillis());
            case ResourceTable.CPU ->
                totals.capacity().cpuMillis() - totals.used().cpuMillis();
            default -> totals.capacity().memoryMib() - totals.used().memoryMib();
        };
    }

    @Override
    public MakeRoom.Found find(Cluster cluster) {
        Places.Found found = places.find(Places.View.WITHOUT, cluster, request, facts);
        return new MakeRoom.Found(found.placements(), found.refusal());
    }

    @Override
    public boolean isAdmitted(Cluster others, List<Placement> placements) {
        if (request.isAlone() && !session.input().isRuled()) {
            return true;
        }
        Cluster all = others.withAll(placements);
        return places.admitsInSomeOrder(Places.View.WITHOUT, all, facts, placements);
    }

    @Override
    public long[] lacks() {
        return lacks;
    }

    @Override
    public boolean isSinglePod() {
        return request.isPod();
    }

    @Override
    public boolean needsOthers() {
        return request.pods().stream().anyMatch(pod -> JobFacts.needsOthers(pod.rules()));
    }
}
