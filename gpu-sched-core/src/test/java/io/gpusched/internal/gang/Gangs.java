package io.gpusched.internal.gang;

import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.fit.SharedValues;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Small groups and clusters. Nodes are n0, n1, ... with GPUs of 1,000 MiB. */
final class Gangs {
    static final long MANY = 1_000_000;

    private Gangs() {}

    static Cluster cluster(int... gpus) {
        return Cluster.of(IntStream.range(0, gpus.length)
                .mapToObj(n -> Node.builder("n" + n)
                        .capacity(8_000, 8_000)
                        .gpus(gpus[n], Nodes.BIG)
                        .build())
                .toList());
    }

    static Pod pod(String name, long cpuMillis, GpuRequest request) {
        return Pod.of(name, Resources.of(cpuMillis, 1), request);
    }

    /** Equal pods of 1 CPU, name0, name1, ... */
    static List<Pod> pods(int count, String name, GpuRequest request) {
        return IntStream.range(0, count)
                .mapToObj(i -> pod(name + i, 1_000, request))
                .toList();
    }

    @SafeVarargs
    static List<Pod> join(List<Pod>... some) {
        List<Pod> all = new ArrayList<>();
        for (List<Pod> each : some) {
            all.addAll(each);
        }
        return all;
    }

    static Gang gang(int minMember, PodGroup.Role... roles) {
        return new Gang(new PodGroup("group", minMember, List.of(roles), Locality.ANYWHERE), new SharedValues());
    }

    /** All of some pods. */
    static Gang gang(List<Pod> pods) {
        return gang(pods.size(), new PodGroup.Role("any", 0, pods));
    }

    static Assignment assignment(Gang gang, Cluster cluster) {
        return new Assignment(gang, EqualNodes.of(gang, cluster.nodes(), SearchSteps.of(MANY)));
    }

    static Placement place(NodeState node, Pod pod) {
        return GpuScheduler.create().place(node, pod).orElseThrow();
    }
}
