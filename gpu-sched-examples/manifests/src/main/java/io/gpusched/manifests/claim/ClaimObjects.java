package io.gpusched.manifests.claim;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import io.gpusched.cel.CelSelectors;
import io.gpusched.claim.Claim;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The objects of dynamic resource allocation in a cluster: slices with the taints that rules put on their devices, classes, claims and
 * templates. Of a pool only the slices of the highest generation are kept.
 *
 * <p>Immutable and thread-safe.
 */
public final class ClaimObjects {
    private static final String GROUP = "resource.k8s.io/";

    private final List<ResourceSlice> slices = new ArrayList<>();
    private final Map<String, DeviceClass> classes = new LinkedHashMap<>();
    private final List<ExtendedResources.OfferedClass> offered = new ArrayList<>();
    private final ExtendedResources extended;
    private final Map<String, SeenClaim> claims = new LinkedHashMap<>();
    private final Map<String, Claim> templates = new HashMap<>();

    private ClaimObjects(List<YamlNode> objects) {
        List<YamlNode> ours = objects.stream()
                .filter(object -> object.at("apiVersion").textOr("").startsWith(GROUP))
                .toList();
        if (!ours.isEmpty()) { // the first selector takes half a second
            read(ours, new ClaimReader(CelSelectors.create(), taintRules(ours)));
        }
        keepNewest();
        this.extended = ExtendedResources.of(offered);
    }

    private static List<TaintRule> taintRules(List<YamlNode> objects) {
        return objects.stream()
                .filter(object -> object.need("kind").text().equals("DeviceTaintRule"))
                .flatMap(object -> TaintRule.of(object).stream())
                .toList();
    }

    private void read(List<YamlNode> objects, ClaimReader reader) {
        for (YamlNode object : objects) {
            switch (object.need("kind").text()) {
                case "ResourceSlice" -> slices.add(reader.slice(object));
                case "DeviceClass" -> {
                    DeviceClass read = reader.deviceClass(object);
                    classes.put(read.name(), read);
                    offered.add(
                            new ExtendedResources.OfferedClass(read.name(), read.extendedResource(), created(object)));
                }
                case "ResourceClaim" -> claims.put(key(object), claim(object, reader));
                case "ResourceClaimTemplate" ->
                    templates.put(
                            key(object),
                            reader.claim(key(object), object.at("spec").at("spec")));
                default -> {
                    // says neither what is there nor what is asked for
                }
            }
        }
    }

    /** Returns what is among some objects. */
    public static ClaimObjects of(List<YamlNode> objects) {
        return new ClaimObjects(objects);
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
                        .anyMatch(user -> user.at("resource").textOr("pods").equals("podgroups")));
    }

    private void keepNewest() {
        Map<List<String>, Long> newest = new HashMap<>();
        slices.forEach(slice -> newest.merge(pool(slice), slice.generation(), Math::max));
        slices.removeIf(slice -> slice.generation() < Objects.requireNonNull(newest.get(pool(slice))));
    }

    private static List<String> pool(ResourceSlice slice) {
        return List.of(slice.driver(), slice.pool());
    }

    /** Returns the slices. */
    public List<ResourceSlice> slices() {
        return List.copyOf(slices);
    }

    /** Returns the device classes. */
    public List<DeviceClass> classes() {
        return List.copyOf(classes.values());
    }

    /** Returns which extended resources classes offer. */
    public ExtendedResources extended() {
        return extended;
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
        return Map.copyOf(claims);
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
        String namespace = pod.getMetadata().getNamespace() + "/";
        Optional<SeenClaim> known = nameOf(pod, claim).map(name -> claims.get(namespace + name));
        if (known.isPresent() || claim.getResourceClaimTemplateName() == null) {
            return known;
        }
        String name = namespace + pod.getMetadata().getName() + "-" + claim.getName();
        return Optional.ofNullable(templates.get(namespace + claim.getResourceClaimTemplateName()))
                .map(template -> new Claim(name, template.requests(), template.constraints()))
                .map(made -> new SeenClaim(made, Optional.empty(), new NodeScope.AllNodes(), List.of(), false));
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

    /** Returns the claim that stands for the extended resources of a pod, where one was made. */
    public Optional<SeenClaim> extendedOf(Pod pod) {
        return Optional.ofNullable(pod.getStatus())
                .flatMap(status -> Optional.ofNullable(status.getExtendedResourceClaimStatus()))
                .flatMap(status -> Optional.ofNullable(
                        claims.get(pod.getMetadata().getNamespace() + "/" + status.getResourceClaimName())));
    }

    /** Returns the devices that claims have. */
    public DevicesInUse inUse() {
        return DevicesInUse.NONE.with(claims.values().stream()
                .flatMap(claim -> claim.allocation().stream())
                .toList());
    }
}
