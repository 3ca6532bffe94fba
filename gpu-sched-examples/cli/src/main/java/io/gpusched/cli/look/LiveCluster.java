package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpusched.kubernetes.command.Serving;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.objects.ModelMapper;
import io.gpusched.manifests.yaml.InputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the cluster that kubectl would find, once, by list requests alone. */
final class LiveCluster {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private LiveCluster() {}

    /**
     * Lists what is there. Nodes and pods must be readable; of the rest, what may not be read or is not served is left out.
     *
     * @param kubeconfig the file that says where the cluster is; null for what kubectl would take
     * @param context the context in it; null for the current one
     * @throws InputException if the cluster cannot be read
     * @throws IllegalArgumentException if nothing says which cluster it is, or there is no such context
     */
    static ClusterObjects read(@Nullable Path kubeconfig, @Nullable String context) {
        Config config = config(kubeconfig, context);
        KubernetesSerialization serialization = new KubernetesSerialization(ModelMapper.ofServer(), true);
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(serialization)
                .build()) {
            return read(client);
        } catch (KubernetesClientException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String problem =
                    String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
            throw new InputException(config.getMasterUrl(), 0, "", "the cluster cannot be read: " + problem);
        }
    }

    private static Config config(@Nullable Path kubeconfig, @Nullable String context) {
        Config found = kubeconfig == null
                ? Config.autoConfigure(context)
                : Config.fromKubeconfig(context, readable(kubeconfig).toFile());
        Config config = new ConfigBuilder(found)
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(TIMEOUT_MILLIS)
                .build();
        Serving.requireFound(config);
        List<String> contexts =
                found.getContexts().stream().map(NamedContext::getName).toList();
        if (context != null && !contexts.contains(context)) {
            throw new IllegalArgumentException(
                    "--context must be one of " + String.join(", ", contexts) + ", got \"" + context + "\"");
        }
        return config;
    }

    private static Path readable(Path file) {
        if (!Files.isReadable(file)) {
            throw new InputException(file.toString(), 0, "", "cannot be read");
        }
        return file;
    }

    private static ClusterObjects read(KubernetesClient client) {
        List<HasMetadata> objects = new ArrayList<>();
        objects.addAll(client.nodes().list().getItems());
        objects.addAll(client.pods().inAnyNamespace().list().getItems());
        objects.addAll(allowed(() -> client.namespaces().list().getItems()).orElse(List.of()));
        objects.addAll(allowed(() -> client.policy()
                        .v1()
                        .podDisruptionBudget()
                        .inAnyNamespace()
                        .list()
                        .getItems())
                .orElse(List.of()));
        for (GroupVocabulary vocabulary : GroupVocabulary.values()) {
            objects.addAll(groups(client, vocabulary.context()));
        }
        return ClusterObjects.of(objects, volumes(client));
    }

    private static List<? extends HasMetadata> groups(KubernetesClient client, ResourceDefinitionContext context) {
        return allowed(() -> client.genericKubernetesResources(context)
                        .inAnyNamespace()
                        .list()
                        .getItems())
                .orElse(List.of());
    }

    /** All of them or nothing: a claim whose volume may not be read would seem to have none. */
    private static Optional<List<HasMetadata>> volumes(KubernetesClient client) {
        return allowed(() -> {
            List<HasMetadata> volumes = new ArrayList<>();
            volumes.addAll(client.persistentVolumes().list().getItems());
            volumes.addAll(
                    client.persistentVolumeClaims().inAnyNamespace().list().getItems());
            volumes.addAll(client.storage().v1().storageClasses().list().getItems());
            volumes.addAll(client.storage().v1().csiNodes().list().getItems());
            return volumes;
        });
    }

    private static <T> Optional<T> allowed(Supplier<T> read) {
        try {
            return Optional.of(read.get());
        } catch (KubernetesClientException e) {
            if (e.getCode() == FORBIDDEN || e.getCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
