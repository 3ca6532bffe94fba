package io.gpusched.manifests.claim;

import io.gpusched.cel.CelSelectors;
import io.gpusched.claim.DeviceClass;
import io.gpusched.claim.DeviceId;
import io.gpusched.claim.DeviceRequest;
import io.gpusched.claim.DeviceSelector;
import io.gpusched.claim.DeviceTaint;
import io.gpusched.claim.DeviceToleration;
import io.gpusched.manifests.claim.PublishedGpu.Published;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The devices that a request accepts: those of its class and selectors on nodes that have the GPUs of their slices, without those whose
 * taints it does not tolerate. A device that is no GPU or partition of the snapshot is left out, and the first reason is kept.
 */
final class AcceptedDevices {
    /**
     * A device that is accepted.
     *
     * @param gpu the device in the snapshot
     * @param published the device as its driver describes it
     */
    record One(NodeGpu gpu, Published published) {
        DeviceId id() {
            return published.slice().idOf(published.device());
        }
    }

    /** Of what requests are that accept the same. */
    record Kind(String className, List<DeviceSelector> selectors, List<DeviceToleration> tolerations) {
        static Kind of(DeviceRequest request) {
            return new Kind(request.className(), request.selectors(), request.tolerations());
        }
    }

    /** What is accepted of some published GPUs. Which it is depends on nothing else. */
    private static final class Part {
        private final Map<String, List<One>> byNode = new TreeMap<>();
        private final Set<String> profiles = new TreeSet<>();

        /** Whether on some node not all GPUs are accepted. */
        private boolean isMixed;

        private String leftOut = "";
    }

    private final Kind kind;
    private final List<DeviceSelector> selectors;
    private final Map<PublishedGpus, Part> parts = new HashMap<>();
    private final Map<String, List<One>> byNode = new TreeMap<>();
    private final Set<String> profiles = new TreeSet<>();
    private boolean isMixed;
    private String leftOut = "";

    /** Whether some of what is published is still to be looked at. */
    private boolean isPart;

    private @Nullable NodeSelector selector;
    private final Map<Integer, GpuRequest> named = new HashMap<>();
    private final Map<Integer, GpuRequest> unnamed = new HashMap<>();

    private AcceptedDevices(Kind kind, List<DeviceSelector> selectors) {
        this.kind = kind;
        this.selectors = selectors;
    }

    static AcceptedDevices of(Kind kind, DeviceClass ofClass) {
        List<DeviceSelector> selectors = new ArrayList<>(ofClass.selectors());
        selectors.addAll(kind.selectors());
        return new AcceptedDevices(kind, selectors);
    }

    /**
     * Returns the same of what is published now; only what was not before is looked at.
     *
     * @param isOver asked before each look; once it is, the rest is left for another time
     */
    AcceptedDevices of(Iterable<PublishedGpus> now, BooleanSupplier isOver) {
        AcceptedDevices accepted = new AcceptedDevices(kind, selectors);
        for (PublishedGpus published : now) {
            Part known = parts.get(published);
            if (known != null) {
                accepted.add(published, known);
            } else if (accepted.isPart || isOver.getAsBoolean()) {
                accepted.isPart = true;
            } else {
                accepted.add(published, accepted.part(published));
            }
        }
        return accepted;
    }

    /** Whether some of what is published is still to be looked at. */
    boolean isPart() {
        return isPart;
    }

    private void add(PublishedGpus published, Part part) {
        parts.put(published, part);
        byNode.putAll(part.byNode);
        profiles.addAll(part.profiles);
        isMixed |= part.isMixed;
        leftOut = leftOut.isEmpty() ? part.leftOut : leftOut;
    }

    private Part part(PublishedGpus published) {
        Part part = new Part();
        published.exact().forEach((node, gpus) -> {
            List<One> ones = new ArrayList<>();
            gpus.forEach(gpu -> add(published, gpu, part, ones));
            if (!ones.isEmpty()) {
                part.byNode.put(node, ones);
                part.isMixed |= ones.size() != published.wholes(node).size();
            }
        });
        return part;
    }

