package io.gpusched.model;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the GPUs of a node are connected with each other and with its network cards: what {@code nvidia-smi topo -m} prints.
 * Links have no direction. Immutable and thread-safe; all reads cost O(1).
 */
public final class GpuLinks {
    /** Nothing is known of the links. */
    public static final GpuLinks NONE = new GpuLinks(0, new Link[0], List.of());

    private static final int SCORE_OF_NVLINK = 100;
    private static final int MOST_NVLINKS = 64;
    private static final int MOST_SCORE = 10_000;

    /** How far apart two devices are on the way over PCIe, from far to near. */
    public enum Path {
        /** Not known, or none. */
        UNKNOWN(0),
        /** Over the link between processors. */
        SYS(10),
        /** Over several host bridges of one NUMA node. */
        NODE(20),
        /** Over one host bridge. */
        PHB(30),
        /** Over several PCIe switches, but no host bridge. */
        PXB(40),
        /** Over one PCIe switch. */
        PIX(50),
        /** On the same board. */
        PSB(60);

        private final int score;

        Path(int score) {
            this.score = score;
        }

        /** Returns what this path adds to the {@linkplain Link#score score} of a link, as NVIDIA's go-gpuallocator does. */
        public int score() {
            return score;
        }
    }

    /**
     * What connects two GPUs.
     *
     * @param score how good it is, 0..10,000; the higher the better. The usual scale is that of NVIDIA's go-gpuallocator: 10
     *     to 60 for the way over PCIe, and 100 for each NVLink
     * @param nvlinks the number of NVLinks, 0..64
     */
    public record Link(int score, int nvlinks) {
        /** Nothing is known. */
        public static final Link NONE = new Link(0, 0);

        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if a number is out of range
         */
        public Link {
            Checks.inRange("gpu link", "score", score, 0, MOST_SCORE);
            Checks.inRange("gpu link", "nvlinks", nvlinks, 0, MOST_NVLINKS);
        }

        /** Returns the link of a way over PCIe and so many NVLinks, 0..64. */
        public static Link of(Path path, int nvlinks) {
            Objects.requireNonNull(path, "path");
            return new Link(path.score() + SCORE_OF_NVLINK * nvlinks, nvlinks);
        }

        @Override
        public String toString() {
            return nvlinks > 0 ? "NV" + nvlinks + " (" + score + ")" : String.valueOf(score);
        }
    }

    /**
     * A network card.
     *
     * @param name how the node calls it, such as {@code mlx5_0}; not blank
     * @param numaNode the NUMA node it hangs on, or -1 where unknown
     * @param paths the way to each GPU, by index
     */
    public record Nic(String name, int numaNode, List<Path> paths) {
        /**
         * Copies the list.
         *
         * @throws IllegalArgumentException if the name is blank or the NUMA node out of range
         */
        public Nic {
            Checks.notBlank("network card", "name", name);
            Checks.inRange("network card \"" + name + "\"", "numaNode", numaNode, -1, 1_023);
            paths = Checks.list("paths", paths);
        }
    }

    private final int gpus;

    /** By pair, row by row. */
    private final Link[] pairs;

    private final List<Nic> nics;

    /** By GPU: the score of the nearest network card. */
    private final int[] nicScores;

    /** By GPU: the GPUs that it has NVLinks to, as a mask. */
    private final long[] nvlinks;

    private final int hash;

    private GpuLinks(int gpus, Link[] pairs, List<Nic> nics) {
        this.gpus = gpus;
        this.pairs = pairs;
        this.nics = nics;
        this.nicScores = new int[gpus];
        this.nvlinks = new long[gpus];
        for (int a = 0; a < gpus; a++) {
            for (Nic nic : nics) {
                nicScores[a] = Math.max(nicScores[a], nic.paths().get(a).score());
            }
            for (int b = 0; b < gpus; b++) {
                nvlinks[a] |= pairs[a * gpus + b].nvlinks() > 0 ? 1L << b : 0;
            }
        }
        this.hash = 31 * nics.hashCode() + Arrays.hashCode(pairs);
    }

