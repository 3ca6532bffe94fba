package io.gpusched.manifests.claim;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import io.gpusched.cel.CelSelectors;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceClass;
import io.gpusched.claim.DeviceSelector;
import io.gpusched.claim.DevicesInUse;
import io.gpusched.claim.NodeScope;
import io.gpusched.claim.ResourceSlice;
import io.gpusched.dialect.dra.ExtendedResources;
import io.gpusched.manifests.yaml.YamlNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The objects of dynamic resource allocation in a cluster: slices with the taints that rules put on their devices, classes, claims and
 * templates. Of a pool only the slices of the highest generation count. Not thread-safe.
 */
public final class ClaimObjects {
    /**
     * The most that a selector may cost for a device: of 4,000 devices less than two seconds. Tenants write selectors, and with what Kubernetes
     * lets each cost one claim would take a quarter of an hour of them.
     */
    static final long MOST_COST = 2_000;

    private static final String GROUP = "resource.k8s.io/";

    private final Map<String, YamlNode> sliceObjects = new LinkedHashMap<>();
    private final Map<String, YamlNode> ruleObjects = new LinkedHashMap<>();
    private final Map<String, DeviceClass> classes = new LinkedHashMap<>();
    private final Map<String, ExtendedResources.OfferedClass> offered = new LinkedHashMap<>();
    private final Map<String, List<Object>> configs = new HashMap<>();
    private final Map<String, SeenClaim> claims = new LinkedHashMap<>();
    private final Map<String, Claim> templates = new HashMap<>();

    /** By identity of a pod the name of the claim that stands for its extended resources. */
    private final Map<String, String> extendedFor = new HashMap<>();

    /** Whether selectors of claims are read only when they are asked: most of them never are. */
    private final boolean isLater;

    private @Nullable CelSelectors cel;

    /** The slices that were read already, by name. */
    private final Map<String, ResourceSlice> readSlices = new HashMap<>();

    /** The slices of the newest generations; nothing once an object has changed that they depend on. */
    private Optional<List<ResourceSlice>> slices = Optional.empty();

    /** How many of them each pool has. */
    private final Map<List<String>, Long> poolSizes = new HashMap<>();

    private Optional<ExtendedResources> extended = Optional.empty();

    private ClaimObjects(boolean isLater) {
        this.isLater = isLater;
    }

    /** Returns none yet: they come and go, and what cannot be read of a claim's selectors is told by its requests. */
    public static ClaimObjects watched() {
        return new ClaimObjects(true);
    }

    /** Returns what is among some objects; those of other API groups are passed over. */
    public static ClaimObjects of(List<YamlNode> objects) {
        ClaimObjects all = new ClaimObjects(false);
        objects.forEach(all::put);
        all.slices(); // what cannot be read is told now
        return all;
    }

    /** Returns these objects as they are now, with more of them. */
    public ClaimObjects with(List<YamlNode> more) {
        ClaimObjects all = new ClaimObjects(isLater);
        all.sliceObjects.putAll(sliceObjects);
        all.ruleObjects.putAll(ruleObjects);
        all.classes.putAll(classes);
        all.offered.putAll(offered);
        all.configs.putAll(configs);
        all.claims.putAll(claims);
        all.templates.putAll(templates);
        all.extendedFor.putAll(extendedFor);
        all.cel = cel;
        more.forEach(all::put);
        return all;
    }

    /** Takes note of an object, new or changed; of a kind that says neither what is there nor what is asked for nothing is noted. */
    public void put(YamlNode object) {
        if (!object.at("apiVersion").textOr("").startsWith(GROUP)) {
            return;
        }
        switch (object.need("kind").text()) {
            case "ResourceSlice" -> {
                sliceObjects.put(name(object), object);
                readSlices.remove(name(object));
                slices = Optional.empty();
            }
            case "DeviceTaintRule" -> {
                ruleObjects.put(name(object), object);
                readSlices.clear();
                slices = Optional.empty();
            }
            case "DeviceClass" -> {
                DeviceClass read = reader(List.of()).deviceClass(object);
                classes.put(read.name(), read);
                offered.put(
                        read.name(),
                        new ExtendedResources.OfferedClass(read.name(), read.extendedResource(), created(object)));
                extended = Optional.empty();
                configs.put(
                        read.name(),
                        object.at("spec").at("config").list().stream()
                                .map(YamlNode::plain)
                                .toList());
            }
            case "ResourceClaim" -> put(claim(object, reader(List.of())));
            case "ResourceClaimTemplate" ->
                templates.put(
                        key(object),
                        reader(List.of()).claim(key(object), object.at("spec").at("spec")));
            default -> {
                // says neither what is there nor what is asked for
            }
        }
    }