    private void add(PublishedGpus published, PublishedGpu gpu, Part part, List<One> to) {
        for (Published one : gpu.devices()) {
            if (selectors.stream().allMatch(selector -> accepts(selector, one, part)) && isTolerated(kind, one)) {
                DeviceId id = one.slice().idOf(one.device());
                Optional<NodeGpu> inSnapshot = published.on(gpu.node(), id).filter(found -> !found.isCounted());
                String obstacle = obstacle(published, gpu, one, inSnapshot);
                if (obstacle.isEmpty()) {
                    to.add(new One(inSnapshot.orElseThrow(), one));
                    part.profiles.add(inSnapshot.get().profile().orElse(""));
                } else if (part.leftOut.isEmpty()) {
                    part.leftOut = "device " + id + " " + obstacle;
                }
            }
        }
    }

    private static boolean accepts(DeviceSelector selector, Published one, Part part) {
        try {
            return selector.predicate().accepts(one.slice(), one.device());
        } catch (DeviceSelector.SelectorException e) {
            String why = String.valueOf(e.getMessage());
            if (CelSelectors.TOO_COSTLY.equals(why) && part.leftOut.isEmpty()) {
                part.leftOut =
                        "it costs more than " + ClaimObjects.MOST_COST + " to tell whether a selector accepts device "
                                + one.slice().idOf(one.device()) + ", which is not honoured";
            } else if (why.startsWith(CelSelectors.UNREADABLE) && part.leftOut.isEmpty()) {
                part.leftOut = "has a selector that cannot be read: " + selector;
            }
            return false;
        }
    }

    private static boolean isTolerated(Kind kind, Published one) {
        return one.device().taints().stream()
                .filter(taint -> taint.effect() != DeviceTaint.Effect.NONE)
                .allMatch(taint -> kind.tolerations().stream().anyMatch(each -> each.tolerates(taint)));
    }

    private static String obstacle(
            PublishedGpus published, PublishedGpu gpu, Published one, Optional<NodeGpu> inSnapshot) {
        if (one.device().isShareable()) {
            return "may be shared, which is not honoured";
        }
        if (!one.device().bindingConditions().isEmpty()) {
            return "has binding conditions, which are not honoured";
        }
        if (!published.claims().isComplete(one.slice())) {
            return "is of a pool that is not published as a whole";
        }
        if (published.sharesCounters(gpu)) {
            return "draws on counters of several GPUs, which is not honoured";
        }
        if (inSnapshot.isEmpty()) {
            return "is of a node with GPUs of several kinds, which are only counted";
        }
        Optional<String> profile = inSnapshot.get().profile();
        return profile.isPresent() && !gpu.isWholeProfile(profile.get())
                ? "is a partition with places that are not published"
                : one.isPart() && profile.isEmpty() ? "is a partition of a GPU that is not known" : "";
    }

    Set<String> nodes() {
        return byNode.keySet();
    }

    /** Returns the nodes as a selector. */
    NodeSelector selector() {
        NodeSelector known =
                selector == null ? NodeSelector.all(NodeRequirement.name(nodes().toArray(String[]::new))) : selector;
        selector = known;
        return known;
    }

    List<One> on(String node) {
        return byNode.getOrDefault(node, List.of());
    }

    /** Why there may be none: of a device that is left out; empty if there is no such. */
    String leftOut() {
        return leftOut;
    }

    /** Whether they are whole GPUs, or partitions of one profile. */
    boolean areAlike() {
        return profiles.size() <= 1;
    }

    /**
     * Returns the request for some of them.
     *
     * @param isNamed whether the devices have to be named, and not the nodes alone
     */
    GpuRequest request(int count, boolean isNamed) {
        return (isNamed ? named : unnamed).computeIfAbsent(count, any -> make(count, isNamed));
    }

    private GpuRequest make(int count, boolean isNamed) {
        String profile = profiles.iterator().next();
        Set<String> uuids = new TreeSet<>();
        if (isNamed || isMixed || !profile.isEmpty()) {
            byNode.values()
                    .forEach(ones -> ones.forEach(one -> uuids.add(one.gpu().uuid())));
        }
        GpuSelector gpus = uuids.isEmpty() ? GpuSelector.ANY : GpuSelector.ANY.withAllowedUuids(uuids);
        return profile.isEmpty()
                ? GpuRequest.exclusive(count, gpus)
                : GpuRequest.partition(profile, count).withSelector(gpus);
    }
}
