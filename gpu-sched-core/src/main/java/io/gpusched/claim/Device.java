package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A device that a driver publishes: a GPU, a partition of one, a network card.
 *
 * @param name unique in its pool
 * @param attributes attributes by name; a name without domain belongs to the driver's
 * @param capacity capacities by name, as attributes
 * @param consumes what it takes of the pool's shared counters while it is given out
 * @param taints its taints
 * @param scope from where it can be reached, if its slice leaves that to each device
 * @param isShareable whether several claims may have a part of it
 * @param bindsToNode whether a claim that has it is bound to the node for which it was allocated
 * @param bindingConditions conditions that must become true before a pod is bound
 * @param bindingFailureConditions conditions that say that they never will
 */
public record Device(
        String name,
        Map<String, AttributeValue> attributes,
        Map<String, DeviceCapacity> capacity,
        List<CounterUse> consumes,
        List<DeviceTaint> taints,
        Optional<NodeScope> scope,
        boolean isShareable,
        boolean bindsToNode,
        List<String> bindingConditions,
        List<String> bindingFailureConditions) {
    /**
     * What a device takes of one set of counters.
     *
     * @param counterSet the name of the set
     * @param counters amounts by counter
     * @param compatibilityGroups groups; devices on the set must share one of them; an alpha feature
     */
    public record CounterUse(String counterSet, Map<String, DeviceAmount> counters, Set<String> compatibilityGroups) {
        /** Copies the collections. */
        public CounterUse {
            Checks.notBlank("counter use", "counterSet", counterSet);
            counters = Checks.ascending("counters", counters);
            Checks.noNulls("compatibilityGroups", compatibilityGroups);
            compatibilityGroups = Set.copyOf(compatibilityGroups);
        }

        /** Returns a use without groups. */
        public static CounterUse of(String counterSet, Map<String, DeviceAmount> counters) {
            return new CounterUse(counterSet, counters, Set.of());
        }
    }

    /**
     * Copies the collections.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public Device {
        Checks.notBlank("device", "name", name);
        attributes = Checks.ascending("attributes", attributes);
        capacity = Checks.ascending("capacity", capacity);
        consumes = Checks.list("consumes", consumes);
        taints = Checks.list("taints", taints);
        Objects.requireNonNull(scope, "scope");
        bindingConditions = Checks.list("bindingConditions", bindingConditions);
        bindingFailureConditions = Checks.list("bindingFailureConditions", bindingFailureConditions);
    }

    /** Returns a builder of a device of this name, with nothing else known. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Returns the groups of all its uses of counters. */
    Set<String> groups() {
        Set<String> all = new TreeSet<>();
        consumes.forEach(use -> all.addAll(use.compatibilityGroups()));
        return all;
    }

    /** Builds devices; what is said twice of one thing, the last holds, lists grow. May be used again after {@link #build}. */
    public static final class Builder {
        private final String name;
        private final Map<String, AttributeValue> attributes = new TreeMap<>();
        private final Map<String, DeviceCapacity> capacity = new TreeMap<>();
        private final List<CounterUse> consumes = new ArrayList<>();
        private final List<DeviceTaint> taints = new ArrayList<>();
        private Optional<NodeScope> scope = Optional.empty();
        private boolean isShareable;
        private boolean bindsToNode;
        private List<String> bindingConditions = List.of();
        private List<String> bindingFailureConditions = List.of();

        private Builder(String name) {
            this.name = Objects.requireNonNull(name, "name");
        }

        /** Sets an attribute. */
        public Builder attribute(String attribute, AttributeValue value) {
            attributes.put(Objects.requireNonNull(attribute, "attribute"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /** Sets a capacity. */
        public Builder capacity(String resource, DeviceCapacity amount) {
            capacity.put(Objects.requireNonNull(resource, "resource"), Objects.requireNonNull(amount, "amount"));
            return this;
        }

        /** Adds what it takes of a set of counters. */
        public Builder consumes(CounterUse use) {
            consumes.add(Objects.requireNonNull(use, "use"));
            return this;
        }

        /** Adds a taint. */
        public Builder taint(DeviceTaint taint) {
            taints.add(Objects.requireNonNull(taint, "taint"));
            return this;
        }

        /** Sets from where it can be reached; by default its slice says so. */
        public Builder scope(NodeScope scope) {
            this.scope = Optional.of(Objects.requireNonNull(scope, "scope"));
            return this;
        }

        /** Sets whether several claims may have a part of it; by default not. */
        public Builder shareable(boolean shareable) {
            isShareable = shareable;
            return this;
        }

        /** Sets whether it binds its claim to a node; by default not. */
        public Builder bindsToNode(boolean binds) {
            bindsToNode = binds;
            return this;
        }

        /** Sets its binding conditions and binding failure conditions; by default none. */
        public Builder binding(List<String> conditions, List<String> failures) {
            bindingConditions = Checks.list("conditions", conditions);
            bindingFailureConditions = Checks.list("failures", failures);
            return this;
        }

        /** Returns the device. */
        public Device build() {
            return new Device(
                    name,
                    attributes,
                    capacity,
                    consumes,
                    taints,
                    scope,
                    isShareable,
                    bindsToNode,
                    bindingConditions,
                    bindingFailureConditions);
        }
    }
}
