package io.gpusched.kubernetes.command;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpusched.kubernetes.http.Shutdown;
import io.gpusched.manifests.objects.ModelMapper;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/** How a command works for a cluster until it is told to stop. */
public final class Serving {
    private static final int TIMEOUT_MILLIS = 4_000;

    private Serving() {}

    /**
     * Returns a client of the cluster that kubectl would find. It repeats nothing by itself: whether a write arrived is found
     * out before it is made again.
     *
     * @param concurrency how many requests may be under way at one time, at least
     * @throws IllegalArgumentException if kubectl would find none
     */
    public static KubernetesClient client(int concurrency) {
        int requests = Math.max(64, concurrency);
        Config config = new ConfigBuilder()
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(TIMEOUT_MILLIS)
                .withMaxConcurrentRequests(requests)
                .withMaxConcurrentRequestsPerHost(requests)
                .build();
        requireFound(config);
        ObjectMapper mapper = ModelMapper.ofServer().addMixIn(ObjectMeta.class, WithoutHistory.class);
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(new KubernetesSerialization(mapper, true))
                .build();
    }

    /**
     * Checks that something says which cluster it is; else the client would ask for ever for a name that only pods can resolve.
     *
     * @throws IllegalArgumentException if nothing does
     */
    public static void requireFound(Config config) {
        boolean isDefault = config.getMasterUrl().equals(Config.empty().getMasterUrl());
        if (isDefault
                && config.getCurrentContext() == null
                && config.getOauthToken() == null
                && config.getAutoOAuthToken() == null) {
            throw new IllegalArgumentException(
                    "no cluster found: neither KUBECONFIG nor ~/.kube/config names one, and this is no pod"
                            + "\nMaybe set KUBECONFIG to the file that kubectl uses.");
        }
    }

    /** The managers of fields are half of what the API server says of an object, and are passed over unread. */
    @JsonIgnoreProperties("managedFields")
    private interface WithoutHistory {}

    /** Says on the error output what runs now, and returns when the process is told to stop. */
    public static void untilStopped(CommandSpec command, String what) {
        PrintWriter err = command.commandLine().getErr();
        err.println("gpu-sched " + command.name() + ": " + what);
        err.flush();
        Shutdown.await();
    }
}
