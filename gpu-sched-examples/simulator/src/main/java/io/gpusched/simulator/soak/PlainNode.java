package io.gpusched.simulator.soak;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.amount.NamedAmounts;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** A node and what runs there, as plain sums that are changed in place. */
final class PlainNode {
    private Node node;
    private final Map<PodId, Placement> pods = new LinkedHashMap<>();
    private long cpuMillis;
    private long memoryMib;
    private final Map<String, Long> named = new HashMap<>();
    private boolean heldWhole;
    private final boolean[] whole;
    private final long[] compute;
    private final long[] memory;
    private final long[] slots;

    PlainNode(Node node) {
        this.node = node;
        int gpus = node.gpus().size();
        whole = new boolean[gpus];
        compute = new long[gpus];
        memory = new long[gpus];
        slots = new long[gpus];
    }

    PlainNode copy() {
        PlainNode copy = new PlainNode(node);
        pods.values().forEach(copy::place);
        return copy;
    }

    Node node() {
        return node;
    }

    Map<PodId, Placement> pods() {
        return pods;
    }

    void change(Node changed) {
        node = changed;
    }

    void place(Placement placement) {
        pods.put(placement.pod(), placement);
        count(placement, 1);
    }

    void release(PodId pod) {
        count(Objects.requireNonNull(pods.remove(pod), "placement"), -1);
    }

    private void count(Placement placement, int sign) {
        if (placement.holdsWholeNode()) {
            heldWhole = sign > 0;
        } else {
            cpuMillis += sign * placement.resources().cpuMillis();
            memoryMib += sign * placement.resources().memoryMib();
            placement
                    .resources()
                    .named()
                    .asMap()
                    .forEach((name, amount) -> named.merge(name, sign * amount, Long::sum));
        }
        for (ContainerGrant container : placement.containers()) {
            if (container.gpus() instanceof GpuGrant.Shared shared) {
                for (GpuShare share : shared.shares()) {
                    compute[share.gpu()] += (long) sign * share.computeMillis();
                    memory[share.gpu()] += sign * share.memoryMib();
                    slots[share.gpu()] += (long) sign * share.slots();
                }
            } else {
                container.gpus().indexes().forEach(gpu -> whole[gpu] = sign > 0);
            }
        }
    }

    long freeCpuMillis() {
        return heldWhole ? 0 : node.capacity().cpuMillis() - cpuMillis;
    }

    long freeMemoryMib() {
        return heldWhole ? 0 : node.capacity().memoryMib() - memoryMib;
    }

    long free(String name) {
        return heldWhole ? 0 : node.capacity().amount(name) - named.getOrDefault(name, 0L);
    }

    /** Whether everything that it has by name is as free as the other model says. */
    boolean isFree(NamedAmounts said) {
        return node.capacity().named().names().stream().allMatch(name -> said.amount(name) == free(name));
    }

    /** Whether all that is asked by name is free. */
    boolean hasFree(NamedAmounts asked) {
        return asked.names().stream().allMatch(name -> asked.amount(name) <= free(name));
    }

    boolean isIdle(int gpu) {
        return gpu(gpu).healthy() && !whole[gpu] && slots[gpu] == 0;
    }

    int idleGpus() {
        int idle = 0;
        for (int gpu = 0; gpu < whole.length; gpu++) {
            idle += isIdle(gpu) ? 1 : 0;
        }
        return idle;
    }

    private Gpu gpu(int index) {
        return node.gpus().get(index);
    }

    /** Whether anything at all may be placed here now. */
    boolean isOpen() {
        return !heldWhole && pods.size() < node.maxPods();
    }

    /** Whether so many idle GPUs, or the whole node with them, are there. */
    boolean hasWhole(int count) {
        return node.mode() != NodeMode.SHARED && idleGpus() >= count;
    }

    /** Whether every GPU, at least one, is idle and nothing runs. */
    boolean isFree() {
        return node.mode() != NodeMode.SHARED && pods.isEmpty() && whole.length > 0 && idleGpus() == whole.length;
    }

    /** On how many GPUs so much is free. */
    int gpusWith(long computeMillis, long mib, int tenants) {
        int found = 0;
        for (int gpu = 0; gpu < whole.length && node.mode() != NodeMode.EXCLUSIVE; gpu++) {
            boolean fits = gpu(gpu).healthy()
                    && !whole[gpu]
                    && compute[gpu] + computeMillis <= gpu(gpu).computeMillis()
                    && memory[gpu] + mib <= gpu(gpu).memoryMib()
                    && slots[gpu] + tenants <= gpu(gpu).slots();
            found += fits ? 1 : 0;
        }
        return found;
    }

    /** Whether nothing is taken twice. */
    boolean isWithinBounds() {
        for (int gpu = 0; gpu < whole.length; gpu++) {
            boolean within = compute[gpu] <= gpu(gpu).computeMillis()
                    && memory[gpu] <= gpu(gpu).memoryMib()
                    && slots[gpu] <= gpu(gpu).slots()
                    && (!whole[gpu] || slots[gpu] == 0);
            if (!within) {
                return false;
            }
        }
        boolean named = node.capacity().named().names().stream().allMatch(name -> free(name) >= 0);
        return named && freeCpuMillis() >= 0 && freeMemoryMib() >= 0 && pods.size() <= node.maxPods();
    }
}
