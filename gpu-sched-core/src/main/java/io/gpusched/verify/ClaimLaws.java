package io.gpusched.verify;

import io.gpusched.check.Checks;
import io.gpusched.claim.AttributeValue;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.ClaimFeature;
import io.gpusched.claim.ClaimGang;
import io.gpusched.claim.ClaimNode;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceClass;
import io.gpusched.claim.DeviceId;
import io.gpusched.claim.DeviceRequest;
import io.gpusched.claim.DeviceSelector;
import io.gpusched.claim.DeviceTaint;
import io.gpusched.claim.DevicesInUse;
import io.gpusched.claim.GangDecision;
import io.gpusched.claim.NodeScope;
import io.gpusched.claim.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What an allocation of claims must keep, from KEP-4381, 4815, 4816, 5055 and 5075. Counters and amounts are in {@link ClaimSums}. */
final class ClaimLaws {
    private static final int MOST_DEVICES = 32;

    private final List<ResourceSlice> slices;
    private final Map<String, DeviceClass> classes = new HashMap<>();
    private final DevicesInUse inUse;
    private final Set<ClaimFeature> features;
    private final List<Violation> broken = new ArrayList<>();
    private final ClaimSums sums;
    /** Devices that one claim holds alone, as given so far. */
    private final Set<DeviceId> alone = new HashSet<>();

    /** Each device that a claim holds whole, with the claim; devices with access for administrators too. */
    private final Set<List<Object>> ofClaim = new HashSet<>();

    /** A device where it was published. */
    record Place(ResourceSlice slice, Device device) {}

    ClaimLaws(
            Collection<ResourceSlice> slices,
            Collection<DeviceClass> classes,
            DevicesInUse inUse,
            Set<ClaimFeature> features) {
        this.slices = Checks.list("slices", slices);
        Checks.noNulls("classes", classes);
        Checks.noNulls("features", features);
        Objects.requireNonNull(inUse, "inUse");
        classes.forEach(one -> this.classes.put(one.name(), one));
        this.inUse = inUse;
        this.features = features;
        sums = new ClaimSums(this.slices, inUse, features, broken);
    }

    /** Returns what was found wrong. */
    List<Violation> broken() {
        sums.check();
        return broken;
    }

    void wrong(Law law, String subject, String words) {
        broken.add(Violation.of(law, subject, words));
    }

    private boolean has(ClaimFeature feature) {
        return features.contains(feature);
    }

    /** Judges where the pods of a gang run, and the devices of each claim, from the nodes of all its pods. */
    void gang(List<ClaimNode> nodes, ClaimGang gang, GangDecision.Allocated allocated) {
        Map<String, ClaimNode> byName = new HashMap<>();
        nodes.forEach(node -> byName.put(node.node().name(), node));
        for (ClaimGang.Pod pod : gang.pods()) {
            String name = allocated.nodes().getOrDefault(pod.name(), "");
            if (!byName.containsKey(name)
                    || pod.nodes().map(all -> !all.contains(name)).orElse(false)) {
                wrong(Law.CLAIM_POD, "pod \"" + pod.name() + "\"", "may not run on node \"" + name + "\"");
            }
        }
        Set<String> told = new HashSet<>();
        allocated.allocations().forEach(one -> told.add(one.claim()));
        for (ClaimGang.PodClaim one : gang.claims()) {
            String name = one.claim().name();
            String subject = "claim \"" + name + "\"";
            List<ClaimGang.Pod> users = gang.pods().stream()
                    .filter(pod -> pod.claims().contains(name))
                    .toList();
            List<ClaimNode> places = placesOf(name, byName, gang, allocated);
            if (users.size() > one.mostPods()) {
                broken.add(Violation.above(Law.CLAIM_POD, subject, "pods", users.size(), one.mostPods()));
            }
            places.stream()
                    .filter(node -> one.reach()
                            .map(reach -> !reach.reaches(node.node()))
                            .orElse(false))
                    .forEach(node -> wrong(
                            Law.CLAIM_DEVICE,
                            subject,
                            "is not reached from node " + node.node().name()));
            if (told.contains(name) != (one.reach().isEmpty() && !users.isEmpty())) {
                wrong(Law.CLAIM_REQUEST, subject, told.contains(name) ? "is allocated again" : "is not allocated");
            }
        }
        for (ClaimAllocation allocation : allocated.allocations()) {
            gang.claims().stream()
                    .filter(one -> one.claim().name().equals(allocation.claim()))
                    .forEach(one ->
                            claim(one.claim(), allocation, placesOf(allocation.claim(), byName, gang, allocated)));
        }
    }

