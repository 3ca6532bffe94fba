package io.gpusched.dialect.nvidiasmi;

import io.gpusched.check.Checks;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuLinks.Link;
import io.gpusched.model.GpuLinks.Nic;
import io.gpusched.model.GpuLinks.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The matrix of {@code nvidia-smi topo -m}.
 *
 * @param links the links of the GPUs and their ways to the network cards; of a pair with NVLinks the way over PCIe is not printed
 * @param numaNodes by GPU: its NUMA node, -1 where it is not printed
 */
public record TopologyMatrix(GpuLinks links, List<Integer> numaNodes) {
    private static final Pattern COLOURS = Pattern.compile("\u001b\\[[0-9;]*m");
    private static final Pattern CELLS = Pattern.compile("\\t+|  +");
    private static final Pattern GPU = Pattern.compile("GPU\\d+");
    private static final Pattern NIC_NAME = Pattern.compile("\\s*(NIC\\d+): (\\S+)\\s*");
    private static final Pattern NVLINKS = Pattern.compile("NV(\\d+)");
    private static final String SELF = "X";

    /** Copies the list. */
    public TopologyMatrix {
        Objects.requireNonNull(links, "links");
        numaNodes = Checks.list("numaNodes", numaNodes);
    }

    /**
     * Reads the matrix; lines before its header and after its rows, such as the legend, are passed over.
     *
     * @throws NvidiaSmiException if there is no header, a row or a cell is missing or unknown, or a link differs by direction
     */
    public static TopologyMatrix parse(String text) {
        return new Reader(Objects.requireNonNull(text, "text")).read();
    }

    private static final class Reader {
        private final List<String> lines;
        private final List<String> columns = new ArrayList<>();
        private final List<String> affinities = new ArrayList<>();
        private final Map<String, List<String>> rows = new HashMap<>();
        private final Map<String, Integer> lineOf = new HashMap<>();
        private final Map<String, String> nicNames = new HashMap<>();

        Reader(String text) {
            lines = COLOURS.matcher(text).replaceAll("").lines().toList();
        }

        TopologyMatrix read() {
            int header = header();
            for (int line = header + 1; line < lines.size(); line++) {
                List<String> cells = cells(lines.get(line));
                Matcher nic = NIC_NAME.matcher(lines.get(line));
                if (!cells.isEmpty() && columns.contains(cells.get(0))) {
                    row(line, cells);
                } else if (nic.matches()) {
                    nicNames.put(nic.group(1), nic.group(2));
                }
            }
            return matrix();
        }

        private int header() {
            for (int line = 0; line < lines.size(); line++) {
                List<String> cells = cells(lines.get(line));
                if (!cells.isEmpty() && cells.get(0).equals("GPU0") && !cells.contains(SELF)) {
                    for (String cell : cells) {
                        boolean isDevice = affinities.isEmpty() && !cell.contains(" ") && !cell.equals("CPU");
                        (isDevice ? columns : affinities).add(cell);
                    }
                    return line;
                }
            }
            throw new NvidiaSmiException(1, "there must be a header that begins with GPU0");
        }

        private static List<String> cells(String line) {
            return CELLS.splitAsStream(line.strip())
                    .map(String::strip)
                    .filter(cell -> !cell.isEmpty())
                    .toList();
        }

        private void row(int line, List<String> cells) {
            if (rows.put(cells.get(0), cells.subList(1, cells.size())) != null) {
                throw new NvidiaSmiException(line + 1, "a second row of " + cells.get(0));
            }
            if (cells.size() <= columns.size()) {
                throw new NvidiaSmiException(
                        line + 1,
                        "row " + cells.get(0) + " must have " + columns.size() + " cells, got " + (cells.size() - 1));
            }
            lineOf.put(cells.get(0), line + 1);
        }

        private TopologyMatrix matrix() {
            List<String> gpus =
                    columns.stream().filter(name -> GPU.matcher(name).matches()).toList();
            List<List<Link>> links = new ArrayList<>();
            List<Integer> numaNodes = new ArrayList<>();
            for (String gpu : gpus) {
                List<Link> row = new ArrayList<>();
                gpus.forEach(other -> row.add(link(gpu, other)));
                links.add(row);
                numaNodes.add(numaNode(gpu));
            }
            List<Nic> nics = new ArrayList<>();
            for (String column : columns) {
                if (!gpus.contains(column)) {
                    List<Path> paths =
                            gpus.stream().map(gpu -> path(gpu, column)).toList();
                    nics.add(new Nic(nicNames.getOrDefault(column, column), -1, paths));
                }
            }
            try {
                return new TopologyMatrix(GpuLinks.of(links, nics), numaNodes);
            } catch (IllegalArgumentException e) {
                throw new NvidiaSmiException(lineOf.getOrDefault("GPU0", 1), String.valueOf(e.getMessage()));
            }
        }

        private String cell(String row, String column) {
            List<String> cells = rows.get(row);
            if (cells == null) {
                throw new NvidiaSmiException(lines.size(), "there must be a row of " + row);
            }
            return cells.get(columns.indexOf(column));
        }

        private Link link(String gpu, String other) {
            String cell = cell(gpu, other);
            Matcher nvlinks = NVLINKS.matcher(cell);
            if (nvlinks.matches()) {
                return Link.of(Path.UNKNOWN, Integer.parseInt(nvlinks.group(1)));
            }
            return cell.equals(SELF) && gpu.equals(other) ? Link.NONE : Link.of(path(gpu, other), 0);
        }

        private Path path(String gpu, String other) {
            String cell = cell(gpu, other);
            for (Path path : Path.values()) {
                if (path != Path.UNKNOWN && path.name().equals(cell)) {
                    return path;
                }
            }
            throw new NvidiaSmiException(
                    lineOf.getOrDefault(gpu, 1),
                    "from " + gpu + " to " + other
                            + " there must be SYS, NODE, PHB, PXB, PIX or NV with a number, got \"" + cell + "\"");
        }

        /** NUMA affinity stands after CPU affinity; of several nodes the first counts. */
        private int numaNode(String gpu) {
            int at = columns.size() + affinities.indexOf("NUMA Affinity");
            List<String> cells = rows.getOrDefault(gpu, List.of());
            if (!affinities.contains("NUMA Affinity") || at >= cells.size()) {
                return -1;
            }
            String first = cells.get(at).split("[-,]", 2)[0];
            return first.matches("\\d{1,4}") ? Integer.parseInt(first) : -1;
        }
    }
}
