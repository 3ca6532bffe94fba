package io.gpusched.cli.place;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.Quantity;
import io.gpusched.manifests.yaml.YamlNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Kubernetes' quotas of a namespace, by which the API server refuses to create pods whatever room there is. */
final class Quotas {
    private static final String REQUESTS = "requests.";

    private Quotas() {}

    /**
     * Returns the quotas that do not let all of some pods be created, each in words. Quotas for some pods alone, by scope, are left
     * out.
     *
     * @param objects quotas among other objects
     */
    static List<String> exceeded(List<YamlNode> objects, Collection<PodManifest> pods) {
        List<String> words = new ArrayList<>();
        for (YamlNode object : objects) {
            if (object.at("kind").textOr("").equals("ResourceQuota")
                    && !object.at("spec").at("scopes").isPresent()
                    && !object.at("spec").at("scopeSelector").isPresent()) {
                add(object, pods, words);
            }
        }
        return words;
    }

    private static void add(YamlNode quota, Collection<PodManifest> pods, List<String> words) {
        String namespace = quota.need("metadata").at("namespace").textOr("default");
        List<PodManifest> ofNamespace = pods.stream()
                .filter(pod -> pod.id().namespace().equals(namespace))
                .toList();
        Map<String, String> used = quota.at("status").at("used").texts();
        quota.at("spec").at("hard").texts().forEach((name, hard) -> {
            BigDecimal asked = asked(name, ofNamespace);
            BigDecimal left = value(hard)
                    .subtract(Optional.ofNullable(used.get(name))
                            .map(Quotas::value)
                            .orElse(BigDecimal.ZERO));
            if (asked.signum() > 0 && asked.compareTo(left) > 0) {
                words.add("ResourceQuota " + namespace + "/"
                        + quota.need("metadata").need("name").text() + ": "
                        + used.getOrDefault(name, "0") + " of " + hard + " " + name + " used, "
                        + asked.toPlainString() + " more requested; not all of these pods would be created");
            }
        });
    }

    /** What pods ask of what a quota counts; 0 for anything else than pods and their requests. */
    private static BigDecimal asked(String name, List<PodManifest> pods) {
        if (name.equals("pods")) {
            return BigDecimal.valueOf(pods.size());
        }
        String resource = name.startsWith(REQUESTS) ? name.substring(REQUESTS.length()) : name;
        return pods.stream().map(pod -> asked(resource, pod)).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static BigDecimal asked(String resource, PodManifest pod) {
        BigDecimal together = BigDecimal.ZERO;
        BigDecimal greatest = BigDecimal.ZERO;
        for (ContainerManifest container : pod.containers()) {
            BigDecimal one = container.requested(resource).map(Quantity::value).orElse(BigDecimal.ZERO);
            if (container.ordinary()) {
                together = together.add(one);
            } else {
                greatest = greatest.max(one);
            }
        }
        return together.max(greatest);
    }

    private static BigDecimal value(String amount) {
        return Quantity.parse(amount).value();
    }
}
