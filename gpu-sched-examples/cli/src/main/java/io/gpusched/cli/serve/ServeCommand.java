package io.gpusched.cli.serve;

import io.gpusched.json.JsonFormat;
import io.gpusched.json.JsonFormatException;
import io.gpusched.kubernetes.command.Serving;
import io.gpusched.kubernetes.http.HttpLimits;
import io.gpusched.kubernetes.http.WebServer;
import io.gpusched.model.Cluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code serve}: answers over HTTP and JSON about one cluster that it keeps in memory. */
@Command(
        name = "serve",
        description = {
            "Keeps one cluster in memory and answers over HTTP and JSON where pods and groups go, what if, why not and"
                    + " how many more, until it is stopped.",
            "",
            "/ and /openapi.json describe the operations; docs/cookbook.md shows them from Python and with curl."
        })
public final class ServeCommand implements Callable<Integer> {
    private static final int MIB = 1 << 20;

    @Option(
            names = "--cluster",
            paramLabel = "F",
            description = "The cluster to begin with, as JSON; else it has no nodes until a client sends one.")
    private @Nullable Path clusterFile;

    @Option(
            names = "--state",
            paramLabel = "F",
            description = "Keeps the cluster in this file, as JSON, written before each change is answered; if the file"
                    + " exists at the start, its cluster is taken instead of that of --cluster.")
    private @Nullable Path stateFile;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "The address to listen at; any but a loopback address needs --token-file (default:"
                    + " ${DEFAULT-VALUE}).")
    private String host = "";

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8380",
            description = "The port, 0 for any that is free (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Serves clients alone that send the text of this file as Authorization: Bearer.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--max-body",
            paramLabel = "MIB",
            defaultValue = "64",
            description = "The longest body that is read, in MiB, 1..1024 (default: ${DEFAULT-VALUE}).")
    private int maxBodyMib;

    @Option(
            names = "--max-requests",
            paramLabel = "N",
            defaultValue = "64",
            description =
                    "How many requests may be under way at one time, 1..65536; one more is answered with 503. Idle"
                            + " connections do not count (default: ${DEFAULT-VALUE}).")
    private int maxRequests;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Optional<String> token = token();
        if (token.isEmpty() && !isLoopback()) {
            throw bad("--host: " + host + " can be reached by others"
                    + "\nMaybe name --token-file, or listen at 127.0.0.1.");
        }
        HttpLimits limits = limits();
        WebServer.Builder server = WebServer.builder("serve").limits(limits);
        try (WebServer running = service().on(server, token).start(host, port)) {
            Serving.untilStopped(spec, "serving at http://" + host + ":" + running.port());
        }
        return 0;
    }

    private Service service() throws IOException {
        if (stateFile == null) {
            return new Service(cluster(), changed -> {});
        }
        StateFile file = new StateFile(stateFile);
        try {
            Cluster begin = file.read().orElse(null);
            return new Service(begin == null ? cluster() : begin, file::write);
        } catch (JsonFormatException e) {
            throw bad("--state: " + stateFile + ": " + e.getMessage());
        }
    }

    private boolean isLoopback() {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new ParameterException(spec.commandLine(), "--host: there is no address \"" + host + "\"", e);
        }
    }

    private HttpLimits limits() {
        if (maxBodyMib < 1 || maxBodyMib > 1_024) {
            throw bad("--max-body must be in 1..1024, got " + maxBodyMib);
        }
        if (maxRequests < 1 || maxRequests > 65_536) {
            throw bad("--max-requests must be in 1..65536, got " + maxRequests);
        }
        HttpLimits limits = HttpLimits.DEFAULT.withBodyBytes(maxBodyMib * MIB).withRequests(maxRequests);
        return limits.withConnections(Math.max(limits.connections(), maxRequests));
    }

    private Optional<String> token() throws IOException {
        if (tokenFile == null) {
            return Optional.empty();
        }
        String token = Files.readString(tokenFile).strip();
        if (token.isEmpty() || token.lines().count() > 1) {
            throw bad("--token-file: " + tokenFile + " must hold one line, the token");
        }
        return Optional.of(token);
    }

    private Cluster cluster() throws IOException {
        if (clusterFile == null) {
            return Cluster.of(List.of());
        }
        try {
            return JsonFormat.CLUSTER.read(Files.readString(clusterFile));
        } catch (JsonFormatException e) {
            throw bad("--cluster: " + clusterFile + ": " + e.getMessage());
        }
    }

    private ParameterException bad(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
