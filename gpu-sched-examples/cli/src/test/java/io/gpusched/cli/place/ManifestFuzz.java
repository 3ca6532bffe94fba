package io.gpusched.cli.place;

import io.gpusched.dialect.Dialect;
import io.gpusched.manifests.cluster.ClusterReader;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.Cluster;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is read from manifests, and from clusters and pods in the library's own form: two files are placed or refused by the exceptions
 * that the command line explains.
 */
public final class ManifestFuzz {
    /** Stands between the two files. */
    private static final String PODS = "\n#pods\n";

    /** Stands before the name of the dialect in the first line. */
    private static final String DIALECT = "#dialect ";

    private ManifestFuzz() {}

    /** Returns a text for the target. */
    public static String text(String dialect, String cluster, String pods) {
        return DIALECT + dialect + "\n" + cluster + PODS + pods;
    }

    /** Reads one text. */
    public static void fuzzerTestOneInput(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        int pods = text.indexOf(PODS);
        String cluster = pods < 0 ? text : text.substring(0, pods);
        try {
            place(dialect(text), cluster, pods < 0 ? text : text.substring(pods + PODS.length()));
        } catch (InputException | IllegalArgumentException refused) {
            // as documented
        }
    }

    private static String dialect(String text) {
        return text.startsWith(DIALECT) ? text.lines().findFirst().orElse("").substring(DIALECT.length()) : "";
    }

    private static void place(String name, String clusterText, String podText) {
        List<YamlNode> cluster = YamlReader.parse("cluster", clusterText);
        List<YamlNode> pods = YamlReader.parse("pods", podText);
        if (name.equals(Dialects.SLURM)) {
            SlurmPlace.place(SlurmPlace.machines(PlaceInput.single(cluster)), SlurmPlace.job(PlaceInput.single(pods)));
            return;
        }
        // Settings behind a colon may name a file.
        Optional<NamedDialect> named = name.contains(":") ? Optional.empty() : Dialects.find(name);
        Notes notes = new Notes(Set.of());
        ClusterReader read = YamlReader.parse(
                "cluster",
                clusterText,
                () -> new ClusterReader(object -> UnlikelyValues.ofMemory(List.of(object), notes)));
        UnlikelyValues.ofMemory(pods, notes);
        PlaceInput input = new PlaceInput(read, pods, named, notes);
        Optional<Dialect> dialect = input.dialect();
        Cluster described = input.cluster();
        PlaceRequest asked = input.asked();
        Cluster leveled = asked.leveled(described);
        asked.check(leveled);
        new Placer(leveled, dialect, Optional.empty()).place(asked);
    }
}
