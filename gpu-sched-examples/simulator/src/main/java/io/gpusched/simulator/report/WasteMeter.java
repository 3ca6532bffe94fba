package io.gpusched.simulator.report;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.simulator.TypicalMix;
import io.gpusched.simulator.TypicalShape;
import io.gpusched.simulator.trace.TracePod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Says why idle GPU compute is of no use to the typical pods of a workload. Shapes of pods leave memory out, so a shape asks
 * here for the median memory of its pods. Sums are exact integers. Immutable and thread-safe.
 */
final class WasteMeter {
    /** Where idle compute goes, in the order in which causes are looked for. */
    enum Part {
        OUT_OF_SERVICE("outOfService"),
        MODEL("model"),
        GPUS("gpus"),
        CPU("cpu"),
        MEMORY("memory"),
        USABLE("");

        private final String key;

        Part(String key) {
            this.key = key;
        }

        /** Returns the name under which the page knows a cause; empty for what can be used. */
        String key() {
            return key;
        }
    }

    private record Ask(TypicalShape shape, long memoryMib, Set<String> models, long count) {}

    private static final double GPU_MILLIS = 1_000;

    private final List<Ask> asks = new ArrayList<>();
    private long weight;

    private WasteMeter() {}

    /** Returns the meter for these pods; without any that asks for a GPU all idle compute counts as usable. */
    static WasteMeter of(Collection<TracePod> pods) {
        Map<TypicalShape, List<Long>> memory = new HashMap<>();
        pods.forEach(pod -> memory.computeIfAbsent(TypicalShape.of(pod), unused -> new ArrayList<>())
                .add(pod.memoryMib()));
        WasteMeter meter = new WasteMeter();
        TypicalMix mix = TypicalMix.of(pods);
        for (int i = 0; i < mix.shapes().size(); i++) {
            TypicalShape shape = mix.shapes().get(i);
            if (!shape.isCpuOnly()) {
                meter.add(
                        shape,
                        median(memory.getOrDefault(shape, List.of(0L))),
                        mix.counts().get(i));
            }
        }
        return meter;
    }

    private static long median(List<Long> values) {
        return values.stream()
                .sorted()
                .skip((values.size() - 1) / 2)
                .findFirst()
                .orElse(0L);
    }

    private void add(TypicalShape shape, long memoryMib, int count) {
        asks.add(new Ask(shape, memoryMib, TracePod.models(shape.gpuSpec()), count));
        weight += count;
    }

    /** Returns the idle compute of a cluster by cause. O(nodes · shapes · GPUs). */
    Waste of(Cluster cluster) {
        Map<Part, Long> total = new EnumMap<>(Part.class);
        cluster.nodes().forEach(node -> parts(node).forEach((part, millis) -> total.merge(part, millis, Long::sum)));
        return new Waste(
                gpus(total, Part.USABLE),
                gpus(total, Part.OUT_OF_SERVICE),
                gpus(total, Part.MODEL),
                gpus(total, Part.GPUS),
                gpus(total, Part.CPU),
                gpus(total, Part.MEMORY));
    }

    private double gpus(Map<Part, Long> total, Part part) {
        return total.getOrDefault(part, 0L) / (GPU_MILLIS * Math.max(1, weight));
    }

    /** Returns why most of the idle compute of a node is of no use, or {@link Part#USABLE} where some typical pod fits. */
    Part mainCause(NodeState node) {
        Map<Part, Long> parts = parts(node);
        Part main = Part.USABLE;
        if (!parts.containsKey(Part.USABLE)) {
            long most = 0;
            for (Map.Entry<Part, Long> part : parts.entrySet()) {
                if (part.getValue() > most) {
                    most = part.getValue();
                    main = part.getKey();
                }
            }
        }
        return main;
    }

    /** Returns the idle milli of a node by cause, times the weight of all shapes; causes without any are left out. */
    private Map<Part, Long> parts(NodeState node) {
        Map<Part, Long> parts = new EnumMap<>(Part.class);
        long idle = node.freeComputeMillis();
        if (idle == 0) {
            return parts;
        }
        if (asks.isEmpty()) {
            parts.put(Part.USABLE, idle);
        }
        for (Ask ask : asks) {
            long usable = 0;
            Part cause = cause(node, ask);
            if (cause == Part.USABLE) {
                usable = usable(node, ask.shape().gpuMillis());
                parts.merge(Part.USABLE, usable * ask.count(), Long::sum);
                cause = Part.GPUS;
            }
            if (idle > usable) {
                parts.merge(cause, (idle - usable) * ask.count(), Long::sum);
            }
        }
        return parts;
    }

    private static Part cause(NodeState node, Ask ask) {
        if (node.isCordoned()) {
            return Part.OUT_OF_SERVICE;
        }
        String model = node.node().gpus().get(0).model().name();
        if (!ask.models().isEmpty() && !ask.models().contains(model)) {
            return Part.MODEL;
        }
        int fitting = 0;
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            fitting += node.freeComputeMillis(gpu) >= ask.shape().gpuMillis() ? 1 : 0;
        }
        if (fitting < ask.shape().gpus()) {
            return Part.GPUS;
        }
        if (node.freeCpuMillis() < ask.shape().cpuMillis()) {
            return Part.CPU;
        }
        return node.freeMemoryMib() < ask.memoryMib() ? Part.MEMORY : Part.USABLE;
    }

    private static long usable(NodeState node, int gpuMillis) {
        long usable = 0;
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            int free = node.freeComputeMillis(gpu);
            usable += free >= gpuMillis ? free : 0;
        }
        return usable;
    }
}
