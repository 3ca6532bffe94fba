package io.gpusched.kubebench;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The writes that the API server has answered since its start, by its own count: all but those that create the objects of a
 * benchmark, and Leases. Between two of them lies what a scheduler wrote.
 *
 * @param all by request, such as {@code POST pods/binding}
 * @param conflicts how many of them it refused with status 409
 */
record ServerWrites(Map<String, Long> all, long conflicts) {
    private static final Pattern COUNT = Pattern.compile("apiserver_request_total\\{(.*)\\} ([0-9.e+]+)");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");
    private static final Set<String> VERBS = Set.of("POST", "PUT", "PATCH", "APPLY");
    private static final Set<String> NOT_COUNTED = Set.of("POST pods", "POST podgroups", "POST resourceclaims");

    static ServerWrites of(KubernetesClient client) {
        return parse(client.raw("/metrics"));
    }

    static ServerWrites parse(String metrics) {
        Map<String, Long> all = new TreeMap<>();
        long conflicts = 0;
        for (String line : metrics.lines().toList()) {
            Matcher count = COUNT.matcher(line);
            if (!count.matches()) {
                continue;
            }
            Map<String, String> labels = labels(count.group(1));
            String request = request(labels);
            if (VERBS.contains(labels.getOrDefault("verb", ""))
                    && !NOT_COUNTED.contains(request)
                    && !"leases".equals(labels.get("resource"))) {
                long value = (long) Double.parseDouble(count.group(2));
                all.merge(request, value, Long::sum);
                conflicts += "409".equals(labels.get("code")) ? value : 0;
            }
        }
        return new ServerWrites(all, conflicts);
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new TreeMap<>();
        LABEL.matcher(text).results().forEach(label -> labels.put(label.group(1), label.group(2)));
        return labels;
    }

    private static String request(Map<String, String> labels) {
        String subresource = labels.getOrDefault("subresource", "");
        return labels.getOrDefault("verb", "") + " " + labels.getOrDefault("resource", "")
                + (subresource.isEmpty() ? "" : "/" + subresource);
    }

    /** Returns what was written since an earlier count. */
    ServerWrites since(ServerWrites earlier) {
        Map<String, Long> more = new TreeMap<>();
        all.forEach((request, count) -> {
            long added = count - earlier.all.getOrDefault(request, 0L);
            if (added > 0) {
                more.put(request, added);
            }
        });
        return new ServerWrites(more, conflicts - earlier.conflicts);
    }

    long total() {
        return all.values().stream().mapToLong(Long::longValue).sum();
    }
}
