package io.gpusched.conformance.dra;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.claim.AttributeValue;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimFeature;
import io.gpusched.claim.ClaimGang;
import io.gpusched.claim.ClaimNode;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceAmount;
import io.gpusched.claim.DeviceCapacity;
import io.gpusched.claim.DeviceClass;
import io.gpusched.claim.DeviceId;
import io.gpusched.claim.DeviceRequest;
import io.gpusched.claim.DeviceSelector;
import io.gpusched.claim.DeviceTaint;
import io.gpusched.claim.DeviceToleration;
import io.gpusched.claim.DevicesInUse;
import io.gpusched.claim.NodeScope;
import io.gpusched.claim.ResourceSlice;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * What a vector says: nodes, slices, classes, what is taken, claims. Selectors are looked up in the vector's table.
 *
 * @param features what is switched on
 * @param nodes nodes by name
 * @param slices published slices
 * @param classes device classes
 * @param inUse what is taken
 * @param claims the claims
 */
record DraCase(
        Set<ClaimFeature> features,
        Map<String, ClaimNode> nodes,
        List<ResourceSlice> slices,
        List<DeviceClass> classes,
        DevicesInUse inUse,
        List<Claim> claims) {
    private static final Map<String, ClaimFeature> FEATURES = Map.ofEntries(
            Map.entry("adminAccess", ClaimFeature.ADMIN_ACCESS),
            Map.entry("bindingConditions", ClaimFeature.BINDING_CONDITIONS),
            Map.entry("compatibilityGroups", ClaimFeature.COMPATIBILITY_GROUPS),
            Map.entry("consumableCapacity", ClaimFeature.CONSUMABLE_CAPACITY),
            Map.entry("derivedAttributes", ClaimFeature.DERIVED_ATTRIBUTES),
            Map.entry("deviceTaints", ClaimFeature.DEVICE_TAINTS),
            Map.entry("fractionalCapacityRange", ClaimFeature.FRACTIONAL_CAPACITY),
            Map.entry("listTypeAttributes", ClaimFeature.LIST_ATTRIBUTES),
            Map.entry("optionalNodeOperations", ClaimFeature.OPTIONAL_NODE_OPERATIONS),
            Map.entry("partitionableDevices", ClaimFeature.PARTITIONABLE_DEVICES),
            Map.entry("prioritizedList", ClaimFeature.PRIORITIZED_LIST));

    static DraCase of(JsonNode vector) {
        return new Reader(vector).read();
    }

    /** Returns a node by its name. */
    ClaimNode node(String name) {
        ClaimNode node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("the case has no node \"" + name + "\"");
        }
        return node;
    }

    /** Returns the pods of a vector, which start together, and their claims. */
    ClaimGang gang(JsonNode vector) {
        List<ClaimGang.PodClaim> podClaims = new ArrayList<>();
        for (int c = 0; c < claims.size(); c++) {
            JsonNode claim = vector.path("claims").path(c);
            JsonNode selector = claim.path("allocation").path("nodeSelector");
            Optional<NodeScope> reach = claim.has("allocation")
                    ? Optional.of(selector.isMissingNode() ? new NodeScope.AllNodes() : Reader.selected(selector))
                    : Optional.empty();
            boolean ofGroup = claim.path("sharedBy").asText().equals("PodGroup");
            podClaims.add(
                    new ClaimGang.PodClaim(claims.get(c), reach, ofGroup ? Integer.MAX_VALUE : ClaimGang.MOST_PODS));
        }
        List<ClaimGang.Pod> pods = new ArrayList<>();
        for (JsonNode pod : vector.path("pods")) {
            pods.add(new ClaimGang.Pod(
                    pod.path("name").asText(),
                    texts(pod.path("claims")),
                    pod.has("nodes") ? Optional.of(Set.copyOf(texts(pod.path("nodes")))) : Optional.empty()));
        }
        return new ClaimGang(pods, podClaims);
    }

    static List<JsonNode> list(JsonNode field) {
        return StreamSupport.stream(field.spliterator(), false).toList();
    }

    static List<String> texts(JsonNode field) {
        return list(field).stream().map(JsonNode::asText).toList();
    }

    /** Reads one vector. */
    private static final class Reader {
        private final JsonNode vector;
        private final Map<String, JsonNode> tables = new HashMap<>();
        private final Map<String, JsonNode> derivedTables = new HashMap<>();
        private final Map<String, String> places = new HashMap<>();
        private final Map<String, DeviceSelector> selectors = new HashMap<>();

        Reader(JsonNode vector) {
            this.vector = vector;
            vector.path("selectorTable")
                    .forEach(row -> tables.put(row.path("expression").asText(), row));
            vector.path("derivedTable")
                    .forEach(row -> derivedTables.put(row.path("expression").asText(), row));
        }

        DraCase read() {
            Set<ClaimFeature> features = EnumSet.noneOf(ClaimFeature.class);
            texts(vector.path("features")).forEach(name -> features.add(known(FEATURES, name)));
            Map<String, ClaimNode> nodes = new TreeMap<>();
            for (JsonNode node : vector.path("nodes")) {
                Node read = Node.builder(node.path("name").asText())
                        .labels(strings(node.path("labels")))
                        .capacity(Resources.of(1000, 1024))
                        .build();
                boolean operations = texts(node.path("declaredFeatures")).contains("DRAOptionalNodeOperations");
                nodes.put(read.name(), new ClaimNode(read, operations));
            }
            List<ResourceSlice> slices = new ArrayList<>();
            for (JsonNode slice : vector.path("slices")) {
                slices.add(slice(slice, slices.size()));
            }
            List<DeviceClass> classes = new ArrayList<>();
            for (JsonNode one : vector.path("classes")) {
                classes.add(new DeviceClass(
                        one.path("name").asText(),
                        selectors(one.path("selectors")),
                        Optional.ofNullable(one.path("extendedResourceName").textValue())));
            }
            List<Claim> claims = new ArrayList<>();
            vector.path("claims").forEach(claim -> claims.add(claim(claim)));
            return new DraCase(features, nodes, slices, classes, inUse(vector.path("allocated")), claims);
        }

        private static <V> V known(Map<String, V> values, String name) {
            V value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException("must be one of " + values.keySet() + ", got \"" + name + "\"");
            }
            return value;
        }

        private static Map<String, String> strings(JsonNode field) {
            Map<String, String> strings = new TreeMap<>();
            field.properties()
                    .forEach(entry ->
                            strings.put(entry.getKey(), entry.getValue().asText()));
            return strings;
        }

        private static Map<String, DeviceAmount> amounts(JsonNode field) {
            Map<String, DeviceAmount> amounts = new TreeMap<>();
            field.properties()
                    .forEach(entry -> amounts.put(
                            entry.getKey(), DeviceAmount.parse(entry.getValue().asText())));
            return amounts;
        }

        private ResourceSlice slice(JsonNode slice, int index) {
            List<ResourceSlice.CounterSet> sets = new ArrayList<>();
            slice.path("counterSets")
                    .forEach(set -> sets.add(
                            new ResourceSlice.CounterSet(set.path("name").asText(), amounts(set.path("counters")))));
            List<Device> devices = new ArrayList<>();
            for (JsonNode device : slice.path("devices")) {
                String name = device.path("name").asText();
                places.putIfAbsent(
                        slice.path("driver").asText() + "\n"
                                + slice.path("pool").asText() + "\n"
                                + slice.path("name").asText() + "\n" + name,
                        index + ":" + devices.size());
                devices.add(device(device));
            }
            return new ResourceSlice(
                    slice.path("name").asText(),
                    slice.path("driver").asText(),
                    slice.path("pool").asText(),
                    slice.path("generation").asLong(),
                    slice.path("poolSliceCount").asLong(),
                    scope(slice.path("nodes")),
                    sets,
                    devices,
                    !slice.path("skipNodeOperations").isEmpty());
        }

        private static NodeScope scope(JsonNode scope) {
            if (scope.has("name")) {
                return new NodeScope.Named(scope.path("name").asText());
            }
            if (scope.path("all").asBoolean()) {
                return new NodeScope.AllNodes();
            }
            if (scope.path("perDevice").asBoolean()) {
                return new NodeScope.PerDevice();
            }
            return selected(scope.path("selector"));
        }

        private static NodeScope selected(JsonNode selector) {
            List<NodeSelector.Term> terms = new ArrayList<>();
            for (JsonNode term : selector) {
                List<NodeRequirement> requirements = new ArrayList<>();
                term.path("labels")
                        .forEach(one -> requirements.add(
                                requirement(one, one.path("key").asText())));
                term.path("fields").forEach(one -> requirements.add(requirement(one, NodeRequirement.NAME)));
                if (!requirements.isEmpty()) {
                    terms.add(new NodeSelector.Term(requirements));
                }
            }
            return terms.isEmpty() ? new NodeScope.Nowhere() : new NodeScope.Selected(new NodeSelector(terms));
        }

        private static NodeRequirement requirement(JsonNode one, String key) {
            Map<String, NodeRequirement.Operator> operators = Map.of(
                    "In", NodeRequirement.Operator.IN,
                    "NotIn", NodeRequirement.Operator.NOT_IN,
                    "Exists", NodeRequirement.Operator.EXISTS,
                    "DoesNotExist", NodeRequirement.Operator.DOES_NOT_EXIST,
                    "Gt", NodeRequirement.Operator.GT,
                    "Lt", NodeRequirement.Operator.LT);
            return new NodeRequirement(
                    key, known(operators, one.path("operator").asText()), texts(one.path("values")));
        }

        private static Device device(JsonNode device) {
            Device.Builder builder = Device.builder(device.path("name").asText())
                    .shareable(device.path("allowMultipleAllocations").asBoolean())
                    .bindsToNode(device.path("bindsToNode").asBoolean())
                    .binding(texts(device.path("bindingConditions")), texts(device.path("bindingFailureConditions")));
            device.path("attributes")
                    .properties()
                    .forEach(entry -> builder.attribute(entry.getKey(), value(entry.getValue())));
            device.path("capacity").properties().forEach(entry -> {
                JsonNode capacity = entry.getValue();
                builder.capacity(
                        entry.getKey(),
                        new DeviceCapacity(
                                DeviceAmount.parse(capacity.path("value").asText()),
                                optional(capacity, "policy").map(Reader::policy)));
            });
            for (JsonNode use : device.path("consumes")) {
                builder.consumes(new Device.CounterUse(
                        use.path("counterSet").asText(),
                        amounts(use.path("counters")),
                        Set.copyOf(texts(use.path("compatibilityGroups")))));
            }
            for (JsonNode taint : device.path("taints")) {
                builder.taint(new DeviceTaint(
                        taint.path("key").asText(),
                        taint.path("value").asText(),
                        effect(taint.path("effect").asText())));
            }
            if (device.has("nodes")) {
                builder.scope(scope(device.path("nodes")));
            }
            return builder.build();
        }

        private static DeviceTaint.Effect effect(String name) {
            return switch (name) {
                case "NoSchedule" -> DeviceTaint.Effect.NO_SCHEDULE;
                case "NoExecute" -> DeviceTaint.Effect.NO_EXECUTE;
                default -> DeviceTaint.Effect.NONE;
            };
        }

        private static Optional<JsonNode> optional(JsonNode parent, String field) {
            return parent.hasNonNull(field) ? Optional.of(parent.get(field)) : Optional.empty();
        }

        private static Optional<DeviceAmount> amount(JsonNode parent, String field) {
            return optional(parent, field).map(JsonNode::asText).map(DeviceAmount::parse);
        }

        private static DeviceCapacity.RequestPolicy policy(JsonNode policy) {
            return new DeviceCapacity.RequestPolicy(
                    amount(policy, "default"),
                    texts(policy.path("validValues")).stream()
                            .map(DeviceAmount::parse)
                            .toList(),
                    optional(policy, "validRange")
                            .map(range -> new DeviceCapacity.ValidRange(
                                    amount(range, "min").orElse(DeviceAmount.ZERO),
                                    amount(range, "max"),
                                    amount(range, "step"))));
        }

        static AttributeValue value(JsonNode value) {
            Map<String, AttributeValue.Type> types = Map.of(
                    "string", AttributeValue.Type.TEXT,
                    "int", AttributeValue.Type.INT,
                    "bool", AttributeValue.Type.TRUTH,
                    "version", AttributeValue.Type.VERSION);
            for (Map.Entry<String, AttributeValue.Type> type : types.entrySet()) {
                if (value.has(type.getKey())) {
                    return new AttributeValue(
                            type.getValue(), false, List.of(element(type.getValue(), value.get(type.getKey()))));
                }
                if (value.has(type.getKey() + "s")) {
                    return AttributeValue.listOf(
                            type.getValue(),
                            list(value.get(type.getKey() + "s")).stream()
                                    .map(one -> element(type.getValue(), one))
                                    .toList());
                }
            }
            return AttributeValue.UNKNOWN_TYPE;
        }

        private static Object element(AttributeValue.Type type, JsonNode element) {
            return switch (type) {
                case INT -> element.asLong();
                case TRUTH -> element.asBoolean();
                default -> element.asText();
            };
        }

        private List<DeviceSelector> selectors(JsonNode field) {
            return list(field).stream().map(this::selector).toList();
        }

        private DeviceSelector selector(JsonNode text) {
            return text.isNull()
                    ? DeviceSelector.unknown()
                    : selectors.computeIfAbsent(text.asText(), key -> newSelector(text));
        }

        private DeviceSelector newSelector(JsonNode text) {
            JsonNode table = tables.get(text.asText());
            if (table == null) {
                throw new IllegalArgumentException("selectorTable has no row for " + text);
            }
            if (table.has("compileError")) {
                return DeviceSelector.malformed(text.asText());
            }
            Set<String> matches = new HashSet<>(texts(table.path("matches")));
            return DeviceSelector.of(text.asText(), (slice, device) -> {
                String place = placeOf(slice, device);
                if (table.path("errors").has(place)) {
                    throw new DeviceSelector.SelectorException(
                            table.path("errors").path(place).asText());
                }
                return matches.contains(place);
            });
        }

        private Claim claim(JsonNode claim) {
            List<Claim.Request> requests = new ArrayList<>();
            for (JsonNode request : claim.path("requests")) {
                String name = request.path("name").asText();
                List<DeviceRequest> alternatives = new ArrayList<>();
                boolean prioritized = request.has("firstAvailable");
                if (prioritized) {
                    request.path("firstAvailable")
                            .forEach(one -> alternatives.add(
                                    request(one, one.path("name").asText())));
                } else {
                    alternatives.add(request(request.path("exactly"), name));
                }
                requests.add(new Claim.Request(name, prioritized, alternatives));
            }
            List<Claim.Constraint> constraints = new ArrayList<>();
            for (JsonNode constraint : claim.path("constraints")) {
                Claim.Constraint.Kind kind = constraint.has("matchAttribute")
                        ? Claim.Constraint.Kind.MATCH
                        : constraint.has("distinctAttribute")
                                ? Claim.Constraint.Kind.DISTINCT
                                : Claim.Constraint.Kind.UNKNOWN;
                String attribute = constraint.path("matchAttribute").asText()
                        + constraint.path("distinctAttribute").asText();
                constraints.add(new Claim.Constraint(kind, attribute, Set.copyOf(texts(constraint.path("requests")))));
            }
            return new Claim(claim.path("name").asText(), requests, constraints);
        }

        private DeviceRequest request(JsonNode request, String name) {
            DeviceRequest.Mode mode = Map.of(
                            "ExactCount", DeviceRequest.Mode.EXACT_COUNT,
                            "All", DeviceRequest.Mode.ALL)
                    .getOrDefault(request.path("mode").asText(), DeviceRequest.Mode.UNKNOWN);
            DeviceRequest.Builder builder = DeviceRequest.builder(
                            name, request.path("class").asText())
                    .mode(mode)
                    .count(request.path("count").asLong())
                    .adminAccess(request.path("adminAccess").asBoolean());
            selectors(request.path("selectors")).forEach(builder::selector);
            for (JsonNode toleration : request.path("tolerations")) {
                builder.toleration(new DeviceToleration(
                        toleration.path("key").asText(),
                        toleration.path("operator").asText().equals("Exists"),
                        toleration.path("value").asText(),
                        optional(toleration, "effect").map(JsonNode::asText).map(Reader::effect)));
            }
            amounts(request.path("capacity")).forEach(builder::capacity);
            for (JsonNode derived : request.path("derivedAttributes")) {
                builder.derived(
                        derived.path("name").asText(),
                        derived(derived.path("expression").asText()));
            }
            return builder.build();
        }

        private DeviceRequest.DerivedAttribute derived(String expression) {
            return (slice, device) -> {
                JsonNode table = derivedTables.get(expression);
                String place = placeOf(slice, device);
                if (table == null || !table.path("values").has(place)) {
                    throw new DeviceSelector.SelectorException("derivedTable has no value for " + expression);
                }
                return value(table.path("values").path(place));
            };
        }

        private String placeOf(ResourceSlice slice, Device device) {
            String place =
                    places.get(slice.driver() + "\n" + slice.pool() + "\n" + slice.name() + "\n" + device.name());
            if (place == null) {
                throw new IllegalArgumentException("there is no device " + slice.idOf(device));
            }
            return place;
        }

        private static DevicesInUse inUse(JsonNode allocated) {
            Map<DeviceId, Map<String, DeviceAmount>> consumed = new HashMap<>();
            allocated
                    .path("consumedCapacity")
                    .properties()
                    .forEach(entry -> consumed.put(id(entry.getKey()), amounts(entry.getValue())));
            return new DevicesInUse(ids(allocated.path("devices")), ids(allocated.path("shares")), consumed);
        }

        private static Set<DeviceId> ids(JsonNode field) {
            return texts(field).stream().map(Reader::id).collect(Collectors.toSet());
        }

        private static DeviceId id(String text) {
            List<String> parts = Arrays.asList(text.split("/"));
            int last = parts.size() - 1;
            return new DeviceId(parts.get(0), String.join("/", parts.subList(1, last)), parts.get(last));
        }
    }
}
