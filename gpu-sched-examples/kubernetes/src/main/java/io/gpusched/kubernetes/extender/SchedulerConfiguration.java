package io.gpusched.kubernetes.extender;

import io.gpusched.manifests.dialect.NamedDialect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * The configuration of kube-scheduler that makes it ask this extender.
 *
 * @param schedulerName which pods it schedules, by {@code spec.schedulerName}
 * @param url where the extender is, without a path
 * @param nodeCacheCapable whether nodes are sent by name; if not, each request carries all of them
 * @param caFile the certificate authority of an {@code https} URL as kube-scheduler finds it, empty for the system's
 * @param certFile the certificate that kube-scheduler shows, as it finds it; empty for none
 * @param keyFile the key that goes with it
 */
record SchedulerConfiguration(
        String schedulerName, String url, boolean nodeCacheCapable, String caFile, String certFile, String keyFile) {
    /**
     * What no node reports, so that kube-scheduler must not count it: parts of HAMi's GPUs, all of T9k's resources. The names
     * end like this.
     */
    private static final List<String> NOT_COUNTED = List.of(
            "nvidia.com/gpumem",
            "nvidia.com/gpumem-percentage",
            "nvidia.com/gpucores",
            "nvidia.com/priority",
            "tensorstack.dev/nvidia-gpu",
            "tensorstack.dev/nvidia-gpu-percent",
            "tensorstack.dev/nvidia-gpu-node");

    /** Returns the configuration in YAML. */
    String yaml(List<NamedDialect> dialects) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("apiVersion", "kubescheduler.config.k8s.io/v1");
        root.put("kind", "KubeSchedulerConfiguration");
        root.put("profiles", List.of(Map.of("schedulerName", schedulerName)));
        root.put("extenders", List.of(extender(dialects)));
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setIndicatorIndent(2);
        options.setIndentWithIndicator(true);
        return new Yaml(options).dump(root);
    }

    private Map<String, Object> extender(List<NamedDialect> dialects) {
        Map<String, Object> extender = new LinkedHashMap<>();
        extender.put("urlPrefix", url + Extender.PREFIX);
        extender.put("filterVerb", Extender.FILTER);
        extender.put("prioritizeVerb", Extender.PRIORITIZE);
        extender.put("preemptVerb", Extender.PREEMPT);
        extender.put("bindVerb", Extender.BIND);
        extender.put("weight", 10);
        extender.put("httpTimeout", "10s");
        extender.put("nodeCacheCapable", nodeCacheCapable);
        if (url.startsWith("https:")) {
            extender.put("enableHTTPS", true);
            extender.put("tlsConfig", tls());
        }
        extender.put("managedResources", managed(dialects));
        return extender;
    }

    private Map<String, Object> tls() {
        Map<String, Object> tls = new LinkedHashMap<>();
        tls.put("insecure", false);
        Map.of("caFile", caFile, "certFile", certFile, "keyFile", keyFile).entrySet().stream()
                .filter(file -> !file.getValue().isEmpty())
                .sorted(Map.Entry.comparingByKey())
                .forEach(file -> tls.put(file.getKey(), file.getValue()));
        return tls;
    }

    private static List<Map<String, Object>> managed(List<NamedDialect> dialects) {
        List<Map<String, Object>> managed = new ArrayList<>();
        TreeSet<String> names = new TreeSet<>();
        dialects.forEach(named -> names.addAll(named.resources()));
        for (String name : names) {
            Map<String, Object> resource = new LinkedHashMap<>();
            resource.put("name", name);
            if (NOT_COUNTED.contains(name)) {
                resource.put("ignoredByScheduler", true);
            }
            managed.add(resource);
        }
        return managed;
    }
}
