package io.gpusched.cli.look;

import io.gpusched.cli.GpuSched;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * One run of a command that looks at a cluster.
 *
 * @param code its exit code
 * @param out what it printed
 * @param err what it complained of
 */
record LookRun(int code, String out, String err) {
    static LookRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = GpuSched.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new LookRun(code, out.toString(), err.toString());
    }

    /** Writes what kubectl printed into a folder and runs on it. */
    static LookRun on(Path folder, String cluster, String... arguments) {
        try {
            Path file = Files.writeString(folder.resolve("cluster.yaml"), cluster);
            String[] all = Arrays.copyOf(arguments, arguments.length + 2);
            all[arguments.length] = "--cluster";
            all[arguments.length + 1] = file.toString();
            return of(all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what it printed after the line that says what the cluster is. */
    String answer() {
        return out.substring(out.indexOf('\n') + 1);
    }
}
