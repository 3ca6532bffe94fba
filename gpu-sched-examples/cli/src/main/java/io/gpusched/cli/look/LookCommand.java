package io.gpusched.cli.look;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.manifests.cluster.SeenCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the commands that look at a cluster have in common: they read it, say what it is, and answer, as text or as JSON. */
abstract class LookCommand implements Callable<Integer> {
    private static final int MOST_NOTES = 10;

    @Mixin
    private ClusterSource source = new ClusterSource();

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public final Integer call() throws IOException {
        SeenCluster seen = source.read();
        PrintWriter out = spec.commandLine().getOut();
        ObjectNode answer = JsonAnswer.object();
        if (json) {
            int code = look(seen, new PrintWriter(Writer.nullWriter()), answer);
            out.println(JsonAnswer.of(spec.name(), seen, answer));
            out.flush();
            return code;
        }
        say(seen, out, spec.commandLine().getErr());
        int code = look(seen, out, answer);
        out.flush();
        return code;
    }

    /** Says on the output what the cluster is, and on the error output what is wrong with it. */
    static void say(SeenCluster seen, PrintWriter out, PrintWriter err) {
        out.println(seen.words());
        seen.notes().stream().limit(MOST_NOTES).forEach(note -> err.println("warning: " + note));
        int more = seen.notes().size() - MOST_NOTES;
        if (more > 0) {
            err.println("warning: " + more + " more like these");
        }
        err.flush();
    }

    /**
     * Answers; returns the exit code.
     *
     * @param out for the answer in words
     * @param answer for its parts
     */
    abstract int look(SeenCluster seen, PrintWriter out, ObjectNode answer) throws IOException;
}
