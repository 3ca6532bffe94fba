package io.gpusched.manifests.claim;

import io.gpusched.cel.CelSelectors;
import io.gpusched.claim.AttributeValue;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceAmount;
import io.gpusched.claim.DeviceCapacity;
import io.gpusched.claim.DeviceClass;
import io.gpusched.claim.DeviceId;
import io.gpusched.claim.DeviceRequest;
import io.gpusched.claim.DeviceSelector;
import io.gpusched.claim.DeviceTaint;
import io.gpusched.claim.DeviceToleration;
import io.gpusched.claim.NodeScope;
import io.gpusched.claim.ResourceSlice;
import io.gpusched.dialect.Quantity;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Reads objects of the API group {@code resource.k8s.io}, of any version: what {@code v1beta1} keeps in {@code basic} and beside a
 * request's name is read where it stands.
 */
final class ClaimReader {
    private static final Map<String, AttributeValue.Type> TYPES = Map.of(
            "string", AttributeValue.Type.TEXT,
            "int", AttributeValue.Type.INT,
            "bool", AttributeValue.Type.TRUTH,
            "version", AttributeValue.Type.VERSION);

    private final CelSelectors cel;
    private final List<TaintRule> rules;

    /** Whether selectors of claims are read only when they are asked. */
    private final boolean isLater;

    ClaimReader(CelSelectors cel, List<TaintRule> rules, boolean isLater) {
        this.cel = cel;
        this.rules = rules;
        this.isLater = isLater;
    }

    ResourceSlice slice(YamlNode object) {
        YamlNode spec = object.need("spec");
        YamlNode pool = spec.need("pool");
        List<ResourceSlice.CounterSet> sets = new ArrayList<>();
        for (YamlNode set : spec.at("sharedCounters").list()) {
            sets.add(new ResourceSlice.CounterSet(set.need("name").text(), amounts(set.at("counters"))));
        }
        NodeScope scope = spec.at("perDeviceNodeSelection").isTrue()
                ? new NodeScope.PerDevice()
                : scope(spec).orElse(new NodeScope.Nowhere());
        String driver = spec.need("driver").text();
        String poolName = pool.need("name").text();
        List<Device> devices = spec.at("devices").list().stream()
                .map(device -> device(device, driver, poolName))
                .toList();
        String name = object.need("metadata").need("name").text();
        return spec.build(() -> new ResourceSlice(
                name,
                driver,
                poolName,
                pool.at("generation").numberOr(1),
                pool.at("resourceSliceCount").numberOr(1),
                scope,
                sets,
                devices,
                !spec.at("skipNodeOperations").list().isEmpty()));
    }

    private static Optional<NodeScope> scope(YamlNode of) {
        if (of.at("nodeName").isPresent()) {
            return Optional.of(new NodeScope.Named(of.at("nodeName").text()));
        }
        if (of.at("allNodes").isTrue()) {
            return Optional.of(new NodeScope.AllNodes());
        }
        return of.at("nodeSelector").optional().map(ClaimReader::selected);
    }

    /** Reads a selector of nodes; a term of nothing selects none. */
    static NodeScope selected(YamlNode selector) {
        List<NodeSelector.Term> terms = new ArrayList<>();
        for (YamlNode term : selector.at("nodeSelectorTerms").list()) {
            List<NodeRequirement> requirements = new ArrayList<>();
            term.at("matchExpressions")
                    .list()
                    .forEach(one ->
                            requirements.add(requirement(one, one.need("key").text())));
            term.at("matchFields").list().forEach(one -> requirements.add(requirement(one, NodeRequirement.NAME)));
            if (!requirements.isEmpty()) {
                terms.add(new NodeSelector.Term(requirements));
            }
        }
        return terms.isEmpty() ? new NodeScope.Nowhere() : new NodeScope.Selected(new NodeSelector(terms));
    }

    private static NodeRequirement requirement(YamlNode one, String key) {
        return one.build(() -> new NodeRequirement(
                key,
                one.need("operator").oneOf(NodeRequirement.Operator.class),
                one.at("values").textList()));
    }

