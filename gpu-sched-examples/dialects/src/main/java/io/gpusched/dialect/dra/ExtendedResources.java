package io.gpusched.dialect.dra;

import io.gpusched.check.Checks;
import io.gpusched.claim.Claim;
import io.gpusched.claim.DeviceRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Extended resources that device classes offer, and the claim that a pod gets for what it asks of them. The rules and the names of
 * requests are those of Kubernetes 1.38 (KEP-5004).
 *
 * <p>A container that lives as long as the pod (a sidecar too) has requests of its own. An init container uses those of the
 * containers after it, and what it needs besides is one request that all init containers share, as large as the largest such rest.
 *
 * <p>Example: {@code nvidia.com/gpu: 2} of an init container and {@code nvidia.com/gpu: 1} of the main one are two requests for one
 * device each; the init container has both devices.
 *
 * <p>Immutable and thread-safe.
 */
public final class ExtendedResources {
    /** The name of the claim that stands for a pod's extended resources. */
    public static final String CLAIM = "extended-resources";

    /** What the name of a resource begins with that stands for a device class without its being named so. */
    public static final String IMPLICIT = "deviceclass.resource.kubernetes.io/";

    private static final String NATIVE = "kubernetes.io/";

    /**
     * A device class.
     *
     * @param name its name
     * @param resource its {@code extendedResourceName}
     * @param createdSeconds when it was created
     */
    public record OfferedClass(String name, Optional<String> resource, long createdSeconds) {
        /** Checks that nothing is null. */
        public OfferedClass {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(resource, "resource");
        }
    }

    /**
     * A container of a pod.
     *
     * @param name its name
     * @param isInit whether it ends before the containers after it start; false for a sidecar
     * @param requests what it asks for, all names of resources included, by name; a request's name counts all of them
     */
    public record AskingContainer(String name, boolean isInit, Map<String, Long> requests) {
        /** Copies the map. */
        public AskingContainer {
            Objects.requireNonNull(name, "name");
            requests = Checks.ascending("requests", requests);
        }
    }

    /**
     * Which request serves a resource of a container.
     *
     * @param container the container
     * @param resource the resource
     * @param request the request of the claim
     */
    public record Mapping(String container, String resource, String request) {
        /** Checks that nothing is null. */
        public Mapping {
            Objects.requireNonNull(container, "container");
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(request, "request");
        }
    }

    /**
     * What becomes of a pod's extended resources on a node.
     *
     * @param classes the class that offers each resource, by resource
     * @param plugin what is left to device plugins, whether or not one offers it
     * @param claim the claim, with requests ascending by name as text; empty if there is nothing to claim
     * @param mappings which requests serve which container
     */
    public record Split(
            Map<String, String> classes, Map<String, Long> plugin, Optional<Claim> claim, List<Mapping> mappings) {
        /** Copies the collections. */
        public Split {
            classes = Checks.ascending("classes", classes);
            plugin = Checks.ascending("plugin", plugin);
            Objects.requireNonNull(claim, "claim");
            mappings = Checks.list("mappings", mappings);
        }
    }

    private final Map<String, String> classOf = new TreeMap<>();

    private ExtendedResources(List<OfferedClass> classes) {
        List<OfferedClass> newestFirst = new ArrayList<>(classes);
        newestFirst.sort(Comparator.comparingLong(OfferedClass::createdSeconds)
                .reversed()
                .thenComparing(OfferedClass::name));
        for (OfferedClass one : newestFirst) {
            one.resource().ifPresent(resource -> classOf.putIfAbsent(resource, one.name()));
            classOf.put(IMPLICIT + one.name(), one.name());
        }
    }

    /** Returns what classes offer; of several that offer one resource, the newest does, then the first by name. */
    public static ExtendedResources of(List<OfferedClass> classes) {
        return new ExtendedResources(Checks.list("classes", classes));
    }

    /** Returns the class that offers a resource. */
    public Optional<String> classOf(String resource) {
        return Optional.ofNullable(classOf.get(Objects.requireNonNull(resource, "resource")));
    }

    /** Returns whether a name is one of an extended resource. */
    public static boolean isExtended(String resource) {
        Objects.requireNonNull(resource, "resource");
        return resource.startsWith(IMPLICIT)
                || resource.indexOf('/') > 0
                        && !resource.startsWith(NATIVE)
                        && !resource.contains("." + NATIVE)
                        && !resource.startsWith("requests.");
    }

    /**
     * Returns what becomes of the extended resources of a pod.
     *
     * @param containers its init containers, then its containers
     * @param hasPlugin whether a device plugin of the node offers a resource, in any number above zero
     */
    public Split split(List<AskingContainer> containers, Predicate<String> hasPlugin) {
        return new Splitter(Checks.list("containers", containers), Objects.requireNonNull(hasPlugin, "hasPlugin"))
                .split();
    }

