package io.gpusched.fuzz;

import io.gpusched.dialect.Quantity;
import io.gpusched.dialect.nvidiasmi.NvidiaSmi;
import io.gpusched.dialect.nvidiasmi.TopologyMatrix;
import io.gpusched.dialect.slurm.SlurmBatch;
import io.gpusched.dialect.slurm.SlurmConf;
import io.gpusched.dialect.slurm.SlurmGres;
import io.gpusched.dialect.slurm.SlurmGresConf;
import io.gpusched.dialect.slurm.SlurmRequest;
import io.gpusched.json.JsonFormat;
import io.gpusched.json.JsonFormatException;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.Cluster;
import io.gpusched.simulator.trace.JobColumns;
import io.gpusched.simulator.trace.JobTrace;
import io.gpusched.simulator.trace.OpenbTrace;
import io.gpusched.simulator.trace.OrderFile;
import io.gpusched.simulator.trace.TraceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What reads texts of strangers: each either reads a text or refuses it by the exception that it documents. */
public final class ParserFuzz {
    private ParserFuzz() {}

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    /** YAML of clusters and pods. */
    public static final class Yaml {
        private Yaml() {}

        /** Reads one text. */
        public static void fuzzerTestOneInput(byte[] data) {
            try {
                YamlReader.parse("fuzz", text(data));
            } catch (InputException refused) {
                // as documented
            }
        }
    }

    /** JSON of clusters and decisions; what is read is written and read again. */
    public static final class Json {
        private Json() {}

        /** Reads one text. */
        public static void fuzzerTestOneInput(byte[] data) {
            String text = text(data);
            try {
                Cluster cluster = JsonFormat.CLUSTER.read(text);
                JsonFormat.CLUSTER.read(JsonFormat.CLUSTER.write(cluster));
            } catch (JsonFormatException refused) {
                // as documented
            }
            for (JsonFormat<?> format : List.of(
                    JsonFormat.NODE,
                    JsonFormat.PLACEMENT,
                    JsonFormat.POD,
                    JsonFormat.GROUP,
                    JsonFormat.DECISION,
                    JsonFormat.GROUP_DECISION,
                    JsonFormat.DIAGNOSIS,
                    JsonFormat.PROFILE)) {
                try {
                    format.read(text);
                } catch (JsonFormatException refused) {
                    // as documented
                }
            }
        }
    }

    /** Slurm's GRES and gres.conf. */
    public static final class Gres {
        private Gres() {}

        /** Reads one text. */
        public static void fuzzerTestOneInput(byte[] data) {
            String text = text(data);
            try {
                SlurmGres.parseList(text);
            } catch (IllegalArgumentException refused) {
                // as documented
            }
            try {
                SlurmGresConf.inventory(SlurmGresConf.parse(text), "n1");
            } catch (IllegalArgumentException refused) {
                // as documented
            }
        }
    }

    /** Slurm's slurm.conf and batch scripts. */
    public static final class Slurm {
        private Slurm() {}

        /** Reads one text, as either. */
        public static void fuzzerTestOneInput(byte[] data) {
            String text = text(data);
            try {
                SlurmConf.nodes(text, List.of());
            } catch (IllegalArgumentException refused) {
                // as documented
            }
            try {
                SlurmBatch.parse(text)
                        .forEach(component ->
                                SlurmRequest.of(component.options()).resolve());
            } catch (IllegalArgumentException refused) {
                // as documented
            }
        }
    }

    /** HAMi's settings. */
    public static final class Hami {
        private static final Path FILE = FuzzFile.ending(".txt");

        private Hami() {}

        /** Reads one text. */
        public static void fuzzerTestOneInput(byte[] data) throws IOException {
            Files.write(FILE, data);
            try {
                Dialects.find("hami:" + FILE);
            } catch (InputException | IllegalArgumentException refused) {
                // as documented
            }
        }
    }

    /** Kubernetes' quantities. */
    public static final class Quantities {
        private Quantities() {}

        /** Reads one text. */
        public static void fuzzerTestOneInput(byte[] data) {
            try {
                Quantity.parse(text(data));
            } catch (IllegalArgumentException refused) {
                // as documented
            }
        }
    }

    /** CSV of traces. */
    public static final class Csv {
        private static final Path FILE = FuzzFile.ending(".txt");

        private Csv() {}

        /** Reads one text, as nodes and as pods. */
        public static void fuzzerTestOneInput(byte[] data) throws IOException {
            Files.write(FILE, data);
            try {
                OpenbTrace.nodes(FILE);
            } catch (TraceException refused) {
                // as documented
            }
            try {
                OpenbTrace.pods(FILE);
            } catch (TraceException refused) {
                // as documented
            }
            try {
                JobTrace.read(FILE, JobColumns.NONE);
            } catch (TraceException refused) {
                // as documented
            }
            try {
                OrderFile.read(FILE, 3, 2);
            } catch (TraceException refused) {
                // as documented
            }
        }
    }

    /** What nvidia-smi prints. */
    public static final class Smi {
        private Smi() {}

        /** Reads one text, as XML and as a matrix. */
        public static void fuzzerTestOneInput(byte[] data) {
            String text = text(data);
            try {
                NvidiaSmi.gpus(text);
            } catch (IllegalArgumentException refused) {
                // as documented
            }
            try {
                TopologyMatrix.parse(text);
            } catch (IllegalArgumentException refused) {
                // as documented
            }
        }
    }
}
