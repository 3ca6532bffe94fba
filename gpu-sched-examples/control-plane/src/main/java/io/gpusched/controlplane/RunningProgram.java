package io.gpusched.controlplane;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** A process that was started here, with what it has used so far. Thread-safe. */
public final class RunningProgram implements AutoCloseable {
    private static final int STOPS_WITHIN_SECONDS = 15;
    private static final int LINES_SHOWN = 20;

    private final String name;
    private final Process process;
    private final Path log;

    /** A program must not outlive this process, however that ends. */
    private final Thread atExit;

    private RunningProgram(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.atExit = new Thread(process::destroy, "stop-" + name);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Starts a program.
     *
     * @param name what it is called in messages, and its log file
     * @param command the program and its arguments
     * @param environment variables that it is given beside those of this process
     * @param folder its working directory, where its log is written
     */
    public static RunningProgram start(String name, List<String> command, Map<String, String> environment, Path folder)
            throws IOException {
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return new RunningProgram(name, builder.start(), log);
    }

    /** Returns whether it has not ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the CPU time that it has used since its start, of all threads, in the kernel too; zero once it has ended. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Returns the most memory that was resident at one time, in KiB; nothing where the system does not tell. */
    public OptionalLong peakResidentKib() {
        try {
            return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns the last lines of what it said. */
    public String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log);
            return name + ": "
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
        } catch (IOException e) {
            return name + ": " + e;
        }
    }

    /** Asks it to end, and ends it if it does not within 15 s. */
    @Override
    public void close() {
        process.destroy();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // this process is ending
        }
        try {
            if (!process.waitFor(STOPS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
