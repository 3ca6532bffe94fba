package io.gpusched.cli.place;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The workload that policies are told to expect: what runs and what is asked, each pod once. */
final class Expected {
    private Expected() {}

    static List<Pod> pods(Cluster cluster, PlaceRequest asked) {
        List<Pod> pods = new ArrayList<>(asked.all());
        cluster.placements().forEach(placement -> pods.add(pod(placement)));
        return pods;
    }

    /** A request that asks for what a pod holds. */
    private static Pod pod(Placement placement) {
        List<Container> containers = new ArrayList<>();
        for (ContainerGrant grant : placement.containers()) {
            containers.addAll(containers(grant));
        }
        return new Pod(placement.pod(), containers, NodeSelector.ANY, List.of(), placement.resources());
    }

    /** A container that asks for what one holds; of partitions of several profiles, one for each of them. */
    private static List<Container> containers(ContainerGrant grant) {
        if (!(grant.gpus() instanceof GpuGrant.Partitions cut)) {
            return List.of(new Container(grant.container(), grant.kind(), Resources.NONE, request(grant.gpus())));
        }
        Map<String, Integer> counts = new TreeMap<>();
        cut.partitions().forEach(one -> counts.merge(one.profile(), 1, Integer::sum));
        List<Container> containers = new ArrayList<>();
        counts.forEach((profile, count) -> containers.add(new Container(
                counts.size() == 1 ? grant.container() : grant.container() + "-" + profile,
                grant.kind(),
                Resources.NONE,
                GpuRequest.partition(profile, count))));
        return containers;
    }

    private static GpuRequest request(GpuGrant grant) {
        if (grant instanceof GpuGrant.Whole whole) {
            return GpuRequest.exclusive(whole.gpus().size());
        }
        if (grant instanceof GpuGrant.Shared shared) {
            GpuShare one = shared.shares().get(0);
            return new GpuRequest.Share(
                    shared.shares().size(),
                    one.computeMillis(),
                    GpuMemory.mib(one.memoryMib()),
                    one.slots(),
                    GpuSelector.ANY);
        }
        return grant instanceof GpuGrant.WholeNode ? GpuRequest.wholeNode() : GpuRequest.none();
    }
}
