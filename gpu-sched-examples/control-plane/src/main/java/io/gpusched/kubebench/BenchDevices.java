package io.gpusched.kubebench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** What drivers and users write of devices that are asked for by claims: as NVIDIA's driver describes an H100 and its MIG partitions. */
final class BenchDevices {
    private static final String API = "resource.k8s.io/v1";
    private static final String DRIVER = "gpu.nvidia.com";
    private static final int SETS_PER_SLICE = 8;
    private static final int UNITS = 8;

    /** A class of devices by their attribute {@code type}. */
    private static final List<String> TYPES = List.of("gpu", "mig");

    /** What claims for partitions ask for, in turn. */
    private static final List<String> ASKED = List.of("1g.10gb", "1g.10gb", "2g.20gb", "3g.40gb");

    /**
     * Partitions of one kind, each from one of the starts.
     *
     * @param size how many slices of memory it takes
     * @param engines how many decoders, JPEG engines and copy engines
     * @param ofa how many optical flow accelerators
     */
    private record Profile(String name, int size, List<Integer> starts, int multiprocessors, int engines, int ofa) {}

    private static final List<Profile> PROFILES = List.of(
            new Profile("1g.10gb", 1, List.of(0, 1, 2, 3, 4, 5, 6), 16, 1, 0),
            new Profile("1g.10gb+me", 1, List.of(0, 1, 2, 3, 4, 5, 6), 16, 1, 1),
            new Profile("1g.20gb", 2, List.of(0, 2, 4, 6), 26, 1, 0),
            new Profile("2g.20gb", 2, List.of(0, 2, 4), 32, 2, 0),
            new Profile("3g.40gb", 4, List.of(0, 4), 60, 3, 0),
            new Profile("4g.40gb", 4, List.of(0), 64, 4, 0),
            new Profile("7g.80gb", UNITS, List.of(0), 132, 7, 1));

    private static final Profile WHOLE = PROFILES.get(PROFILES.size() - 1);

    private BenchDevices() {}

    /** Returns the device classes. */
    static List<Map<String, Object>> classes() {
        return TYPES.stream()
                .map(type -> object(
                        "DeviceClass",
                        Map.of("name", type + ".nvidia.com"),
                        Map.of(
                                "selectors",
                                List.of(selector("device.driver == '" + DRIVER + "' && device.attributes['" + DRIVER
                                        + "'].type == '" + type + "'")))))
                .toList();
    }

    private static Map<String, Object> object(String kind, Map<String, Object> metadata, Map<String, Object> spec) {
        return Map.of("apiVersion", API, "kind", kind, "metadata", metadata, "spec", spec);
    }

    private static Map<String, Object> selector(String expression) {
        return Map.of("cel", Map.of("expression", expression));
    }

    /** Returns the claim of a pod, which has its name. */
    static Map<String, Object> claim(String name, int index, BenchShape shape) {
        Map<String, Object> exactly = shape.offer() == BenchShape.Offer.WHOLE
                ? Map.of("deviceClassName", "gpu.nvidia.com")
                : Map.of(
                        "deviceClassName",
                        "mig.nvidia.com",
                        "selectors",
                        List.of(selector("device.attributes['" + DRIVER + "'].profile == '"
                                + ASKED.get(index % ASKED.size()) + "'")));
        return object(
                "ResourceClaim",
                Map.of("name", name, "namespace", BenchObjects.NAMESPACE),
                Map.of("devices", Map.of("requests", List.of(Map.of("name", "gpu", "exactly", exactly)))));
    }

