package io.gpusched.conformance.emulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which whole GPUs GaiaGPU's node agent prefers by the wires between them.
 *
 * <p>GPUs form a tree of islands: those joined by a PIX bridge, those joined by PHB or better, those joined by SOC or
 * better. A request for several GPUs is given the smallest island with enough idle GPUs (<em>link</em>); a request for
 * one uses up the most broken island (<em>fragment</em>).
 *
 * <p>Immutable and thread-safe.
 */
public final class GaiaTopology {
    /** How two GPUs are joined, closest first. */
    public enum Link {
        /** A single PCIe switch, or NVLink. */
        PIX,
        /** A PCIe host bridge, or several switches. */
        PHB,
        /** The link between processor sockets. */
        SOC;

        /**
         * Returns the level that a cell of {@code nvidia-smi topo -m} stands for.
         *
         * @throws IllegalArgumentException if it is unknown
         */
        public static Link parse(String cell) {
            String name = cell.toUpperCase(Locale.ROOT);
            if (name.startsWith("NV") || name.equals("PSB")) {
                return PIX;
            }
            return switch (name) {
                case "PIX" -> PIX;
                case "PXB", "PHB" -> PHB;
                case "NODE", "SYS", "SOC" -> SOC;
                default ->
                    throw new IllegalArgumentException(
                            "link must be one of PIX, PXB, PHB, NODE, SYS, SOC or NVn, " + "got \"" + cell + "\"");
            };
        }
    }

    /**
     * GPUs that are joined at a level or closer.
     *
     * @param level the level
     * @param gpus their indexes, ascending
     * @param children the islands of the next closer level it is made of; empty for the closest level
     */
    private record Island(Link level, List<Integer> gpus, List<Island> children) {
        long idle(Set<Integer> idle) {
            return gpus.stream().filter(idle::contains).count();
        }

        int first() {
            return gpus.get(0);
        }
    }

    private final List<List<Link>> links;
    private final Island root;

    private GaiaTopology(List<List<Link>> links) {
        this.links = links;
        List<Integer> all = new ArrayList<>();
        for (int g = 0; g < links.size(); g++) {
            all.add(g);
        }
        this.root = new Island(Link.SOC, all, islands(all, Link.SOC));
    }

    /**
     * Returns the topology of a matrix such as {@code nvidia-smi topo -m} prints; cells on the diagonal are not read.
     *
     * @throws IllegalArgumentException if it is empty or not square, or a cell is unknown
     */
    public static GaiaTopology parse(List<List<String>> matrix) {
        if (matrix.isEmpty()) {
            throw new IllegalArgumentException("link matrix must have at least one row, got none");
        }
        List<List<Link>> links = new ArrayList<>();
        for (int row = 0; row < matrix.size(); row++) {
            List<String> cells = matrix.get(row);
            if (cells.size() != matrix.size()) {
                throw new IllegalArgumentException("link matrix must be square: row " + row + " has " + cells.size()
                        + " cells of " + matrix.size());
            }
            List<Link> parsed = new ArrayList<>();
            for (int column = 0; column < cells.size(); column++) {
                parsed.add(row == column ? Link.PIX : Link.parse(cells.get(column)));
            }
            links.add(List.copyOf(parsed));
        }
        return new GaiaTopology(List.copyOf(links));
    }

    /** Splits GPUs into islands joined at a level or closer, each with its own islands. */
    private List<Island> islands(List<Integer> gpus, Link level) {
        TreeMap<Integer, Set<Integer>> groups = new TreeMap<>();
        Set<Integer> seen = new TreeSet<>();
        for (int gpu : gpus) {
            if (!seen.contains(gpu)) {
                Set<Integer> group = reach(gpus, gpu, level);
                seen.addAll(group);
                groups.put(gpu, group);
            }
        }
        List<Island> islands = new ArrayList<>();
        for (Set<Integer> group : groups.values()) {
            List<Integer> members = List.copyOf(group);
            List<Island> inner =
                    level == Link.PIX ? List.of() : islands(members, level == Link.SOC ? Link.PHB : Link.PIX);
            islands.add(new Island(level, members, inner));
        }
        return islands;
    }

    private Set<Integer> reach(List<Integer> gpus, int from, Link level) {
        Set<Integer> reached = new TreeSet<>(Set.of(from));
        Deque<Integer> frontier = new ArrayDeque<>(reached);
        while (!frontier.isEmpty()) {
            int at = frontier.removeLast();
            for (int gpu : gpus) {
                if (links.get(at).get(gpu).compareTo(level) <= 0 && reached.add(gpu)) {
                    frontier.add(gpu);
                }
            }
        }
        return reached;
    }

    /**
     * Returns GPUs as closely joined as possible: of all islands with enough idle GPUs one of the closest level, of these
     * the one with the fewest idle GPUs, then the lowest index.
     *
     * @param idle the GPUs of which nobody holds anything
     * @param count how many are wanted, at least 1
     * @return the GPUs ascending, or none if there are too few
     */
    public List<Integer> link(Set<Integer> idle, int count) {
        List<Island> all = new ArrayList<>();
        collect(root, all);
        return all.stream()
                .filter(island -> island.idle(idle) >= count)
                .min(Comparator.comparing(Island::level)
                        .thenComparingLong(island -> island.idle(idle))
                        .thenComparingInt(Island::first))
                .map(island -> take(island, idle, count))
                .orElse(List.of());
    }

    private static void collect(Island island, List<Island> all) {
        all.add(island);
        island.children().forEach(child -> collect(child, all));
    }

    /**
     * Returns GPUs from the most broken island: from the whole node down, at each level the island with the fewest idle
     * GPUs that still has enough.
     *
     * @param idle the GPUs of which nobody holds anything
     * @param count how many are wanted, at least 1
     * @return the GPUs ascending, or none if there are too few
     */
    public List<Integer> fragment(Set<Integer> idle, int count) {
        Island at = root;
        while (true) {
            Island next = at.children().stream()
                    .filter(island -> island.idle(idle) >= count)
                    .min(Comparator.<Island>comparingLong(island -> island.idle(idle))
                            .thenComparingInt(Island::first))
                    .orElse(at);
            if (next.equals(at)) {
                return at.idle(idle) < count ? List.of() : take(at, idle, count);
            }
            at = next;
        }
    }

    private static List<Integer> take(Island island, Set<Integer> idle, int count) {
        return island.gpus().stream().filter(idle::contains).limit(count).toList();
    }

    /** Returns the number of GPUs. */
    public int size() {
        return links.size();
    }
}
