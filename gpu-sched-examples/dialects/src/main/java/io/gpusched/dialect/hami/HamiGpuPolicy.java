package io.gpusched.dialect.hami;

import io.gpusched.check.Checks;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuSelector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * In which order HAMi looks at the GPUs of a node: annotation {@value #ANNOTATION}. GPUs are taken from the end of the
 * order.
 *
 * <p>{@code binpack} takes the fullest first, {@code spread} (the default) the emptiest; equal scores: the highest NUMA
 * node. {@code mutex} takes only idle GPUs, {@code topology-aware} chooses among all that fit by how they are connected.
 * {@code numa} and lists separated by commas sort by their keys one after the other, and end in the highest index; in
 * them mutex and topology-aware only filter. Where nothing decides, the last in the node's own order is taken.
 *
 * @param names the names in the annotation, in order
 */
public record HamiGpuPolicy(List<String> names) {
    /** The annotation of a pod that sets it. */
    public static final String ANNOTATION = "hami.io/gpu-scheduler-policy";

    /** The emptiest GPU first. */
    public static final HamiGpuPolicy SPREAD = new HamiGpuPolicy(List.of("spread"));

    private static final List<String> SORT_KEYS = List.of("binpack", "spread", "numa");

    /** Copies the list. */
    public HamiGpuPolicy {
        names = Checks.list("names", names);
    }

    /** Returns the policy of an annotation; names that HAMi does not know are ignored, and without any it is spread. */
    public static HamiGpuPolicy parse(@Nullable String annotation) {
        List<String> names = VgpuSelector.names(annotation);
        return names.isEmpty() ? SPREAD : new HamiGpuPolicy(names);
    }

    /** Returns whether only idle GPUs are taken. */
    public boolean isMutex() {
        return names.contains("mutex");
    }

    /** Returns whether connections between GPUs decide. */
    public boolean isTopologyAware() {
        return names.contains("topology-aware");
    }

    /** Returns whether the fullest GPU is preferred to the emptiest. */
    public boolean packs() {
        return names.stream().filter(SORT_KEYS::contains).findFirst().orElse("").equals("binpack");
    }

    /**
     * Returns the order, to be taken from its end.
     *
     * @param score how full a GPU would be
     * @param groupByNuma whether GPUs of one NUMA node must stand together, since a pod binds to one
     */
    public Comparator<VgpuDevice> order(ToDoubleFunction<VgpuDevice> score, boolean groupByNuma) {
        Objects.requireNonNull(score, "score");
        Comparator<VgpuDevice> fuller = Comparator.comparingDouble(score);
        Comparator<VgpuDevice> numa = Comparator.comparingInt(VgpuDevice::numa);
        if (names.size() > 1 || names.contains("numa")) {
            return chain(fuller, numa, groupByNuma);
        }
        if (isMutex()) {
            return Comparator.<VgpuDevice>comparingLong(gpu -> gpu.slots().used())
                    .reversed()
                    .thenComparing(numa);
        }
        Comparator<VgpuDevice> byScore = packs() ? fuller : fuller.reversed();
        if (groupByNuma) {
            return (packs() ? numa.reversed() : numa).thenComparing(byScore);
        }
        return byScore.thenComparing(numa);
    }

    private Comparator<VgpuDevice> chain(
            Comparator<VgpuDevice> fuller, Comparator<VgpuDevice> numa, boolean groupByNuma) {
        List<Comparator<VgpuDevice>> steps = new ArrayList<>();
        if (groupByNuma) {
            steps.add(numa);
        }
        List<String> keys = names.stream().filter(SORT_KEYS::contains).toList();
        for (String key : keys.isEmpty() ? SPREAD.names : keys) {
            steps.add(key.equals("numa") ? numa : key.equals("binpack") ? fuller : fuller.reversed());
        }
        steps.add(Comparator.comparingInt(VgpuDevice::index));
        return steps.stream().reduce(Comparator::thenComparing).orElseThrow();
    }
}