    private Device device(YamlNode device, String driver, String pool) {
        YamlNode body = device.at("basic").optional().orElse(device);
        String name = device.need("name").text();
        Device.Builder builder = Device.builder(name)
                .shareable(body.at("allowMultipleAllocations").isTrue())
                .bindsToNode(body.at("bindsToNode").isTrue())
                .binding(
                        body.at("bindingConditions").textList(),
                        body.at("bindingFailureConditions").textList());
        body.at("attributes").map().forEach((key, value) -> builder.attribute(key, attribute(value)));
        body.at("capacity").map().forEach((key, value) -> builder.capacity(key, capacity(value)));
        for (YamlNode use : body.at("consumesCounters").list()) {
            builder.consumes(new Device.CounterUse(
                    use.need("counterSet").text(),
                    amounts(use.at("counters")),
                    Set.copyOf(use.at("compatibilityGroups").textList())));
        }
        body.at("taints").list().forEach(taint -> builder.taint(taint(taint)));
        rules.stream().filter(rule -> rule.concerns(driver, pool, name)).forEach(rule -> builder.taint(rule.taint()));
        scope(body).ifPresent(builder::scope);
        return device.build(builder::build);
    }

    static DeviceTaint taint(YamlNode taint) {
        return new DeviceTaint(
                taint.need("key").text(),
                taint.at("value").textOr(""),
                effect(taint.at("effect").textOr("")).orElse(DeviceTaint.Effect.NONE));
    }

    /** An effect that is not known informs and keeps nothing away, as in Kubernetes. */
    private static Optional<DeviceTaint.Effect> effect(String text) {
        return switch (text) {
            case "NoSchedule" -> Optional.of(DeviceTaint.Effect.NO_SCHEDULE);
            case "NoExecute" -> Optional.of(DeviceTaint.Effect.NO_EXECUTE);
            case "" -> Optional.empty();
            default -> Optional.of(DeviceTaint.Effect.NONE);
        };
    }

    private static AttributeValue attribute(YamlNode value) {
        for (Map.Entry<String, AttributeValue.Type> type : TYPES.entrySet()) {
            YamlNode one = value.at(type.getKey());
            YamlNode many = value.at(type.getKey() + "s");
            if (one.isPresent()) {
                return new AttributeValue(type.getValue(), false, List.of(element(type.getValue(), one)));
            }
            if (many.isPresent()) {
                return AttributeValue.listOf(
                        type.getValue(),
                        many.list().stream()
                                .map(each -> element(type.getValue(), each))
                                .toList());
            }
        }
        return AttributeValue.UNKNOWN_TYPE;
    }

    private static Object element(AttributeValue.Type type, YamlNode value) {
        return switch (type) {
            case INT -> value.number();
            case TRUTH -> value.isTrue();
            default -> value.text();
        };
    }

    private static DeviceCapacity capacity(YamlNode capacity) {
        boolean isPlain = capacity.scalar() != null;
        DeviceAmount value = amount(isPlain ? capacity : capacity.need("value"));
        return new DeviceCapacity(
                value,
                isPlain
                        ? Optional.empty()
                        : capacity.at("requestPolicy").optional().map(ClaimReader::policy));
    }

    private static DeviceCapacity.RequestPolicy policy(YamlNode policy) {
        return new DeviceCapacity.RequestPolicy(
                policy.at("default").optional().map(ClaimReader::amount),
                policy.at("validValues").list().stream()
                        .map(ClaimReader::amount)
                        .toList(),
                policy.at("validRange")
                        .optional()
                        .map(range -> range.build(() -> new DeviceCapacity.ValidRange(
                                range.at("min")
                                        .optional()
                                        .map(ClaimReader::amount)
                                        .orElse(DeviceAmount.ZERO),
                                range.at("max").optional().map(ClaimReader::amount),
                                range.at("step").optional().map(ClaimReader::amount)))));
    }

    private static DeviceAmount amount(YamlNode quantity) {
        return quantity.build(
                () -> DeviceAmount.of(Quantity.parse(quantity.text()).value()));
    }

    private static Map<String, DeviceAmount> amounts(YamlNode counters) {
        Map<String, DeviceAmount> amounts = new TreeMap<>();
        counters.map()
                .forEach((name, value) ->
                        amounts.put(name, amount(value.scalar() != null ? value : value.need("value"))));
        return amounts;
    }