    /** Returns the slices of a node: one of whole GPUs; or one of each GPU with all its partitions, and those of their counters. */
    static List<Map<String, Object>> slices(String node, int gpus, BenchShape.Offer offer) {
        List<Map<String, Object>> specs = new ArrayList<>();
        if (offer == BenchShape.Offer.WHOLE) {
            specs.add(Map.of(
                    "devices",
                    IntStream.range(0, gpus).mapToObj(gpu -> whole(node, gpu)).toList()));
        } else {
            List<Map<String, Object>> sets = IntStream.range(0, gpus)
                    .mapToObj(gpu -> Map.of("name", counterSet(gpu), "counters", counters(WHOLE, 0)))
                    .toList();
            for (int from = 0; from < gpus; from += SETS_PER_SLICE) {
                specs.add(Map.of("sharedCounters", sets.subList(from, Math.min(gpus, from + SETS_PER_SLICE))));
            }
            for (int gpu = 0; gpu < gpus; gpu++) {
                specs.add(Map.of("devices", withPartitions(node, gpu)));
            }
        }
        List<Map<String, Object>> slices = new ArrayList<>();
        for (Map<String, Object> spec : specs) {
            Map<String, Object> all = new TreeMap<>(spec);
            all.put("driver", DRIVER);
            all.put("nodeName", node);
            all.put("pool", Map.of("name", node, "generation", 1, "resourceSliceCount", specs.size()));
            slices.add(object("ResourceSlice", Map.of("name", "%s-%02d".formatted(node, slices.size())), all));
        }
        return slices;
    }

    private static Map<String, Object> whole(String node, int gpu) {
        return device("gpu-" + gpu, Map.of("type", "gpu", "uuid", uuid(node, gpu)), WHOLE.size());
    }

    private static List<Map<String, Object>> withPartitions(String node, int gpu) {
        List<Map<String, Object>> all = new ArrayList<>(List.of(consuming(whole(node, gpu), gpu, WHOLE, 0)));
        for (Profile profile : PROFILES) {
            for (int start : profile.starts()) {
                String name =
                        "gpu-" + gpu + "-mig-" + profile.name().replace(".", "").replace("+", "-") + "-" + start;
                Map<String, String> attributes =
                        Map.of("type", "mig", "profile", profile.name(), "parentUUID", uuid(node, gpu));
                all.add(consuming(device(name, attributes, profile.size()), gpu, profile, start));
            }
        }
        return all;
    }

    private static String uuid(String node, int gpu) {
        return "GPU-" + node + "-" + gpu;
    }

    private static String counterSet(int gpu) {
        return "gpu-" + gpu + "-counter-set";
    }

    private static Map<String, Object> device(String name, Map<String, String> attributes, int units) {
        Map<String, Object> all = new TreeMap<>();
        attributes.forEach((attribute, value) -> all.put(attribute, Map.of("string", value)));
        all.put("productName", Map.of("string", "NVIDIA H100 80GB HBM3"));
        all.put("cudaComputeCapability", Map.of("version", "9.0.0"));
        return Map.of(
                "name", name, "attributes", all, "capacity", Map.of("memory", Map.of("value", units * 10 + "Gi")));
    }

    private static Map<String, Object> consuming(Map<String, Object> device, int gpu, Profile profile, int start) {
        Map<String, Object> all = new TreeMap<>(device);
        all.put(
                "consumesCounters",
                List.of(Map.of("counterSet", counterSet(gpu), "counters", counters(profile, start))));
        return all;
    }

    private static Map<String, Object> counters(Profile profile, int start) {
        Map<String, Object> counters = new TreeMap<>();
        counters.put("multiprocessors", amount(profile.multiprocessors()));
        counters.put("decoders", amount(profile.engines()));
        counters.put("jpeg-engines", amount(profile.engines()));
        counters.put("copy-engines", amount(profile.equals(WHOLE) ? UNITS : profile.engines()));
        counters.put("ofa-engines", amount(profile.ofa()));
        IntStream.range(start, start + profile.size()).forEach(unit -> counters.put("memory-slice-" + unit, amount(1)));
        return counters;
    }

    private static Map<String, Object> amount(int value) {
        return Map.of("value", String.valueOf(value));
    }
}