    private static List<ClaimNode> placesOf(
            String claim, Map<String, ClaimNode> byName, ClaimGang gang, GangDecision.Allocated allocated) {
        return gang.pods().stream()
                .filter(pod -> pod.claims().contains(claim))
                .flatMap(pod ->
                        Optional.ofNullable(byName.get(allocated.nodes().getOrDefault(pod.name(), ""))).stream())
                .distinct()
                .toList();
    }

    /** Judges the devices of a claim, whose pods run on some nodes. */
    void claim(Claim claim, ClaimAllocation allocation, List<ClaimNode> nodes) {
        String subject = "claim \"" + claim.name() + "\"";
        Set<String> known = new HashSet<>();
        int count = 0;
        for (Claim.Request request : claim.requests()) {
            List<DeviceRequest> forms = request.alternatives();
            List<List<ClaimAllocation.Grant>> byForm = new ArrayList<>();
            for (DeviceRequest form : forms) {
                String name = request.isPrioritized() ? request.name() + "/" + form.name() : request.name();
                known.add(name);
                byForm.add(allocation.grants().stream()
                        .filter(grant -> grant.request().equals(name))
                        .toList());
            }
            count += byForm.stream().mapToInt(List::size).sum();
            long chosen = byForm.stream().filter(grants -> !grants.isEmpty()).count();
            boolean needsNone =
                    forms.stream().anyMatch(form -> form.mode() == DeviceRequest.Mode.EXACT_COUNT && form.count() == 0);
            if (chosen != 1 && !(chosen == 0 && needsNone)) {
                wrong(Law.CLAIM_REQUEST, subject, "request " + request.name() + " has " + chosen + " alternatives");
            }
            for (int f = 0; f < forms.size(); f++) {
                if (!byForm.get(f).isEmpty()) {
                    form(claim, forms.get(f), byForm.get(f), nodes);
                }
            }
        }
        allocation.grants().stream()
                .filter(grant -> !known.contains(grant.request()))
                .forEach(grant -> wrong(Law.CLAIM_REQUEST, subject, "there is no request " + grant.request()));
        if (count > MOST_DEVICES) {
            broken.add(Violation.above(Law.CLAIM_REQUEST, subject, "devices", count, MOST_DEVICES));
        }
        for (Claim.Constraint constraint : claim.constraints()) {
            nodes.stream().findFirst().ifPresent(node -> constraint(claim, constraint, allocation, node));
        }
    }

    private void form(Claim claim, DeviceRequest form, List<ClaimAllocation.Grant> grants, List<ClaimNode> nodes) {
        String subject = "claim \"" + claim.name() + "\", request " + form.name();
        Set<DeviceId> own = new HashSet<>();
        for (ClaimAllocation.Grant grant : grants) {
            if (!own.add(grant.device())) {
                wrong(Law.CLAIM_DEVICE, subject, grant.device() + " is given twice to one request");
            }
            Optional<Place> place = nodes.stream().findFirst().flatMap(node -> place(grant.device(), node));
            if (place.isEmpty()) {
                wrong(
                        Law.CLAIM_DEVICE,
                        subject,
                        "there is no device " + grant.device() + " in a pool that can be used");
                continue;
            }
            grant(subject, claim, form, grant, place.get(), nodes);
        }
        if (form.mode() == DeviceRequest.Mode.EXACT_COUNT && grants.size() != form.count()) {
            wrong(Law.CLAIM_REQUEST, subject, "asks for " + form.count() + " devices and has " + grants.size());
        }
        if (form.mode() == DeviceRequest.Mode.ALL && !nodes.isEmpty()) {
            ClaimNode node = nodes.get(0);
            for (ResourceSlice slice : slices) {
                for (Device device : slice.devices()) {
                    boolean isMissing = !own.contains(slice.idOf(device))
                            && place(slice.idOf(device), node)
                                    .map(place -> place.slice().equals(slice))
                                    .orElse(false)
                            && isReached(slice, device, node)
                            && accepts(form, slice, device)
                            && sums.fitsEmpty(form, slice, device);
                    if (isMissing) {
                        wrong(Law.CLAIM_REQUEST, subject, "asks for all devices and has not " + slice.idOf(device));
                    }
                }
            }
        }
    }

