package io.gpusched.examples.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
        return folder;
    }
}
