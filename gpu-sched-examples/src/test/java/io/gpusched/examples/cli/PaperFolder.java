package io.gpusched.examples.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** A tiny folder in the layout of the openb traces. */
final class PaperFolder {
    private PaperFolder() {}

    static Path make(Path folder) throws IOException {
        Files.writeString(
                folder.resolve("openb_node_list_gpu_node.csv"),
                "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,64000,2,T4\nn1,64000,64000,4,G2\n");
        Files.writeString(
                folder.resolve("openb_pod_list_default.csv"),
                "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\np0,1000,1,1,500,\np1,1000,1,2,1000,G2\np2,9000,1,0,0,\n");
        Files.writeString(
                folder.resolve("expected_means.csv"),
                "workload,policy,alloc100,alloc130\ndefault,06-FGD,77.77,88.88\n");
        Files.createDirectories(folder.resolve("orders"));
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("orders/default.txt.gz")))) {
            for (int seed = 42; seed <= 43; seed++) {
                String lines = "seed=" + seed + " 0 1 2 0 1 0 1\nnoderank=" + seed + " 1 0\n";
                out.write(lines.getBytes(StandardCharsets.UTF_8));
            }
        }
        return folder;
    }
}