    private void grant(
            String subject,
            Claim claim,
            DeviceRequest form,
            ClaimAllocation.Grant grant,
            Place place,
            List<ClaimNode> nodes) {
        Device device = place.device();
        for (ClaimNode node : nodes) {
            if (!isReached(place.slice(), device, node)) {
                wrong(
                        Law.CLAIM_DEVICE,
                        subject,
                        grant.device() + " is not reached from node "
                                + node.node().name());
            }
            boolean mayOperate = !place.slice().skipsNodeOperations()
                    || has(ClaimFeature.OPTIONAL_NODE_OPERATIONS) && node.hasNodeOperations();
            if (!mayOperate) {
                wrong(Law.CLAIM_DEVICE, subject, grant.device() + " leaves out operations on the node");
            }
        }
        if (!accepts(form, place.slice(), device)) {
            wrong(Law.CLAIM_SELECTOR, subject, "its class or its selectors do not accept " + grant.device());
        }
        if (has(ClaimFeature.DEVICE_TAINTS)) {
            device.taints().stream()
                    .filter(taint -> taint.effect() != DeviceTaint.Effect.NONE)
                    .filter(taint -> form.tolerations().stream().noneMatch(one -> one.tolerates(taint)))
                    .forEach(taint -> wrong(Law.CLAIM_TAINT, subject, grant.device() + " has taint " + taint));
        }
        boolean isShareable = has(ClaimFeature.CONSUMABLE_CAPACITY) && device.isShareable();
        if (grant.isShare() != isShareable || grant.adminAccess() != form.adminAccess()) {
            wrong(Law.CLAIM_DEVICE, subject, grant.device() + " is given in another way than it is asked for");
        }
        boolean isTaken = !isShareable && !ofClaim.add(List.of(claim.name(), grant.device()));
        if (!form.adminAccess()) {
            isTaken |= inUse.exclusive().contains(grant.device())
                    || !isShareable && (inUse.uses(grant.device()) || !alone.add(grant.device()));
        }
        if (isTaken) {
            wrong(Law.CLAIM_DEVICE, subject, grant.device() + " is given twice");
        }
        sums.add(subject, form, grant, place, isShareable);
    }

    private boolean accepts(DeviceRequest form, ResourceSlice slice, Device device) {
        DeviceClass named = classes.get(form.className());
        if (named == null
                || !has(ClaimFeature.BINDING_CONDITIONS)
                        && !device.bindingConditions().isEmpty()) {
            return false;
        }
        List<DeviceSelector> selectors = new ArrayList<>(named.selectors());
        selectors.addAll(form.selectors());
        try {
            for (DeviceSelector selector : selectors) {
                if (selector.kind() != DeviceSelector.Kind.USABLE
                        || !selector.predicate().accepts(slice, device)) {
                    return false;
                }
            }
        } catch (DeviceSelector.SelectorException e) {
            return false;
        }
        return true;
    }

    private static boolean isReached(ResourceSlice slice, Device device, ClaimNode node) {
        NodeScope scope = slice.scope() instanceof NodeScope.PerDevice
                ? device.scope().orElse(new NodeScope.Nowhere())
                : slice.scope();
        return scope.reaches(node.node());
    }

    /**
     * Returns a device as a node sees it. Of a pool the newest generation that the node reaches counts; it is complete with these slices, or
     * with those that others reach if none of them is newer.
     */
    private Optional<Place> place(DeviceId id, ClaimNode node) {
        List<ResourceSlice> pool = slices.stream()
                .filter(slice ->
                        slice.driver().equals(id.driver()) && slice.pool().equals(id.pool()))
                .toList();
        List<ResourceSlice> here =
                newest(pool.stream().filter(slice -> isReached(slice, node)).toList());
        List<ResourceSlice> everywhere = newest(pool);
        boolean isComplete = !here.isEmpty()
                && (here.size() == here.get(0).poolSliceCount()
                        || everywhere.size() == here.get(0).poolSliceCount()
                                && everywhere.get(0).generation() == here.get(0).generation());
        return here.stream()
                .filter(slice -> isComplete)
                .flatMap(slice -> slice.devices().stream().map(device -> new Place(slice, device)))
                .filter(place -> place.device().name().equals(id.device()))
                .findFirst();
    }