    DeviceClass deviceClass(YamlNode object) {
        YamlNode spec = object.at("spec");
        return new DeviceClass(
                object.need("metadata").need("name").text(),
                selectors(spec.at("selectors"), cel::of),
                spec.at("extendedResourceName").optional().map(YamlNode::text));
    }

    private static List<DeviceSelector> selectors(YamlNode selectors, Function<String, DeviceSelector> read) {
        return selectors.list().stream()
                .map(one -> one.at("cel").isPresent()
                        ? read.apply(one.at("cel").need("expression").text())
                        : DeviceSelector.unknown())
                .toList();
    }

    /** Reads the spec of a claim or of a template. */
    Claim claim(String name, YamlNode spec) {
        YamlNode devices = spec.at("devices");
        List<Claim.Request> requests = new ArrayList<>();
        for (YamlNode request : devices.at("requests").list()) {
            String of = request.need("name").text();
            List<YamlNode> alternatives = request.at("firstAvailable").list();
            requests.add(request.build(() -> alternatives.isEmpty()
                    ? Claim.Request.exactly(
                            request(of, request.at("exactly").optional().orElse(request)))
                    : new Claim.Request(
                            of,
                            true,
                            alternatives.stream()
                                    .map(one -> request(one.need("name").text(), one))
                                    .toList())));
        }
        List<Claim.Constraint> constraints = devices.at("constraints").list().stream()
                .map(ClaimReader::constraint)
                .toList();
        return new Claim(name, requests, constraints);
    }

    private DeviceRequest request(String name, YamlNode request) {
        DeviceRequest.Builder builder = DeviceRequest.builder(
                        name, request.at("deviceClassName").textOr(""))
                .count(request.at("count").numberOr(1))
                .mode(
                        switch (request.at("allocationMode").textOr("ExactCount")) {
                            case "ExactCount" -> DeviceRequest.Mode.EXACT_COUNT;
                            case "All" -> DeviceRequest.Mode.ALL;
                            default -> DeviceRequest.Mode.UNKNOWN;
                        })
                .adminAccess(request.at("adminAccess").isTrue());
        selectors(request.at("selectors"), isLater ? cel::later : cel::of).forEach(builder::selector);
        for (YamlNode one : request.at("tolerations").list()) {
            builder.toleration(new DeviceToleration(
                    one.at("key").textOr(""),
                    one.at("operator").textOr("Equal").equals("Exists"),
                    one.at("value").textOr(""),
                    effect(one.at("effect").textOr(""))));
        }
        amounts(request.at("capacity").at("requests")).forEach(builder::capacity);
        return request.build(builder::build);
    }

    private static Claim.Constraint constraint(YamlNode constraint) {
        Set<String> requests = Set.copyOf(constraint.at("requests").textList());
        if (constraint.at("matchAttribute").isPresent()) {
            return new Claim.Constraint(
                    Claim.Constraint.Kind.MATCH, constraint.at("matchAttribute").text(), requests);
        }
        return constraint.at("distinctAttribute").isPresent()
                ? new Claim.Constraint(
                        Claim.Constraint.Kind.DISTINCT,
                        constraint.at("distinctAttribute").text(),
                        requests)
                : new Claim.Constraint(Claim.Constraint.Kind.UNKNOWN, "", requests);
    }

    /** Reads what is allocated to a claim; empty if nothing is. */
    static Optional<ClaimAllocation> allocation(String name, YamlNode status) {
        YamlNode allocation = status.at("allocation");
        if (!allocation.isPresent()) {
            return Optional.empty();
        }
        List<ClaimAllocation.Grant> grants = new ArrayList<>();
        for (YamlNode result : allocation.at("devices").at("results").list()) {
            grants.add(result.build(() -> new ClaimAllocation.Grant(
                    result.at("request").textOr(""),
                    new DeviceId(
                            result.need("driver").text(),
                            result.need("pool").text(),
                            result.need("device").text()),
                    result.at("adminAccess").isTrue(),
                    result.at("shareID").isPresent(),
                    amounts(result.at("consumedCapacity")))));
        }
        return Optional.of(new ClaimAllocation(name, grants));
    }
}
