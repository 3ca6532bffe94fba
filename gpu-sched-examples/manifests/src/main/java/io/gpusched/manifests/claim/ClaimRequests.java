package io.gpusched.manifests.claim;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.gpusched.claim.AttributeValue;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.ClaimGang;
import io.gpusched.claim.DeviceClass;
import io.gpusched.claim.DeviceId;
import io.gpusched.claim.DeviceRequest;
import io.gpusched.claim.DeviceSelector;
import io.gpusched.claim.NodeScope;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Says what the claims of pods ask for as requests for whole GPUs or partitions, and which devices the GPUs are that a pod was placed
 * with. A request is served on nodes that have the GPUs of their slices, by the GPUs that its class and selectors accept, so that claims,
 * extended resources and annotations draw on the same ones. A claim that has its devices asks for nothing but a node that reaches them.
 *
 * <p>What cannot be said so is refused by name: all devices, admin access, amounts of capacities, and constraints between devices of
 * which a node has some that go together and some that do not. Not thread-safe.
 */
public final class ClaimRequests {
    private final ClaimObjects claims;
    private final Iterable<PublishedGpus> published;
    /** The most kinds of requests whose devices are remembered: tenants write requests, so their number has no bound of its own. */
    private static final int MOST_KINDS = 1_000;

    /** A tenth of a second. */
    private static final long MOST_COST_OF_A_ROUND = 500_000;

    private final Map<AcceptedDevices.Kind, AcceptedDevices> accepted = new HashMap<>();

    /** Those that were asked before other GPUs were published. */
    private final Set<AcceptedDevices.Kind> outdated = new HashSet<>();

    /**
     * Starts.
     *
     * @param claims claims, and classes that do not change: which devices a class accepts is kept in mind
     * @param published the GPUs of all nodes
     */
    public ClaimRequests(ClaimObjects claims, Iterable<PublishedGpus> published) {
        this.claims = claims;
        this.published = published;
    }

    /** Takes note that some of the GPUs of all nodes are others than before. */
    public void publishedChanged() {
        outdated.addAll(accepted.keySet());
    }

    /** By namespace what its selectors have cost since {@link #begin}; nothing where they may cost what they do. */
    private Optional<Map<String, Long>> spent = Optional.empty();

    private boolean isMoreToLookAt;

    /**
     * From now on the selectors of a namespace may cost no more than {@value #MOST_COST_OF_A_ROUND} before this is called again: tenants
     * write selectors, as many as they like. Claims whose devices are not known by then wait.
     */
    public void begin() {
        spent = Optional.of(new HashMap<>());
        isMoreToLookAt = false;
    }

    /** Returns whether claims wait for the next {@link #begin}. */
    public boolean isMoreToLookAt() {
        return isMoreToLookAt;
    }

    /** Something stands against a claim. */
    private static final class Obstacle extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final boolean isFinal;

