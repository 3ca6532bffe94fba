package io.gpusched.dialect.t9k;

import io.gpusched.model.NodeMode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What a node is set up for ({@link T9kDialect#NODE_ALLOC_MODE}). */
enum T9kNodeMode {
    /** Whole GPUs and whole nodes. */
    XGN(NodeMode.EXCLUSIVE),
    /** Shares of GPUs. */
    SGN(NodeMode.SHARED),
    /** NVIDIA's own device plugin: {@code nvidia.com/gpu} and {@code nvidia.com/gpu.shared}, of later editions. */
    NVIDIA(NodeMode.MIXED);

    private final NodeMode nodeMode;

    T9kNodeMode(NodeMode nodeMode) {
        this.nodeMode = nodeMode;
    }

    /**
     * Returns the mode with this label value.
     *
     * @throws IllegalArgumentException if there is none
     */
    static T9kNodeMode parse(String label) {
        for (T9kNodeMode mode : values()) {
            if (mode.label().equals(label)) {
                return mode;
            }
        }
        throw new IllegalArgumentException(T9kDialect.NODE_ALLOC_MODE + " must be one of "
                + Arrays.stream(values()).map(T9kNodeMode::label).toList() + ", got \"" + label + "\"");
    }

    /** Returns the label's value. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what such a node admits. */
    NodeMode nodeMode() {
        return nodeMode;
    }

    /** Returns the resources that such a node serves. */
    List<String> resources() {
        return switch (this) {
            case XGN -> List.of(T9kDialect.GPU, T9kDialect.GPU_NODE);
            case SGN -> List.of(T9kDialect.GPU_PERCENT);
            case NVIDIA -> List.of(T9kDialect.NATIVE_GPU, T9kDialect.NATIVE_SHARE);
        };
    }
}
