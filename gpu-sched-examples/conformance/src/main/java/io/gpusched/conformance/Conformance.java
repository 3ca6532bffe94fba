package io.gpusched.conformance;

import io.gpusched.conformance.cycles.CyclesFormat;
import io.gpusched.conformance.dra.DraFormat;
import io.gpusched.conformance.dra.ExtendedFormat;
import io.gpusched.conformance.dra.GangFormat;
import io.gpusched.conformance.links.GpuAllocatorFormat;
import io.gpusched.conformance.slurm.SlurmFormat;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Finds vector files, tells their format and runs them. */
public final class Conformance {
    private final List<VectorFormat> formats;

    private Conformance(List<VectorFormat> formats) {
        this.formats = formats;
    }

    /** Returns a runner of these kinds for all formats. */
    public static Conformance of(VectorKinds kinds) {
        return new Conformance(List.of(
                new SharingFormat(kinds),
                new KaiFormat(kinds),
                new CyclesFormat(),
                new SlurmFormat(),
                new GpuAllocatorFormat(),
                new DraFormat(),
                new GangFormat(),
                new ExtendedFormat(),
                new KubeFormat()));
    }

    /** Returns a runner of every kind this module knows. */
    public static Conformance standard() {
        return of(VectorKinds.standard());
    }

    /**
     * Returns the JSON files in a folder and in the folders below it, compressed ({@code .json.gz}) or not, in the order of
     * their paths; a file stands for itself.
     *
     * @throws IOException if the folder cannot be read
     */
    public static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile)
                    .filter(file -> file.equals(folder)
                            || file.toString().endsWith(".json")
                            || file.toString().endsWith(".json.gz"))
                    .sorted()
                    .toList();
        }
    }

    /** What a file sets up for all its cases may be refused: they then fail as one, and other files are run. */
    private static List<CaseResult> results(VectorFormat format, YamlNode root) {
        try {
            return format.run(root);
        } catch (IllegalArgumentException | IllegalStateException e) {
            Outcome refused = Outcome.failed("$", "a file whose cases can be set up", e.toString());
            return List.of(new CaseResult("all cases", "", "set-up", "match", refused));
        }
    }

    /**
     * Runs one file.
     *
     * @throws IOException if the file cannot be read
     * @throws InputException if it cannot be understood
     */
    public FileResult run(Path file) throws IOException {
        return run(file.toString(), parse(file));
    }

    /** Reads a file, compressed or not. */
    static YamlNode parse(Path file) throws IOException {
        if (!file.toString().endsWith(".gz")) {
            return parse(file.toString(), Files.readString(file));
        }
        try (InputStream packed = new GZIPInputStream(Files.newInputStream(file))) {
            return parse(file.toString(), new String(packed.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static YamlNode parse(String name, String content) {
        return YamlReader.parse(name, content).get(0);
    }

    private FileResult run(String name, YamlNode root) {
        for (VectorFormat format : formats) {
            if (format.matches(root)) {
                return new FileResult(name, results(format, root));
            }
        }
        YamlNode said = root.kind() != YamlNode.Kind.MAPPING
                ? root
                : root.at("schema").optional().orElse(root.at("format"));
        throw said.error("must be a known format, got " + said.words()
                + "; known are \"format\": \"gpu-sharing-vectors/1\", \"schema\": \"gpu-sched-vectors/1\" or"
                + " \"gpu-sched-fairshare/1\" or \"gpu-sched-cycles/...\", Slurm recordings with \"slurm\", \"nodes\""
                + " and \"steps\", score matrices with \"matrices\" and \"bestEffort_sequences\", and answers of"
                + " kube-scheduler, and of its allocator of devices, with \"theme\" and \"expected\"");
    }
}