    private record Request(String name, String className, long count) {}

    /** Splits what one pod asks for. */
    private final class Splitter {
        private final List<AskingContainer> containers;
        private final Predicate<String> hasPlugin;
        private final Map<String, String> classes = new TreeMap<>();
        private final Map<String, Long> plugin = new TreeMap<>();
        private final Map<String, Request> requests = new TreeMap<>();
        private final List<Mapping> mappings = new ArrayList<>();
        /** By container and resource, the requests of containers that live as long as the pod. */
        private final List<Map<String, Request>> own = new ArrayList<>();

        Splitter(List<AskingContainer> containers, Predicate<String> hasPlugin) {
            this.containers = containers;
            this.hasPlugin = hasPlugin;
        }

        Split split() {
            for (int i = 0; i < containers.size(); i++) {
                own.add(containers.get(i).isInit() ? Map.of() : ownRequests(i));
            }
            Map<String, Request> shared = shared();
            for (int i = 0; i < containers.size(); i++) {
                if (containers.get(i).isInit()) {
                    mapInit(i, shared);
                }
            }
            leaveToPlugins();
            List<Claim.Request> asked = requests.values().stream()
                    .map(one -> Claim.Request.exactly(DeviceRequest.of(one.name(), one.className(), one.count())))
                    .toList();
            return new Split(
                    classes,
                    plugin,
                    asked.isEmpty() ? Optional.empty() : Optional.of(new Claim(CLAIM, asked, List.of())),
                    mappings);
        }

        /** Returns what of a container's requests is claimed, by resource, with the names of their requests. */
        private Map<String, Request> claimed(int container) {
            Map<String, Request> claimed = new LinkedHashMap<>();
            int number = 0;
            for (Map.Entry<String, Long> asked :
                    containers.get(container).requests().entrySet()) {
                String name = "container-" + container + "-request-" + number++;
                String offering = classOf.get(asked.getKey());
                if (asked.getValue() > 0 && isExtended(asked.getKey())) {
                    if (offering != null) {
                        classes.put(asked.getKey(), offering);
                    }
                    if (offering != null && !hasPlugin.test(asked.getKey())) {
                        claimed.put(asked.getKey(), new Request(name, offering, asked.getValue()));
                    }
                }
            }
            return claimed;
        }

        private Map<String, Request> ownRequests(int container) {
            Map<String, Request> claimed = claimed(container);
            claimed.forEach((resource, request) -> {
                requests.put(request.name(), request);
                map(container, resource, request);
            });
            return claimed;
        }

        private void map(int container, String resource, Request request) {
            mappings.add(new Mapping(containers.get(container).name(), resource, request.name()));
        }

        /** Returns, by resource, the request that init containers share: the largest rest, under the name of the first that has it. */
        private Map<String, Request> shared() {
            Map<String, Request> largest = new HashMap<>();
            for (int i = 0; i < containers.size(); i++) {
                int container = i;
                if (containers.get(i).isInit()) {
                    claimed(i).forEach((resource, request) -> {
                        long rest = request.count() - later(container, resource);
                        Request known = largest.get(resource);
                        if (rest > (known == null ? 0 : known.count())) {
                            largest.put(resource, new Request(request.name(), request.className(), rest));
                        }
                    });
                }
            }
            largest.values().forEach(request -> requests.put(request.name(), request));
            return largest;
        }

        private long later(int container, String resource) {
            long sum = 0;
            for (Map<String, Request> requestsOf : own.subList(container + 1, own.size())) {
                Request request = requestsOf.get(resource);
                sum += request == null ? 0 : request.count();
            }
            return sum;
        }

        private void mapInit(int container, Map<String, Request> shared) {
            claimed(container).forEach((resource, asked) -> {
                long rest = asked.count();
                for (int later = container + 1; later < own.size() && rest > 0; later++) {
                    Request request = own.get(later).get(resource);
                    if (request != null) {
                        map(container, resource, request);
                        rest -= request.count();
                    }
                }
                Request last = shared.get(resource);
                if (rest > 0 && last != null) {
                    map(container, resource, last);
                }
            });
        }

        /** What is left to plugins is what must be free at once: of long-lived containers together, and of each init container with the sidecars before it. */
        private void leaveToPlugins() {
            Map<String, Long> alive = new HashMap<>();
            for (AskingContainer container : containers) {
                container.requests().forEach((resource, amount) -> {
                    boolean isLeft = isExtended(resource)
                            && amount > 0
                            && (!classOf.containsKey(resource) || hasPlugin.test(resource));
                    if (isLeft) {
                        long now = alive.getOrDefault(resource, 0L) + amount;
                        plugin.merge(resource, now, Math::max);
                        if (!container.isInit()) {
                            alive.put(resource, now);
                        }
                    }
                });
            }
        }
    }
}