    /** Takes note that an object is gone. */
    public void remove(YamlNode object) {
        String name = name(object);
        switch (object.need("kind").text()) {
            case "ResourceSlice" -> {
                sliceObjects.remove(name);
                readSlices.remove(name);
                slices = Optional.empty();
            }
            case "DeviceTaintRule" -> {
                ruleObjects.remove(name);
                readSlices.clear();
                slices = Optional.empty();
            }
            case "DeviceClass" -> {
                classes.remove(name);
                offered.remove(name);
                configs.remove(name);
                extended = Optional.empty();
            }
            case "ResourceClaim" -> removeClaim(key(object));
            case "ResourceClaimTemplate" -> templates.remove(key(object));
            default -> {
                // was not noted
            }
        }
    }

    private void put(SeenClaim claim) {
        claims.put(claim.claim().name(), claim);
        if (!claim.extendedFor().isEmpty()) {
            extendedFor.put(claim.extendedFor(), claim.claim().name());
        }
    }

    private void removeClaim(String name) {
        SeenClaim claim = claims.remove(name);
        if (claim != null) {
            extendedFor.remove(claim.extendedFor(), name);
        }
    }

    /**
     * Takes it that a claim, which may be still to be made, has these devices until it is put again.
     *
     * @param reach from where they can be used
     */
    public void assume(SeenClaim claim, ClaimAllocation devices, NodeScope reach) {
        put(claim.with(Optional.of(devices), reach));
    }

    /** Takes it that a claim has no devices until it is put again, and that one that was to be made is not there. */
    public void unassume(String name) {
        SeenClaim claim = claims.get(name);
        if (claim != null && claim.uid().isEmpty()) {
            removeClaim(name);
        } else if (claim != null) {
            put(claim.with(Optional.empty(), new NodeScope.AllNodes()));
        }
    }

    /** The first selector takes half a second. */
    private ClaimReader reader(List<TaintRule> rules) {
        CelSelectors known = cel == null ? CelSelectors.create(MOST_COST) : cel;
        cel = known;
        return new ClaimReader(known, rules, isLater);
    }

    /** Returns what all selectors have cost so far, in Kubernetes' units. */
    long spent() {
        return cel == null ? 0 : cel.spent();
    }

    private static String name(YamlNode object) {
        return object.need("metadata").need("name").text();
    }

    private static String key(YamlNode object) {
        YamlNode metadata = object.need("metadata");
        return metadata.at("namespace").textOr("default") + "/"
                + metadata.need("name").text();
    }

    private static long created(YamlNode object) {
        String time = object.need("metadata").at("creationTimestamp").textOr("");
        try {
            return time.isEmpty() ? 0 : Instant.parse(time).getEpochSecond();
        } catch (DateTimeParseException e) {
            return 0;
        }
    }

    private static SeenClaim claim(YamlNode object, ClaimReader reader) {
        String name = key(object);
        YamlNode status = object.at("status");
        List<YamlNode> users = status.at("reservedFor").list();
        return new SeenClaim(
                reader.claim(name, object.at("spec")),
                ClaimReader.allocation(name, status),
                status.at("allocation")
                        .at("nodeSelector")
                        .optional()
                        .map(ClaimReader::selected)
                        .orElse(new NodeScope.AllNodes()),
                users.stream()
                        .filter(user -> user.at("resource").textOr("pods").equals("pods"))
                        .map(user -> user.need("name").text())
                        .toList(),
                users.stream()
                        .anyMatch(user -> user.at("resource").textOr("pods").equals("podgroups")),
                object.at("metadata").at("uid").textOr(""),
                extendedFor(object.at("metadata")),
                object.at("metadata").at("deletionTimestamp").isPresent());
    }

    private static String extendedFor(YamlNode metadata) {
        return metadata.at("annotations")
                        .at(ExtendedClaim.ANNOTATION)
                        .textOr("")
                        .equals("true")
                ? metadata.at("ownerReferences").list().stream()
                        .filter(owner -> owner.at("kind").textOr("").equals("Pod"))
                        .map(owner -> owner.at("uid").textOr(""))
                        .findFirst()
                        .orElse("")
                : "";
    }

    private static List<String> pool(ResourceSlice slice) {
        return List.of(slice.driver(), slice.pool());
    }

    /** Returns the slices. */
    public List<ResourceSlice> slices() {
        List<ResourceSlice> known = slices.orElseGet(this::readSlices);
        slices = Optional.of(known);
        return known;
    }