    /**
     * Returns the links of a matrix: a row for each GPU, in it the link to each GPU; the diagonal is not looked at.
     *
     * @param matrix a square of at most 64 rows, the same in both directions
     * @param nics the network cards, each with a path to each GPU
     * @throws IllegalArgumentException if the matrix is not square, a link differs by direction, or a card has too few or too
     *     many paths; it names the GPUs and both values
     */
    public static GpuLinks of(List<List<Link>> matrix, List<Nic> nics) {
        Checks.noNulls("matrix", matrix);
        Checks.noNulls("nics", nics);
        int size = matrix.size();
        Checks.inRange("gpu links", "number of gpus", size, 0, Node.MAX_GPUS);
        Link[] pairs = new Link[size * size];
        for (int a = 0; a < size; a++) {
            List<Link> row = matrix.get(a);
            if (row.size() != size) {
                throw new IllegalArgumentException(
                        "gpu links: the row of gpu " + a + " must have " + size + " links, got " + row.size());
            }
            for (int b = 0; b < size; b++) {
                pairs[a * size + b] = a == b ? Link.NONE : Objects.requireNonNull(row.get(b), "link");
            }
        }
        requireSymmetric(size, pairs);
        for (Nic nic : nics) {
            if (nic.paths().size() != size) {
                throw new IllegalArgumentException("gpu links: network card \"" + nic.name() + "\" must have " + size
                        + " paths, got " + nic.paths().size());
            }
        }
        return size == 0 ? NONE : new GpuLinks(size, pairs, List.copyOf(nics));
    }

    private static void requireSymmetric(int size, Link[] pairs) {
        for (int a = 0; a < size; a++) {
            for (int b = a + 1; b < size; b++) {
                Link there = pairs[a * size + b];
                Link back = pairs[b * size + a];
                if (!there.equals(back)) {
                    throw new IllegalArgumentException(
                            "gpu links: from gpu " + a + " to gpu " + b + " there is " + there + ", but back there is "
                                    + back + "\nMaybe a link is down; links have no direction.");
                }
            }
        }
    }

    /** Returns links among so many GPUs, 0..64, all alike, as where a switch connects them. */
    public static GpuLinks uniform(int gpus, Link link) {
        Objects.requireNonNull(link, "link");
        Checks.inRange("gpu links", "number of gpus", gpus, 0, Node.MAX_GPUS);
        List<List<Link>> matrix = new ArrayList<>();
        for (int a = 0; a < gpus; a++) {
            matrix.add(Collections.nCopies(gpus, link));
        }
        return of(matrix, List.of());
    }

    /** Returns whether nothing is known. */
    public boolean isNone() {
        return gpus == 0;
    }

    /** Returns the number of GPUs. */
    public int gpuCount() {
        return gpus;
    }

    /**
     * Returns the link between two GPUs; of a GPU with itself {@link Link#NONE}.
     *
     * @throws IllegalArgumentException if there is no such GPU
     */
    public Link link(int gpu, int other) {
        Checks.inRange("gpu links", "gpu", gpu, 0, gpus - 1);
        Checks.inRange("gpu links", "gpu", other, 0, gpus - 1);
        return pairs[gpu * gpus + other];
    }

    /** Returns whether two GPUs could change places without a difference to any link; O(GPUs). */
    boolean areAlike(int gpu, int other) {
        for (int g = 0; g < gpus; g++) {
            if (g != gpu && g != other && !pairs[gpu * gpus + g].equals(pairs[other * gpus + g])) {
                return false;
            }
        }
        for (int n = 0; n < nics.size(); n++) {
            if (nics.get(n).paths().get(gpu) != nics.get(n).paths().get(other)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the links row by row, as {@link #of} takes them. */
    public List<List<Link>> matrix() {
        List<List<Link>> rows = new ArrayList<>(gpus);
        for (int gpu = 0; gpu < gpus; gpu++) {
            rows.add(List.of(Arrays.copyOfRange(pairs, gpu * gpus, (gpu + 1) * gpus)));
        }
        return rows;
    }

    /** Returns the network cards. */
    public List<Nic> nics() {
        return nics;
    }

    /** Returns the score of the way from a GPU to the network card nearest to it; 0 without a card. */
    public int nicScore(int gpu) {
        return nicScores[gpu];
    }

    /** Returns the GPUs that a GPU has NVLinks to, as a mask: bit g stands for GPU g. */
    public long nvlinkMask(int gpu) {
        return nvlinks[gpu];
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof GpuLinks that
                        && hash == that.hash
                        && Arrays.equals(pairs, that.pairs)
                        && nics.equals(that.nics);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return isNone() ? "no links" : "links of " + gpus + " gpus and " + nics.size() + " network cards";
    }
}
