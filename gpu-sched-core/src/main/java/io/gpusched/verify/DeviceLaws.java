package io.gpusched.verify;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Nothing of a node is given out twice: devices, CPU, memory, named resources, the number of pods ({@code docs/concepts.md}, "What exists"). */
final class DeviceLaws {
    private DeviceLaws() {}

    /** Judges all that runs on a node together. */
    static List<Violation> check(Node node, List<Placement> placements) {
        List<Violation> broken = new ArrayList<>();
        for (Placement placement : placements) {
            for (ContainerGrant container : placement.containers()) {
                admitted(node, placement, container, broken);
            }
        }
        if (!broken.isEmpty()) {
            return broken;
        }
        wholeNode(node, placements, broken);
        capacity(node, placements, broken);
        for (Gpu gpu : node.gpus()) {
            withinPods(node, gpu, placements, broken);
            amongPods(node, gpu, placements, broken);
        }
        PartitionLaws.nodeModes(node, placements, broken);
        return broken;
    }

    private static void admitted(Node node, Placement placement, ContainerGrant container, List<Violation> broken) {
        GpuGrant grant = container.gpus();
        String subject = "pod \"" + placement.pod() + "\", " + container;
        for (int gpu : grant.indexes()) {
            if (gpu >= node.gpus().size()) {
                broken.add(Violation.of(
                        Law.DEVICE_EXISTS,
                        subject,
                        "node \"" + node.name() + "\" has " + node.gpus().size() + " gpus"));
                return;
            }
        }
        if (grant instanceof GpuGrant.WholeNode all
                && all.gpuCount() != node.gpus().size()) {
            broken.add(Violation.of(
                    Law.DEVICE_EXISTS,
                    subject,
                    "node \"" + node.name() + "\" has " + node.gpus().size() + " gpus"));
        }
        boolean whole = grant instanceof GpuGrant.Whole || grant instanceof GpuGrant.WholeNode;
        if (whole && node.mode() == NodeMode.SHARED
                || grant instanceof GpuGrant.Shared && node.mode() == NodeMode.EXCLUSIVE) {
            broken.add(Violation.of(Law.NODE_MODE, subject, "node \"" + node.name() + "\" is " + node.mode()));
        }
    }

    private static void wholeNode(Node node, List<Placement> placements, List<Violation> broken) {
        for (Placement placement : placements) {
            if (holdsNode(placement) && placements.size() > 1) {
                broken.add(Violation.above(
                        Law.WHOLE_NODE,
                        "pod \"" + placement.pod() + "\"",
                        "tenants of node \"" + node.name() + "\", which it holds as a whole",
                        placements.size(),
                        1));
            }
        }
    }

    static boolean holdsNode(Placement placement) {
        return placement.containers().stream().anyMatch(container -> container.gpus() instanceof GpuGrant.WholeNode);
    }

    /** A sum is held against the capacity only where something is asked, as in kube-scheduler. */
    private static void capacity(Node node, List<Placement> placements, List<Violation> broken) {
        String subject = "node \"" + node.name() + "\"";
        Resources has = node.capacity();
        long cpu = 0;
        long memory = 0;
        TreeSet<String> names = new TreeSet<>();
        for (Placement placement : placements) {
            cpu += placement.resources().cpuMillis();
            memory += placement.resources().memoryMib();
            names.addAll(placement.resources().named().names());
        }
        above(subject, "cpuMillis", cpu, has.cpuMillis(), broken);
        above(subject, "memoryMib", memory, has.memoryMib(), broken);
        for (String name : names) {
            long sum = placements.stream()
                    .mapToLong(each -> each.resources().amount(name))
                    .sum();
            above(subject, name, sum, has.amount(name), broken);
        }
        above(subject, "pods", placements.size(), node.maxPods(), broken);
    }

    private static void above(String subject, String what, long used, long most, List<Violation> broken) {
        if (used > most) {
            broken.add(Violation.above(Law.CAPACITY, subject, what, used, most));
        }
    }

    private static String subject(Node node, Gpu gpu) {
        return "node \"" + node.name() + "\", gpu " + gpu.index();
    }

    /** Containers of one pod that run at the same time. */
    private static void withinPods(Node node, Gpu gpu, List<Placement> placements, List<Violation> broken) {
        for (Placement placement : placements) {
            for (List<ContainerGrant> moment : Held.moments(placement)) {
                Held held = Held.at(moment, gpu.index());
                boolean twice = held.wholes() > 1
                        || held.wholes() == 1
                                && (held.sharers() > 0 || !held.partitions().isEmpty());
                if (twice) {
                    broken.add(Violation.of(
                            Law.DEVICE,
                            subject(node, gpu),
                            "pod \"" + placement.pod() + "\" gives it to two containers"));
                }
                amounts(node, gpu, held, broken);
            }
        }
    }

    private static void amongPods(Node node, Gpu gpu, List<Placement> placements, List<Violation> broken) {
        Held sum = Held.NOTHING;
        int holders = 0;
        int whole = 0;
        for (Placement placement : placements) {
            Held held = Held.byPod(placement, gpu.index());
            holders += held.isNothing() ? 0 : 1;
            whole += held.wholes() > 0 ? 1 : 0;
            sum = sum.plus(held);
        }
        if (whole > 0 && holders > 1) {
            broken.add(Violation.above(Law.DEVICE, subject(node, gpu), "pods on a gpu that is held whole", holders, 1));
        }
        boolean uncut = whole > 0 || sum.sharers() > 0;
        if (uncut && gpu.partitions().isAlwaysCut()) {
            broken.add(Violation.of(Law.PARTITION, subject(node, gpu), "it is to be had in partitions only"));
        }
        if (uncut && !sum.partitions().isEmpty()) {
            broken.add(Violation.of(Law.DEVICE, subject(node, gpu), "it is cut, and held whole or shared too"));
        }
        amounts(node, gpu, sum, broken);
        if (whole == 0) {
            PartitionLaws.check(subject(node, gpu), gpu, sum.partitions(), broken);
        }
    }

    private static void amounts(Node node, Gpu gpu, Held held, List<Violation> broken) {
        if (held.compute() > gpu.computeMillis()) {
            broken.add(Violation.above(
                    Law.DEVICE, subject(node, gpu), "computeMillis", held.compute(), gpu.computeMillis()));
        }
        if (held.memory() > gpu.memoryMib()) {
            broken.add(Violation.above(Law.DEVICE, subject(node, gpu), "memoryMib", held.memory(), gpu.memoryMib()));
        }
        if (held.slots() > gpu.slots()) {
            broken.add(Violation.above(Law.DEVICE, subject(node, gpu), "slots", held.slots(), gpu.slots()));
        }
    }
}