    private static List<ResourceSlice> newest(List<ResourceSlice> some) {
        long generation =
                some.stream().mapToLong(ResourceSlice::generation).max().orElse(0);
        return some.stream().filter(slice -> slice.generation() == generation).toList();
    }

    private static boolean isReached(ResourceSlice slice, ClaimNode node) {
        return slice.scope() instanceof NodeScope.PerDevice
                ? slice.devices().stream().anyMatch(device -> isReached(slice, device, node))
                : slice.scope().reaches(node.node());
    }

    private void constraint(Claim claim, Claim.Constraint constraint, ClaimAllocation allocation, ClaimNode node) {
        String subject = "claim \"" + claim.name() + "\"";
        List<Set<String>> values = new ArrayList<>();
        for (ClaimAllocation.Grant grant : allocation.grants()) {
            String parent = grant.request().split("/", 2)[0];
            boolean isAbout = constraint.requests().isEmpty()
                    || constraint.requests().contains(parent)
                    || constraint.requests().contains(grant.request());
            Optional<Place> place = place(grant.device(), node);
            if (isAbout && place.isPresent()) {
                Optional<AttributeValue> value = value(constraint.attribute(), form(claim, grant), place.get());
                if (value.isEmpty()) {
                    wrong(Law.CLAIM_CONSTRAINT, subject, grant.device() + " has no " + constraint.attribute());
                }
                value.ifPresent(one -> values.add(keys(one)));
            }
        }
        boolean holds = constraint.kind() == Claim.Constraint.Kind.MATCH ? share(values) : areDisjoint(values);
        if (!holds) {
            wrong(Law.CLAIM_CONSTRAINT, subject, constraint.kind() + " of " + constraint.attribute() + ": " + values);
        }
    }

    private static boolean share(List<Set<String>> values) {
        Set<String> common = new HashSet<>(values.isEmpty() ? Set.of("") : values.get(0));
        values.forEach(common::retainAll);
        return !common.isEmpty();
    }

    private static boolean areDisjoint(List<Set<String>> values) {
        Set<String> seen = new HashSet<>();
        return values.stream().allMatch(one -> one.stream().allMatch(seen::add));
    }

    private static Optional<DeviceRequest> form(Claim claim, ClaimAllocation.Grant grant) {
        for (Claim.Request request : claim.requests()) {
            for (DeviceRequest form : request.alternatives()) {
                String name = request.isPrioritized() ? request.name() + "/" + form.name() : request.name();
                if (name.equals(grant.request())) {
                    return Optional.of(form);
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<AttributeValue> value(String attribute, Optional<DeviceRequest> form, Place place) {
        Optional<DeviceRequest.DerivedAttribute> derived =
                form.flatMap(one -> Optional.ofNullable(one.derivedAttributes().get(attribute)));
        if (derived.isPresent()) {
            try {
                return Optional.of(derived.get().of(place.slice(), place.device()));
            } catch (DeviceSelector.SelectorException e) {
                return Optional.empty();
            }
        }
        Map<String, AttributeValue> full = new TreeMap<>();
        place.device()
                .attributes()
                .forEach((name, value) -> full.putIfAbsent(
                        name.contains("/") ? name : place.slice().driver() + "/" + name, value));
        place.device().attributes().forEach((name, value) -> full.computeIfPresent(name, (key, had) -> value));
        return Optional.ofNullable(full.get(attribute))
                .or(() -> Optional.ofNullable(place.device().attributes().get(attribute)));
    }

    /** Build metadata of versions does not count. */
    private static Set<String> keys(AttributeValue value) {
        Set<String> keys = new HashSet<>();
        for (Object element : value.elements()) {
            String text = element.toString();
            keys.add(value.type() + " "
                    + (value.type() == AttributeValue.Type.VERSION ? text.split("\\+", 2)[0] : text));
        }
        return keys;
    }
}
