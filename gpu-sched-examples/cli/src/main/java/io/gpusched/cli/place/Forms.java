package io.gpusched.cli.place;

import io.gpusched.dialect.Quantity;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the parts of the library's own YAML form read alike. */
final class Forms {
    private Forms() {}

    /**
     * Reads {@code cpu} (cores or milli, {@code 4} or {@code 500m}), {@code memory} (bytes, {@code 16Gi}) and
     * {@code resources} (whole amounts of others by name, {@code rdma/hca: 1}).
     */
    static Resources resources(YamlNode node) {
        YamlNode cpu = node.at("cpu");
        long millis = cpu.build(() -> Quantity.parse(cpu.textOr("0")).millis());
        long mib = mibCeiling(node.at("memory"));
        Map<String, Long> named = new TreeMap<>();
        node.at("resources")
                .map()
                .forEach((name, amount) -> named.put(
                        name, amount.build(() -> Quantity.parse(amount.text()).wholeNumber())));
        return node.build(() -> new Resources(millis, mib, NamedAmounts.of(named)));
    }

    /** Reads an amount of bytes, {@code 16Gi}, rounded up to MiB; 0 where there is none. */
    static long mibCeiling(YamlNode memory) {
        return memory.build(() -> Quantity.parse(memory.textOr("0")).mibCeiling());
    }

    /**
     * Checks that a thing is said in one way only.
     *
     * @throws io.gpusched.manifests.yaml.InputException if two of these members are there
     */
    static void atMostOne(YamlNode node, String... names) {
        List<String> present = new ArrayList<>();
        for (String name : names) {
            if (node.at(name).isPresent()) {
                present.add(name);
            }
        }
        if (present.size() > 1) {
            throw node.at(present.get(1))
                    .error("contradicts " + present.get(0) + ": at most one of " + String.join(", ", names)
                            + " is expected");
        }
    }
}
