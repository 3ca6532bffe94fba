package io.gpusched.local;

import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which GPUs of a machine a program may use, by the environment variables of their vendor, read as CUDA reads them: indexes as
 * {@code nvidia-smi} counts, or UUIDs or their unique beginnings; the list ends at the first entry that names no GPU, and an empty one
 * hides all. ROCm's variable is read the same way.
 */
final class VisibleGpus {
    private static final String CUDA = "CUDA_VISIBLE_DEVICES";
    private static final String ROCR = "ROCR_VISIBLE_DEVICES";
    private static final String ORDER = "CUDA_DEVICE_ORDER";
    private static final String PCI_ORDER = "PCI_BUS_ID";

    private final Node node;
    private final String variable;
    private final boolean isIndexClear;

    private VisibleGpus(Node node, String variable, boolean isIndexClear) {
        this.node = node;
        this.variable = variable;
        this.isIndexClear = isIndexClear;
    }

    /**
     * Returns the UUIDs of the GPUs that the environment hides.
     *
     * @throws IllegalArgumentException if it names a GPU twice, a MIG device, or an index that may mean several GPUs
     */
    static Set<String> hidden(Node node, Map<String, String> environment) {
        boolean isNvidia = isOf(node, "nvidia");
        String variable = isNvidia ? CUDA : ROCR;
        String value = environment.get(variable);
        if (value == null) {
            return Set.of();
        }
        boolean isAlike = node.gpus().stream().map(Gpu::model).distinct().count() <= 1;
        boolean isClear = !isNvidia || isAlike || PCI_ORDER.equals(environment.get(ORDER));
        Set<String> hidden = new TreeSet<>(node.gpus().stream().map(Gpu::uuid).toList());
        hidden.removeAll(new VisibleGpus(node, variable, isClear).read(value));
        return hidden;
    }

    private Set<String> read(String value) {
        Set<String> visible = new LinkedHashSet<>();
        for (String entry : value.split(",", -1)) {
            Set<String> named = named(entry.strip());
            if (named.size() != 1) {
                break;
            }
            if (!visible.addAll(named)) {
                throw new IllegalArgumentException(variable + ": must name each gpu once, got \"" + value + "\"");
            }
        }
        return visible;
    }

    private Set<String> named(String entry) {
        if (entry.startsWith("MIG-")) {
            throw new IllegalArgumentException(variable + ": must name whole GPUs, got \"" + entry + "\"");
        }
        if (entry.matches("\\d{1,9}")) {
            int index = Integer.parseInt(entry);
            if (index < node.gpus().size() && !isIndexClear) {
                throw new IllegalArgumentException(variable + ": index " + index
                        + " may mean another gpu to CUDA than to nvidia-smi, as the gpus differ"
                        + "\nMaybe " + ORDER + "=" + PCI_ORDER + " must be set, or UUIDs be given.");
            }
            return index < node.gpus().size() ? Set.of(node.gpus().get(index).uuid()) : Set.of();
        }
        return entry.isEmpty()
                ? Set.of()
                : node.gpus().stream()
                        .map(Gpu::uuid)
                        .filter(uuid -> uuid.startsWith(entry))
                        .collect(Collectors.toSet());
    }

    /** Returns the variables that let a child process see these GPUs alone. */
    static Map<String, String> showing(Node node, List<Integer> gpus) {
        return isOf(node, "nvidia")
                ? Map.of(
                        CUDA,
                        gpus.stream().map(gpu -> node.gpus().get(gpu).uuid()).collect(Collectors.joining(",")),
                        ORDER,
                        PCI_ORDER)
                : Map.of(ROCR, gpus.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }

    /**
     * Checks that all GPUs are of a vendor whose variables are known.
     *
     * @throws IllegalArgumentException if not
     */
    static void checkVendor(Node node) {
        if (!node.gpus().isEmpty() && !isOf(node, "nvidia") && !isOf(node, "amd")) {
            throw new IllegalArgumentException("node \"" + node.name()
                    + "\": gpus must all be of vendor nvidia or all of vendor amd, got "
                    + node.gpus().stream()
                            .map(gpu -> gpu.model().vendor())
                            .distinct()
                            .toList());
        }
    }

    private static boolean isOf(Node node, String vendor) {
        return node.gpus().stream().allMatch(gpu -> gpu.model().vendor().equals(vendor));
    }
}
