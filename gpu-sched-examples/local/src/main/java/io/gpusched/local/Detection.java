package io.gpusched.local;

import io.gpusched.dialect.nvidiasmi.NvidiaSmi;
import io.gpusched.model.Node;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks {@code nvidia-smi} what GPUs the machine has and how they are linked. */
final class Detection {
    private static final String END = "</nvidia_smi_log>";
    private static final int MOST_SECONDS = 60;

    private Detection() {}

    /**
     * Returns the machine; without links where the program knows none.
     *
     * @throws IllegalStateException if the program cannot be run, fails, or prints what cannot be read
     */
    static Node nvidiaSmi(String program) {
        String xml = run(program, "-q", "-x")
                .orElseThrow(() -> new IllegalStateException(program + " -q -x fails"
                        + "\nMaybe the driver is not loaded; GpuMachine.of(node) takes a description instead."));
        int end = xml.indexOf(END); // Warnings may follow.
        String log = end < 0 ? xml : xml.substring(0, end + END.length());
        Node.Builder node = Node.builder("local");
        Optional<String> links = run(program, "topo", "-m");
        try {
            if (links.isPresent()) {
                NvidiaSmi.read(node, log, links.get());
            } else {
                NvidiaSmi.gpus(log).forEach(node::gpu);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("what " + program + " prints cannot be read: " + e.getMessage(), e);
        }
        return node.build();
    }

    /** Returns what the program prints, or nothing if it fails. */
    private static Optional<String> run(String program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            CompletableFuture.delayedExecutor(MOST_SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.onExit().join().exitValue() == 0 ? Optional.of(printed) : Optional.empty();
        } catch (IOException e) {
            throw new IllegalStateException(
                    program + " cannot be run: " + e.getMessage()
                            + "\n"
                            + "Maybe the machine has no NVIDIA driver; GpuMachine.of(node) takes a description"
                            + " instead.",
                    e);
        }
    }
}
