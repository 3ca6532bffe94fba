package io.gpusched.internal.search;

import static io.gpusched.internal.search.Machines.cluster;
import static io.gpusched.internal.search.Machines.node;
import static io.gpusched.internal.search.Machines.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.Taint;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.RandomFit;
import io.gpusched.policy.Spread;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.PodRules;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which search serves a policy and a request. */
class SearchChoiceTest {
    private static boolean isServedByTheTightest(GpuModel model, GpuRequest... requests) {
        Cluster cluster = Cluster.of(List.of(Node.builder("n").gpus(2, model).build()));
        List<NodeClass> classes = List.of(cluster.node(0).nodeClass());
        return TightestSearch.serves(new PodDemand(pod(requests)), classes);
    }

    private static boolean isServedByTheTightest(GpuRequest... requests) {
        return isServedByTheTightest(Nodes.BIG, requests);
    }

    @Test
    void policiesThatRankNodes_compareThem() {
        assertThat(SearchStrategy.of(BinPack.of()).comparesNodes()).isFalse();
        assertThat(SearchStrategy.of(FirstFit.of()).comparesNodes()).isFalse();
        assertThat(SearchStrategy.of(RandomFit.of(1)).comparesNodes()).isTrue();
        assertThat(SearchStrategy.of(Spread.of()).comparesNodes()).isTrue();
    }

    @Test
    void oneContainerThatTakesTheLowestGpus_isServedByTheTightestRoom() {
        GpuSelector near = GpuSelector.ANY.withAffinity(GpuAffinity.requiring(Bond.NUMA_NODE));

        assertThat(isServedByTheTightest(GpuRequest.none())).isTrue();
        assertThat(isServedByTheTightest(GpuRequest.percent(30))).isTrue();
        assertThat(isServedByTheTightest(GpuRequest.exclusive(2))).isTrue();
        assertThat(isServedByTheTightest(GpuRequest.exclusive(1, near))).isTrue();
        assertThat(isServedByTheTightest(GpuRequest.partition("1g.5gb", 1))).isTrue();
    }

    @Test
    void requestWithAChoiceOfGpus_isNotServedByTheTightestRoom() {
        GpuSelector near = GpuSelector.ANY.withAffinity(GpuAffinity.requiring(Bond.NUMA_NODE));

        assertThat(isServedByTheTightest(GpuRequest.percent(30), GpuRequest.percent(30)))
                .isFalse();
        assertThat(isServedByTheTightest(GpuRequest.percent(30).withCount(2))).isFalse();
        assertThat(isServedByTheTightest(GpuRequest.exclusive(2, near))).isFalse();
        assertThat(isServedByTheTightest(GpuRequest.partition("1g.5gb", 2))).isFalse();
    }

    @Test
    void percentageOfMemoryThatIsNothingOnSomeGpu_isNotServedByTheTightestRoom() {
        GpuRequest little = GpuRequest.share(0, GpuMemory.percent(1));

        assertThat(isServedByTheTightest(Nodes.BIG, little)).isTrue();
        assertThat(isServedByTheTightest(Nodes.TINY, little)).isFalse();
        assertThat(isServedByTheTightest(Nodes.TINY, GpuRequest.share(0, GpuMemory.mib(1))))
                .isTrue();
        assertThat(isServedByTheTightest(Nodes.TINY, GpuRequest.share(1, GpuMemory.percent(1))))
                .isTrue();
    }

    @Test
    void preferences_areThoseForLabelsAndAgainstTaints() {
        PodDemand plain = new PodDemand(pod(GpuRequest.exclusive(1)));
        NodeSelector.Term blue = new NodeSelector.Term(List.of(NodeRequirement.in("colour", "blue")));
        PodDemand choosy = new PodDemand(
                pod(GpuRequest.exclusive(1)).withRules(PodRules.NONE.withPreferredNodes(new NodePreference(1, blue))));
        Cluster avoided = Cluster.of(List.of(node(0, 1)
                .taint(new Taint("slow", "", Taint.Effect.PREFER_NO_SCHEDULE))
                .build()));

        assertThat(plain.hasPreferences(RuleCounts.of(cluster(1)))).isFalse();
        assertThat(choosy.hasPreferences(RuleCounts.of(cluster(1)))).isTrue();
        assertThat(plain.hasPreferences(RuleCounts.of(avoided))).isTrue();
    }
}