        Obstacle(boolean isFinal, String why) {
            super(why, null, false, false);
            this.isFinal = isFinal;
        }
    }

    /** Returns what the claims ask for that a pod names. */
    public ClaimedGpus of(Pod pod) {
        return of(pod, Optional.empty());
    }

    /** As {@link #of(Pod)}, and what the claim asks for that stands for extended resources of the pod. */
    public ClaimedGpus of(Pod pod, Optional<ExtendedClaim> extended) {
        List<ClaimedGpus.Part> parts = new ArrayList<>();
        List<SeenClaim> open = new ArrayList<>();
        List<SeenClaim> held = new ArrayList<>();
        NodeSelector nodes = NodeSelector.ANY;
        try {
            Map<String, SeenClaim> all = new LinkedHashMap<>();
            for (PodResourceClaim named : pod.getSpec().getResourceClaims()) {
                all.put(named.getName(), claims.find(pod, named).orElseThrow(() -> missing(named)));
            }
            extended.ifPresent(one -> all.put("extended resources", one.claim()));
            for (Map.Entry<String, SeenClaim> one : all.entrySet()) {
                SeenClaim claim = one.getValue();
                check(claim);
                if (claim.allocation().isPresent()) {
                    held.add(claim);
                    nodes = nodes.and(nodes(claim.reach()));
                } else {
                    open.add(claim);
                    for (Claim.Request request : claim.claim().requests()) {
                        List<AcceptedDevices> devices = devices(claim.claim(), request);
                        parts.add(part(one.getKey(), claim.claim(), request, devices));
                        nodes = nodes.and(names(devices));
                    }
                    checkConstraints(claim.claim());
                }
            }
        } catch (Obstacle e) {
            String why = String.valueOf(e.getMessage());
            return e.isFinal ? new ClaimedGpus.Refused(why) : new ClaimedGpus.Waiting(why);
        }
        return new ClaimedGpus.Asked(parts, nodes, open, held, List.of(), extended);
    }

    /** Returns why claims are not served, whatever room there is; nothing if they may be. */
    public static Optional<String> problem(ClaimedGpus claimed) {
        if (claimed instanceof ClaimedGpus.Waiting waiting) {
            return Optional.of(waiting.why());
        }
        return claimed instanceof ClaimedGpus.Refused refused ? Optional.of(refused.why()) : Optional.empty();
    }

    private static Obstacle missing(PodResourceClaim named) {
        return new Obstacle(
                false,
                named.getResourceClaimName() != null
                        ? "there is no resource claim \"" + named.getResourceClaimName() + "\""
                        : "the resource claim \"" + named.getName() + "\" is not made yet from template \""
                                + named.getResourceClaimTemplateName() + "\"");
    }

    private static void check(SeenClaim claim) {
        String name = "resource claim " + claim.claim().name() + " ";
        if (claim.isEnding()) {
            throw new Obstacle(false, name + "is being deleted");
        }
        if (claim.reservedFor().size() >= ClaimGang.MOST_PODS) {
            throw new Obstacle(
                    false, name + "is in use by " + claim.reservedFor().size() + " pods, the most there may be");
        }
        if (claim.ofGroup()) {
            throw new Obstacle(true, name + "is reserved for a pod group, which is not honoured");
        }
    }

    private static NodeSelector nodes(NodeScope reach) {
        if (reach instanceof NodeScope.Selected selected) {
            return selected.selector();
        }
        return reach instanceof NodeScope.AllNodes ? NodeSelector.ANY : NodeSelector.all(NodeRequirement.name(""));
    }

    private static NodeSelector names(List<AcceptedDevices> devices) {
        if (devices.size() == 1) {
            return devices.get(0).selector();
        }
        Set<String> names = new TreeSet<>();
        devices.forEach(one -> names.addAll(one.nodes()));
        return NodeSelector.all(NodeRequirement.name(names.toArray(String[]::new)));
    }

    /** What each alternative of a request accepts; none where no device does. */
    private List<AcceptedDevices> devices(Claim claim, Claim.Request request) {
        List<AcceptedDevices> all = new ArrayList<>();
        String leftOut = "";
        for (DeviceRequest one : request.alternatives()) {
            String what = "request " + claim.name() + "/" + request.name() + " ";
            checkForm(what, one);
            AcceptedDevices devices =
                    devices(what, one, claim.name().substring(0, claim.name().indexOf('/') + 1));
            if (!devices.areAlike()) {
                throw new Obstacle(
                        true, what + "accepts whole GPUs and partitions, or partitions of several profiles alike");
            }
            leftOut = leftOut.isEmpty() ? devices.leftOut() : leftOut;
            all.add(devices);
        }
        if (all.stream().allMatch(devices -> devices.nodes().isEmpty())) {
            throw new Obstacle(
                    !leftOut.isEmpty(),
                    "request " + claim.name() + "/" + request.name()
                            + (leftOut.isEmpty()
                                    ? ": its class and selectors accept no GPU of a node that has those of its slices"
                                    : ": " + leftOut));
        }
        return all;
    }

    private static void checkForm(String what, DeviceRequest one) {
        String unknown = one.mode() != DeviceRequest.Mode.EXACT_COUNT
                ? "asks for all devices"
                : one.adminAccess()
                        ? "asks for admin access"
                        : !one.capacity().isEmpty()
                                ? "asks for amounts of capacities"
                                : one.count() < 1 || one.count() > Node.MAX_GPUS ? "asks for " + one.count() : "";
        if (!unknown.isEmpty()) {
            throw new Obstacle(true, what + unknown + ", which is not honoured");
        }
    }

    /** Returns all that a request accepts, whatever it costs. */
    private AcceptedDevices devices(DeviceRequest one) {
        return devices("", one, "");
    }

    private AcceptedDevices devices(String what, DeviceRequest one, String namespace) {
        DeviceClass ofClass = claims.deviceClass(one.className())
                .orElseThrow(() -> new Obstacle(
                        false, what + "is of device class \"" + one.className() + "\", which is not there"));
        for (List<DeviceSelector> selectors : List.of(ofClass.selectors(), one.selectors())) {
            for (DeviceSelector selector : selectors) {
                if (selector.kind() != DeviceSelector.Kind.USABLE) {
                    throw new Obstacle(true, what + "has a selector that cannot be read: " + selector);
                }
            }
        }
        AcceptedDevices.Kind kind = AcceptedDevices.Kind.of(one);
        AcceptedDevices known = accepted.get(kind);
        if (known != null && !outdated.remove(kind)) {
            return known;
        }
        if (known == null && accepted.size() >= MOST_KINDS) {
            accepted.clear();
            outdated.clear();
        }
        long before = claims.spent();
        Map<String, Long> ofNamespaces =
                spent.filter(any -> !namespace.isEmpty()).orElse(null);
        long had = ofNamespaces == null ? 0 : ofNamespaces.getOrDefault(namespace, 0L);
        AcceptedDevices now = (known == null ? AcceptedDevices.of(kind, ofClass) : known)
                .of(published, () -> ofNamespaces != null && had + claims.spent() - before > MOST_COST_OF_A_ROUND);
        accepted.put(kind, now);
        if (ofNamespaces != null) {
            ofNamespaces.merge(namespace, claims.spent() - before, Long::sum);
        }
        if (now.isPart()) {
            outdated.add(kind);
            isMoreToLookAt = true;
            throw new Obstacle(
                    false,
                    what + "waits: the selectors of its namespace take long, and not all devices are looked at yet");
        }
        return now;
    }

    private static ClaimedGpus.Part part(
            String name, Claim claim, Claim.Request request, List<AcceptedDevices> devices) {
        boolean areNodesEqual =
                devices.stream().map(AcceptedDevices::nodes).distinct().count() == 1;
        List<GpuRequest> forms = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            if (!devices.get(i).nodes().isEmpty()) {
                int count = (int) request.alternatives().get(i).count();
                GpuRequest form = devices.get(i).request(count, !areNodesEqual);
                if (!forms.contains(form)) {
                    forms.add(form);
                }
            }
        }
        GpuRequest asked = forms.size() == 1 ? forms.get(0) : new GpuRequest.FirstOf(forms);
        return new ClaimedGpus.Part(
                claim.name(), request, Container.of(name + "/" + request.name(), Resources.NONE, asked));
    }

    /** A constraint is met by any choice where on each node all devices have one value, or all have different ones. */
    private void checkConstraints(Claim claim) {
        for (Claim.Constraint constraint : claim.constraints()) {
            Map<String, Map<DeviceId, Optional<AttributeValue>>> byNode = new HashMap<>();
            for (Claim.Request request : claim.requests()) {
                for (DeviceRequest one : request.alternatives()) {
                    if (isAbout(constraint, request, one)) {
                        AcceptedDevices devices = devices(one);
                        devices.nodes()
                                .forEach(node -> devices.on(node)
                                        .forEach(each -> byNode.computeIfAbsent(node, any -> new HashMap<>())
                                                .put(each.id(), value(each, constraint.attribute()))));
                    }
                }
            }
            if (!byNode.values().stream().allMatch(values -> isMetByAny(constraint, values))) {
                throw new Obstacle(
                        true,
                        "resource claim " + claim.name() + " has a constraint on " + constraint.attribute()
                                + " that not all devices of a node meet together, which is not honoured");
            }
        }
    }

    private static boolean isAbout(Claim.Constraint constraint, Claim.Request request, DeviceRequest one) {
        return constraint.requests().isEmpty()
                || constraint.requests().contains(request.name())
                || constraint.requests().contains(request.name() + "/" + one.name());
    }

    private static Optional<AttributeValue> value(AcceptedDevices.One one, String attribute) {
        Map<String, AttributeValue> all = one.published().device().attributes();
        String own = one.published().slice().driver() + "/";
        AttributeValue value = all.get(attribute);
        return Optional.ofNullable(
                value == null && attribute.startsWith(own) ? all.get(attribute.substring(own.length())) : value);
    }

    private static boolean isMetByAny(Claim.Constraint constraint, Map<DeviceId, Optional<AttributeValue>> values) {
        Set<Optional<AttributeValue>> different = new HashSet<>(values.values());
        boolean areReadable = different.stream()
                .allMatch(value -> value.isPresent()
                        && value.get().type() != AttributeValue.Type.VERSION
                        && !value.get().isList());
        return areReadable
                && switch (constraint.kind()) {
                    case MATCH -> different.size() == 1;
                    case DISTINCT -> different.size() == values.size();
                    case UNKNOWN -> false;
                };
    }

    /**
     * Returns the devices that a pod was given for its open claims.
     *
     * @throws IllegalStateException if a GPU of the placement is none that was asked for
     */
    public ClaimedGpus.Chosen chosen(ClaimedGpus.Asked asked, Placement placement) {
        Map<String, List<ClaimAllocation.Grant>> byClaim = new HashMap<>();
        for (ClaimedGpus.Part part : asked.requests()) {
            GpuGrant grant = placement.containers().stream()
                    .filter(one -> one.container().equals(part.container().name()))
                    .map(ContainerGrant::gpus)
                    .findFirst()
                    .orElseThrow();
            byClaim.computeIfAbsent(part.claim(), any -> new ArrayList<>())
                    .addAll(grants(part, placement.node(), grant));
        }
        return new ClaimedGpus.Chosen(asked.open().stream()
                .map(claim -> new ClaimAllocation(
                        claim.claim().name(), byClaim.getOrDefault(claim.claim().name(), List.of())))
                .toList());
    }

    /** Of alternatives that accept all the devices the first is taken. */
    private List<ClaimAllocation.Grant> grants(ClaimedGpus.Part part, String node, GpuGrant grant) {
        for (int i = 0; i < part.request().alternatives().size(); i++) {
            DeviceRequest one = part.request().alternatives().get(i);
            List<DeviceId> devices = new ArrayList<>();
            for (AcceptedDevices.One each : devices(one).on(node)) {
                if (isIn(each.gpu(), node, grant)) {
                    devices.add(each.id());
                }
            }
            if (devices.size() == one.count() && devices.size() == size(grant)) {
                String name = part.nameOf(i);
                return devices.stream()
                        .map(device -> new ClaimAllocation.Grant(name, device, false, false, Map.of()))
                        .toList();
            }
        }
        throw new IllegalStateException(
                "the devices of " + grant + " on node \"" + node + "\" are not those of request " + part.claim() + "/"
                        + part.request().name());
    }

    private static int size(GpuGrant grant) {
        return grant instanceof GpuGrant.Partitions cut
                ? cut.partitions().size()
                : grant.indexes().size();
    }

    private static boolean isIn(NodeGpu gpu, String node, GpuGrant grant) {
        return grant instanceof GpuGrant.Partitions cut
                ? cut.partitions().stream()
                        .anyMatch(part -> Manifests.unnamed(node, part.gpu()).equals(gpu.uuid())
                                && gpu.profile().filter(part.profile()::equals).isPresent()
                                && gpu.start() == part.start())
                : gpu.profile().isEmpty()
                        && grant.indexes().stream()
                                .anyMatch(
                                        index -> Manifests.unnamed(node, index).equals(gpu.uuid()));
    }
}
