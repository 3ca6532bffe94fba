package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.hami.registration.RegisteredMetax;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Groups of connected devices of a node. */
final class Groups {
    private Groups() {}

    /** Returns devices group by group, each in the order given; one that is connected to none stands alone. */
    private static List<List<Integer>> of(Node node, List<Integer> devices) {
        List<List<Integer>> groups = new ArrayList<>();
        for (int device : devices) {
            groups.stream()
                    .filter(group -> Devices.areConnected(node, group.get(0), device))
                    .findFirst()
                    .orElseGet(() -> added(groups))
                    .add(device);
        }
        return groups;
    }

    private static List<Integer> added(List<List<Integer>> groups) {
        List<Integer> group = new ArrayList<>();
        groups.add(group);
        return group;
    }

    /** Returns the devices of the largest group first; of equal ones in the order given. */
    static List<Integer> largestFirst(Node node, List<Integer> devices) {
        List<List<Integer>> groups = of(node, devices);
        groups.sort(
                Comparator.comparingInt((List<Integer> group) -> group.size()).reversed());
        return groups.stream().flatMap(List::stream).toList();
    }

    /** Returns the devices of the smallest group that suffices; else those of groups, the smallest first, then the others. */
    static List<Integer> tightest(Node node, List<Integer> devices, int count) {
        List<List<Integer>> groups = of(node, devices);
        groups.sort(Comparator.comparing((List<Integer> group) -> isAlone(node, group))
                .thenComparingInt((List<Integer> group) -> group.size()));
        return groups.stream()
                .filter(group -> group.size() >= count && !isAlone(node, group))
                .findFirst()
                .orElseGet(() -> groups.stream().flatMap(List::stream).toList());
    }

    /** Whether a device is connected with no other, be it free or not. */
    private static boolean isAlone(Node node, List<Integer> group) {
        int device = group.get(0);
        return !RegisteredMetax.isOnlyOneOfZone(
                        node.labels(), node.gpus().get(device).uuid())
                && node.gpus().stream()
                        .allMatch(gpu -> gpu.index() == device || !Devices.areConnected(node, device, gpu.index()));
    }

    /** Returns so many devices of modules that have two, module by module; none if there are too few. */
    static List<Integer> modules(Node node, List<Integer> devices, int count) {
        List<Integer> chosen = new ArrayList<>();
        for (int at = 0; at < devices.size() && chosen.size() < count; at++) {
            int device = devices.get(at);
            devices.subList(at + 1, devices.size()).stream()
                    .filter(other -> Devices.isOneModule(node, device, other))
                    .findFirst()
                    .ifPresent(other -> Collections.addAll(chosen, device, other));
        }
        return chosen.size() == count ? chosen : List.of();
    }
}
