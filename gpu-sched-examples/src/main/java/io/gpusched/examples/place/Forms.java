package io.gpusched.examples.place;

import io.gpusched.dialect.Quantity;
import io.gpusched.examples.yaml.YamlNode;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.List;

/** What the parts of the library's own YAML form read alike. */
final class Forms {
    private Forms() {}

    /** Reads {@code cpu} (cores or milli, {@code 4} or {@code 500m}) and {@code memory} (bytes, {@code 16Gi}). */
    static Resources resources(YamlNode node) {
        YamlNode cpu = node.at("cpu");
        long millis = cpu.build(() -> Quantity.parse(cpu.textOr("0")).millis());
        long mib = mibCeiling(node.at("memory"));
        return node.build(() -> Resources.of(millis, mib));
    }

    /** Reads an amount of bytes, {@code 16Gi}, rounded up to MiB; 0 where there is none. */
    static long mibCeiling(YamlNode memory) {
        return memory.build(() -> Quantity.parse(memory.textOr("0")).mibCeiling());
    }

    /**
     * Checks that a thing is said in one way only.
     *
     * @throws io.gpusched.examples.yaml.InputException if two of these members are there
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
