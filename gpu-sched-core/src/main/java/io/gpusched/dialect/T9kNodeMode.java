package io.gpusched.dialect;

import io.gpusched.model.NodeMode;
import io.gpusched.model.Taint;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a node is set up for ({@link T9kDialect#NODE_ALLOC_MODE}). */
public enum T9kNodeMode {
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
    public static T9kNodeMode parse(String label) {
        for (T9kNodeMode mode : values()) {
            if (mode.label().equals(label)) {
                return mode;
            }
        }
        throw new IllegalArgumentException(T9kDialect.NODE_ALLOC_MODE + " must be one of "
                + Arrays.stream(values()).map(T9kNodeMode::label).toList() + ", got \"" + label + "\"");
    }

    /** Returns the label's value. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what such a node admits. */
    public NodeMode nodeMode() {
        return nodeMode;
    }

    /** Returns whether such a node serves a resource. */
    public boolean serves(String resource) {
        return switch (this) {
            case XGN -> resource.equals(T9kDialect.GPU) || resource.equals(T9kDialect.GPU_NODE);
            case SGN -> resource.equals(T9kDialect.GPU_PERCENT);
            case NVIDIA -> resource.equals("nvidia.com/gpu") || resource.equals("nvidia.com/gpu.shared");
        };
    }

    /** Returns the taint the scheduler puts on such a node. */
    public Optional<Taint> taint() {
        return this == XGN ? Optional.of(T9kDialect.XGN_TAINT) : Optional.empty();
    }
}
