package io.gpusched.conformance.slurm;

import io.gpusched.dialect.slurm.SlurmGres;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Reads Slurm's notation of node lists and of what a job holds. */
final class SlurmNodes {
    private static final Pattern GRANT = Pattern.compile("([^(]+)\\(IDX:([0-9,-]+)\\)");

    private SlurmNodes() {}

    /** Returns the names of a node list such as {@code n1}, {@code n[1-2,4]}. */
    static List<String> expand(YamlNode list) {
        String text = list.text();
        int open = text.indexOf('[');
        if (open < 0) {
            return List.of(text.split(",", -1));
        }
        String numbers = text.substring(open + 1, text.length() - 1);
        return indexes(numbers).stream().map(i -> text.substring(0, open) + i).toList();
    }

    private static List<Integer> indexes(String ranges) {
        List<Integer> indexes = new ArrayList<>();
        for (String range : ranges.split(",", -1)) {
            String[] ends = range.split("-", -1);
            IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                    .forEach(indexes::add);
        }
        return indexes;
    }

    /** Returns what a printed grant such as {@code gpu:a100:2(IDX:0-1)} holds. */
    static Placement placement(Node node, String id, String grant, YamlNode step) {
        Matcher matcher = GRANT.matcher(grant);
        if (!matcher.matches()) {
            throw step.at("result").error("must be grants such as gpu:a100:2(IDX:0-1)");
        }
        SlurmGres gres = SlurmGres.parse(matcher.group(1));
        List<Integer> gpus = indexes(matcher.group(2));
        GpuGrant held = gres.isShared()
                ? new GpuGrant.Shared(List.of(new GpuShare(gpus.get(0), 0, 0, (int) gres.count())))
                : new GpuGrant.Whole(gpus);
        return new Placement(
                PodId.of(id), node.name(), new Resources(1_000, 100), List.of(ContainerGrant.of(gres.name(), held)));
    }
}
