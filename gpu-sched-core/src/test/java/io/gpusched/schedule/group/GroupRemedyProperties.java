package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Change;
import io.gpusched.decision.NodeTemplate;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.PodGroup;
import java.util.List;
import net.jqwik.api.Example;

/** What a group's remedy says by counts is enough, where the counted room is there. */
class GroupRemedyProperties {
    @Example
    void roomAsTheRemedyCountsIt_letsTheGroupStart() {
        int checked = 0;
        for (long seed = 0; seed < 3_000; seed++) {
            SmallWorld world = new SmallWorld(seed);
            Cluster cluster = world.cluster(4);
            PodGroup group = world.group(5);
            if (!(GpuScheduler.create().schedule(cluster, group) instanceof Unschedulable no)) {
                continue;
            }
            List<Change> changes = no.diagnosis().remedy().changes();
            if (!changes.stream().allMatch(GroupRemedyProperties::canBeBuilt)) {
                continue;
            }
            Cluster larger = cluster;
            int nodes = 0;
            for (Change change : changes) {
                for (int i = 0; i < count(change); i++) {
                    larger = larger.withNode(node("new" + nodes++, template(change)));
                }
            }
            checked++;
            assertThat(GpuScheduler.create().schedule(larger, group).isPlaced())
                    .as("seed %s: %s", seed, no.diagnosis())
                    .isTrue();
        }
        assertThat(checked).as("remedies by counts").isGreaterThan(100);
    }

    private static boolean canBeBuilt(Change change) {
        return (change instanceof Change.AddNodes
                        || change instanceof Change.MakeRoom room && room.node().isEmpty())
                && template(change).labels().isEmpty()
                && template(change).gpus().stream()
                        .allMatch(request -> request.selector().equals(GpuSelector.ANY)
                                && !(request instanceof GpuRequest.Partition));
    }

    private static int count(Change change) {
        return change instanceof Change.AddNodes add ? add.count() : ((Change.MakeRoom) change).pods();
    }

    private static NodeTemplate template(Change change) {
        return change instanceof Change.AddNodes add ? add.each() : ((Change.MakeRoom) change).each();
    }

    private static Node node(String name, NodeTemplate template) {
        int gpus = template.gpus().stream()
                .mapToInt(request -> Math.max(1, request.count()))
                .sum();
        return Node.builder(name)
                .capacity(template.resources())
                .mode(template.modes().contains(NodeMode.MIXED) ? NodeMode.MIXED : NodeMode.EXCLUSIVE)
                .topology(template.place())
                .gpus(gpus, GpuModel.of("nvidia", "H200", 141_000))
                .build();
    }

    @Example
    void aGroupThatMaySpread_startsOnceItDoes() {
        int checked = 0;
        for (long seed = 0; seed < 3_000; seed++) {
            SmallWorld world = new SmallWorld(seed);
            Cluster cluster = world.cluster(4);
            PodGroup group = world.group(5);
            if (GpuScheduler.create().schedule(cluster, group) instanceof Unschedulable no
                    && no.diagnosis().remedy().changes().stream().allMatch(Change.SpreadGroup.class::isInstance)
                    && !no.diagnosis().remedy().changes().isEmpty()) {
                checked++;
                assertThat(GpuScheduler.create()
                                .schedule(cluster, group.withLocality(Locality.ANYWHERE))
                                .isPlaced())
                        .as("seed %s: %s", seed, no.diagnosis())
                        .isTrue();
            }
        }
        assertThat(checked).as("remedies that spread").isGreaterThan(20);
    }
}
