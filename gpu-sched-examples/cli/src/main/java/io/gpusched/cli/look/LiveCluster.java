package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.kubernetes.command.Serving;
import io.gpusched.manifests.cluster.ClusterObjects;
import io.gpusched.manifests.cluster.ClusterReader;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.yaml.DocumentSink;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the cluster that kubectl would find, once, by list requests alone. */
final class LiveCluster {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int PAGE = 500;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private static final List<String> VOLUMES = List.of(
            "/api/v1/persistentvolumes",
            "/api/v1/persistentvolumeclaims",
            "/apis/storage.k8s.io/v1/storageclasses",
            "/apis/storage.k8s.io/v1/csinodes");

    /** The kinds of dynamic resource allocation. */
    private static final List<String> CLAIMS =
            List.of("resourceslices", "deviceclasses", "resourceclaims", "resourceclaimtemplates", "devicetaintrules");

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
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
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

    /** Lists are read as files are: what an object is it says itself, whatever classes the client has. */
    private static ClusterObjects read(KubernetesClient client) {
        ClusterReader reader = new ClusterReader();
        for (String path : List.of("/api/v1/nodes", "/api/v1/pods")) {
            readPages(client, path, reader);
        }
        for (String path : List.of(
                "/api/v1/namespaces",
                "/api/v1/resourcequotas",
                "/api/v1/limitranges",
                "/apis/node.k8s.io/v1/runtimeclasses",
                "/apis/scheduling.k8s.io/v1/priorityclasses",
                "/apis/policy/v1/poddisruptionbudgets")) {
            allowed(client, path).orElse(List.of()).forEach(reader::document);
        }
        for (GroupVocabulary vocabulary : GroupVocabulary.values()) {
            served(client, "/apis/" + vocabulary.apiVersion().replaceFirst("/.*", ""), "podgroups")
                    .forEach(reader::document);
        }
        for (String kind : CLAIMS) {
            served(client, "/apis/resource.k8s.io", kind).forEach(reader::document);
        }
        volumes(client).forEach(reader::document);
        return reader.objects();
    }

    /** Reads a long list, one page in memory at a time. */
    private static void readPages(KubernetesClient client, String path, ClusterReader reader) {
        String next = "";
        do {
            String page = path + "?limit=" + PAGE + (next.isEmpty() ? "" : "&continue=" + next);
            String text = Objects.requireNonNull(client.raw(page));
            next = YamlReader.parse(name(path), text, () -> new Page(reader)).next;
        } while (!next.isEmpty());
    }

    /** Takes a page and what the API server wants to hear for the next one. */
    private static final class Page implements DocumentSink {
        private final ClusterReader reader;
        private String next = "";

        Page(ClusterReader reader) {
            this.reader = reader;
        }

        @Override
        public boolean item(YamlNode item, Map<String, YamlNode> around) {
            return reader.item(item, around);
        }

        @Override
        public void document(YamlNode page) {
            String token = page.at("metadata").at("continue").textOr("");
            next = URLEncoder.encode(token, StandardCharsets.UTF_8);
            reader.document(page);
        }
    }

    private static String name(String path) {
        return "the API server's " + path;
    }

    /** The objects of a kind in the first version of its API that serves them. */
    private static List<YamlNode> served(KubernetesClient client, String api, String kind) {
        for (YamlNode group : allowed(client, api).orElse(List.of())) {
            for (YamlNode version : group.at("versions").list()) {
                String path = api + "/" + version.need("version").text() + "/" + kind;
                Optional<List<YamlNode>> objects = allowed(client, path);
                if (objects.isPresent()) {
                    return objects.get();
                }
            }
        }
        return List.of();
    }

    /** All of them or nothing: a claim whose volume may not be read would seem to have none. */
    private static List<YamlNode> volumes(KubernetesClient client) {
        List<YamlNode> all = new ArrayList<>();
        for (String path : VOLUMES) {
            Optional<List<YamlNode>> some = allowed(client, path);
            if (some.isEmpty()) {
                return List.of();
            }
            all.addAll(some.get());
        }
        return all;
    }

    /** What a path lists; empty if it is not served or may not be read. */
    private static Optional<List<YamlNode>> allowed(KubernetesClient client, String path) {
        try {
            return Optional.ofNullable(client.raw(path)).map(text -> YamlReader.parse(name(path), text));
        } catch (KubernetesClientException e) {
            if (e.getCode() == FORBIDDEN || e.getCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
