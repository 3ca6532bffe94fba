package io.gpusched.verify;

import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** All laws of a place for a new pod, and of all that runs together. */
final class PlacementLaws {
    private PlacementLaws() {}

    /** Returns what is wrong with a place for a new pod. */
    static List<Violation> check(World world, Pod pod, Placement placement) {
        return check(world, world, pod, placement);
    }

    /**
     * @param world all that holds something
     * @param staying what of it settles where the members of a group must be
     */
    static List<Violation> check(World world, World staying, Pod pod, Placement placement) {
        List<Violation> broken = new ArrayList<>();
        String subject = "pod \"" + pod.id() + "\"";
        if (world.runs(pod.id())) {
            broken.add(Violation.of(Law.PLACED_ONCE, subject, "it runs already"));
            return broken;
        }
        Node node = world.nodes().get(placement.node());
        if (node == null) {
            broken.add(Violation.of(Law.NODE_EXISTS, subject, "there is no node \"" + placement.node() + "\""));
            return broken;
        }
        Placement whose = placement;
        if (placement.spec().isEmpty() || !placement.spec().get().equals(pod.spec())) {
            broken.add(Violation.of(Law.PLACEMENT_OF_POD, subject, "its placement tells another spec"));
            whose = placement.withSpec(pod.spec());
        }
        broken.addAll(ConditionLaws.check(pod, node));
        broken.addAll(GrantLaws.check(pod, node, placement));
        broken.addAll(PodRuleLaws.check(world, pod, node));
        List<Violation> together = DeviceLaws.check(node, world.with(whose).on(node.name()));
        together.removeAll(DeviceLaws.check(node, world.on(node.name())));
        broken.addAll(together);
        GroupLaws.locality(staying, whose, broken);
        return broken;
    }

    /** Returns what is wrong with what runs. */
    static List<Violation> check(World world) {
        List<Violation> broken = new ArrayList<>();
        Set<PodId> seen = new HashSet<>();
        for (Placement placement : world.placements()) {
            String subject = "pod \"" + placement.pod() + "\"";
            if (!seen.add(placement.pod())) {
                broken.add(Violation.of(Law.PLACED_ONCE, subject, "it runs twice"));
            }
            if (!world.nodes().containsKey(placement.node())) {
                broken.add(Violation.of(Law.NODE_EXISTS, subject, "there is no node \"" + placement.node() + "\""));
            }
        }
        for (Node node : world.nodes().values()) {
            broken.addAll(DeviceLaws.check(node, world.on(node.name())));
        }
        return broken;
    }
}
