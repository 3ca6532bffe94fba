package io.gpusched.cli.place;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuLinks.Link;
import io.gpusched.model.GpuLinks.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The links between the GPUs of a node in the library's own form: a row for each GPU, in it the link to each GPU in the words of
 * {@code nvidia-smi topo -m}: {@code [[X, NV12, SYS], ...]}.
 */
final class PlainLinks {
    private static final Pattern NVLINKS = Pattern.compile("NV(\\d{1,2})");
    private static final String SELF = "X";

    private PlainLinks() {}

    /**
     * Reads the matrix.
     *
     * @throws io.gpusched.manifests.yaml.InputException if a word is unknown, the matrix is not square, or a link differs by
     *     direction
     */
    static GpuLinks read(YamlNode links) {
        List<List<Link>> matrix = new ArrayList<>();
        for (YamlNode row : links.list()) {
            List<Link> cells = new ArrayList<>();
            for (YamlNode cell : row.list()) {
                cells.add(link(cell, cells.size() == matrix.size()));
            }
            matrix.add(cells);
        }
        return links.build(() -> GpuLinks.of(matrix, List.of()));
    }

    private static Link link(YamlNode cell, boolean self) {
        String text = cell.text();
        Matcher nvlinks = NVLINKS.matcher(text);
        if (nvlinks.matches()) {
            return cell.build(() -> Link.of(Path.UNKNOWN, Integer.parseInt(nvlinks.group(1))));
        }
        if (self && text.equals(SELF)) {
            return Link.NONE;
        }
        Optional<Path> path = Arrays.stream(Path.values())
                .filter(one -> one != Path.UNKNOWN && one.name().equals(text))
                .findFirst();
        return Link.of(
                path.orElseThrow(() -> cell.error("must be SYS, NODE, PHB, PXB, PIX, PSB, NV with a number,"
                        + " or X from a gpu to itself, got \"" + text + "\"")),
                0);
    }
}