    private List<ResourceSlice> readSlices() {
        if (sliceObjects.isEmpty()) {
            return List.of();
        }
        ClaimReader reader = reader(ruleObjects.values().stream()
                .flatMap(object -> TaintRule.of(object).stream())
                .toList());
        List<ResourceSlice> read = new ArrayList<>();
        sliceObjects.forEach((name, object) -> read.add(readSlices.computeIfAbsent(name, any -> reader.slice(object))));
        Map<List<String>, Long> newest = new HashMap<>();
        read.forEach(slice -> newest.merge(pool(slice), slice.generation(), Math::max));
        read.removeIf(slice -> slice.generation() < Objects.requireNonNull(newest.get(pool(slice))));
        poolSizes.clear();
        read.forEach(slice -> poolSizes.merge(pool(slice), 1L, Long::sum));
        return List.copyOf(read);
    }

    /** Returns whether all slices of the pool of a slice are there. */
    public boolean isComplete(ResourceSlice slice) {
        slices();
        return slice.poolSliceCount() == poolSizes.getOrDefault(pool(slice), 0L);
    }

    /** Returns the device classes. */
    public List<DeviceClass> classes() {
        return List.copyOf(classes.values());
    }

    /** Returns which extended resources classes offer. */
    public ExtendedResources extended() {
        ExtendedResources known = extended.orElseGet(() -> ExtendedResources.of(List.copyOf(offered.values())));
        extended = Optional.of(known);
        return known;
    }

    /** Returns a device class. */
    Optional<DeviceClass> deviceClass(String name) {
        return Optional.ofNullable(classes.get(name));
    }

    /** Returns what a device class tells drivers, as it stands there. */
    public List<Object> config(String className) {
        return configs.getOrDefault(className, List.of());
    }

    /** Returns a claim by namespace and name. */
    public Optional<SeenClaim> claim(String name) {
        return Optional.ofNullable(claims.get(name));
    }

    /** Returns whether a device is one of a class; one of which a selector cannot tell is none. */
    public boolean isOf(String className, ResourceSlice slice, Device device) {
        DeviceClass one = classes.get(className);
        if (one == null) {
            return false;
        }
        for (DeviceSelector selector : one.selectors()) {
            try {
                if (!selector.predicate().accepts(slice, device)) {
                    return false;
                }
            } catch (DeviceSelector.SelectorException e) {
                return false;
            }
        }
        return true;
    }

    /** Returns all claims, by namespace and name. */
    public Map<String, SeenClaim> claims() {
        return Collections.unmodifiableMap(claims);
    }

    /**
     * Returns the claims of a pod, in its order: those that are there, and those that would be made for it from templates. One that is
     * neither is left out.
     */
    public List<SeenClaim> of(Pod pod) {
        List<SeenClaim> all = new ArrayList<>();
        for (PodResourceClaim claim : pod.getSpec().getResourceClaims()) {
            find(pod, claim).ifPresent(all::add);
        }
        return all;
    }

    /** Returns one claim that a pod names. */
    public Optional<SeenClaim> find(Pod pod, PodResourceClaim claim) {
        String namespace = Objects.requireNonNullElse(pod.getMetadata().getNamespace(), "default") + "/";
        Optional<SeenClaim> known = nameOf(pod, claim).map(name -> claims.get(namespace + name));
        if (known.isPresent() || claim.getResourceClaimTemplateName() == null) {
            return known;
        }
        String name = namespace + pod.getMetadata().getName() + "-" + claim.getName();
        return Optional.ofNullable(templates.get(namespace + claim.getResourceClaimTemplateName()))
                .map(template -> new Claim(name, template.requests(), template.constraints()))
                .map(made -> new SeenClaim(
                        made, Optional.empty(), new NodeScope.AllNodes(), List.of(), false, "", "", false));
    }

    private static Optional<String> nameOf(Pod pod, PodResourceClaim claim) {
        if (claim.getResourceClaimName() != null) {
            return Optional.of(claim.getResourceClaimName());
        }
        List<PodResourceClaimStatus> statuses =
                pod.getStatus() == null ? List.of() : pod.getStatus().getResourceClaimStatuses();
        return statuses.stream()
                .filter(status -> claim.getName().equals(status.getName()))
                .map(PodResourceClaimStatus::getResourceClaimName)
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** Returns the claim that stands for the extended resources of a pod, where one was made: its status names it, or it names the pod. */
    public Optional<SeenClaim> extendedOf(Pod pod) {
        return Optional.ofNullable(pod.getStatus())
                .flatMap(status -> Optional.ofNullable(status.getExtendedResourceClaimStatus()))
                .map(status -> pod.getMetadata().getNamespace() + "/" + status.getResourceClaimName())
                .or(() -> Optional.ofNullable(pod.getMetadata().getUid())
                        .flatMap(uid -> Optional.ofNullable(extendedFor.get(uid))))
                .flatMap(this::claim);
    }

    /** Returns the devices that claims have. */
    public DevicesInUse inUse() {
        return DevicesInUse.NONE.with(claims.values().stream()
                .flatMap(claim -> claim.allocation().stream())
                .toList());
    }
}
