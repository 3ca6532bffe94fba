package io.gpusched.cel;

import io.gpusched.claim.AttributeValue;
import io.gpusched.claim.Device;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What an expression sees of a device. */
final class CelDevice {
    private CelDevice() {}

    static Map<String, Object> of(String driver, Device device) {
        Map<String, Map<String, Object>> attributes = new TreeMap<>();
        device.attributes().forEach((name, value) -> {
            if (value.isReadable()) {
                put(attributes, driver, name, read(value));
            }
        });
        Map<String, Map<String, Object>> capacity = new TreeMap<>();
        device.capacity().forEach((name, amount) -> put(capacity, driver, name, amount.value()));
        return Map.of(
                "driver",
                driver,
                "attributes",
                new Domains(attributes),
                "capacity",
                new Domains(capacity),
                "allowMultipleAllocations",
                device.isShareable());
    }

    /** A full name wins over a short one of the driver's own domain. */
    private static void put(Map<String, Map<String, Object>> domains, String driver, String name, Object value) {
        int slash = name.indexOf('/');
        Map<String, Object> domain =
                domains.computeIfAbsent(slash < 0 ? driver : name.substring(0, slash), key -> new TreeMap<>());
        if (slash < 0) {
            domain.putIfAbsent(name, value);
        } else {
            domain.put(name.substring(slash + 1), value);
        }
    }

    private static Object read(AttributeValue value) {
        List<Object> elements = value.elements().stream()
                .map(element -> value.type() == AttributeValue.Type.VERSION
                        ? (Object) SemanticVersion.parse((String) element).orElseThrow()
                        : element)
                .toList();
        return value.isList() ? elements : elements.get(0);
    }

    /** Returns whether a map has a key; a domain without entries is none. */
    static boolean isKey(Object key, Map<?, ?> map) {
        return map instanceof Domains domains ? domains.byName.containsKey(key) : map.containsKey(key);
    }

    /** Attributes or capacities by domain. A domain that is not there is empty, not an error. */
    private static final class Domains extends AbstractMap<String, Map<String, Object>> {
        private final Map<String, Map<String, Object>> byName;

        Domains(Map<String, Map<String, Object>> byName) {
            this.byName = byName;
        }

        @Override
        public boolean containsKey(Object key) {
            return true;
        }

        @Override
        public Map<String, Object> get(Object key) {
            return key instanceof String name ? byName.getOrDefault(name, Map.of()) : Map.of();
        }

        @Override
        public Set<Entry<String, Map<String, Object>>> entrySet() {
            return byName.entrySet();
        }
    }
}
