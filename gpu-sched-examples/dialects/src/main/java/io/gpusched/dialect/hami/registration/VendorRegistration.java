package io.gpusched.dialect.hami.registration;

import io.gpusched.check.Checks;
import io.gpusched.dialect.NodeManifest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** How a node tells of its devices of a vendor. Immutable and thread-safe. */
public sealed interface VendorRegistration
        permits NeuronCapacity, NodeCapacity, RegisteredJson, RegisteredMetax, RegisteredProfiles, RegisteredText {
    /**
     * Returns the devices of a node, none in use, in their order; none where it tells of none.
     *
     * @param word what HAMi calls the family
     * @param json reads JSON as maps, lists, texts, numbers and booleans
     * @throws IllegalArgumentException if what it tells cannot be read; the message names the annotation or the resource
     */
    List<VendorDevice> devices(String word, NodeManifest node, Function<String, Object> json);

    /**
     * Returns labels that a node with such devices gets, because of what it tells of them.
     *
     * @param json as above
     */
    default Map<String, String> labels(NodeManifest node, Function<String, Object> json) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(json, "json");
        return Map.of();
    }

    /** Returns this, reading other resources of a node: by name, what each is called now. */
    default VendorRegistration renamed(Map<String, String> names) {
        Checks.noNulls("names", names);
        return this;
    }

    /** Returns the resources of a node that are read, beside the resources that pods ask for. */
    default List<String> resources() {
        return List.of();
    }
}
