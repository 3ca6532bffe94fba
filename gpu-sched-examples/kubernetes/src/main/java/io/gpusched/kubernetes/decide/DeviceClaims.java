package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.ClaimDecision;
import io.gpusched.claim.ClaimFeature;
import io.gpusched.claim.ClaimNode;
import io.gpusched.claim.DeviceId;
import io.gpusched.claim.DeviceRequest;
import io.gpusched.claim.NodeScope;
import io.gpusched.claim.ResourceSlice;
import io.gpusched.decision.Certainty;
import io.gpusched.dialect.dra.ExtendedResources;
import io.gpusched.manifests.claim.ClaimHoldings;
import io.gpusched.manifests.claim.ClaimObjects;
import io.gpusched.manifests.claim.ClaimRequests;
import io.gpusched.manifests.claim.ClaimedGpus;
import io.gpusched.manifests.claim.ExtendedClaim;
import io.gpusched.manifests.claim.PublishedGpus;
import io.gpusched.manifests.claim.SeenClaim;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.verify.Verifier;
import io.gpusched.verify.Violation;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Dynamic resource allocation: puts the GPUs that drivers publish on their nodes in the book, and what claims hold of them; says what
 * waiting pods ask for by claims, and which devices those have that were placed. A change costs O(pods with claims of its node).
 *
 * <p>A claim belongs to the pod that runs with it, of several to the first by name; one that no pod runs with is in the book as a pod of
 * its own name. One that is being allocated belongs to the pod that it is allocated for. Not thread-safe.
 */
final class DeviceClaims {
    /** Label, in the book alone, of nodes that have the GPUs of their slices: pods get these by claims. */
    static final String LABEL = "gpu-sched.io/devices-by-claims";

    private final ClusterBook book;
    private final VolumeCharges charges;

    /** Whether devices are judged by the rules of claims before they are written. */
    private final boolean verifies;

    private final ClaimObjects objects = ClaimObjects.watched();
    private final Map<String, Node> nodes = new HashMap<>();

    /** By resource how many nodes have it of a device plugin. */
    private final Map<String, Integer> plugins = new HashMap<>();

    private final Map<String, PublishedGpus> published = new TreeMap<>();
    private final Map<String, OfNode> byNode = new HashMap<>();
    private final Map<PodId, String> nodeOfPod = new HashMap<>();
    private final Map<String, String> nodeOfClaim = new HashMap<>();
    private Map<String, List<Own>> slices = Map.of();
    private final Map<DeviceId, String> nodeOfDevice = new HashMap<>();

    /** The claims that are being allocated, each with the pod that it is for: what they have is in the book as that pod's. */
    private final Map<String, PodId> assumed = new HashMap<>();

    /** Device classes whose parameters for drivers were read in part only. */
    private final Set<String> cutClasses = new HashSet<>();

    /** What claims were given that are not seen with it yet. */
    private final Map<String, Given> given = new HashMap<>();

    /**
     * Devices that a claim was given.
     *
     * @param pod the identity of the pod that it was for
     * @param claim the identity of the claim
     * @param node the node that has them
     */
    private record Given(String pod, String claim, String node, ClaimAllocation devices) {
        NodeScope reach() {
            return new NodeScope.Selected(NodeSelector.all(NodeRequirement.name(node)));
        }
    }

    /** The claims without devices of pods that wait, each with the first that asked. */
    private final Map<String, PendingPod> firstOf = new HashMap<>();

    private final Map<PodId, String> assumedOn = new HashMap<>();
    private final Set<String> changedNodes = new TreeSet<>();

    /** Those of them that have other slices than before. */
    private final Set<String> changedSlices = new TreeSet<>();

    private final Set<String> exactNodes = new TreeSet<>();
    private final Set<String> staleHoldings = new TreeSet<>();
    private boolean slicesChanged;
    private boolean classesChanged;
    private ClaimRequests requests;

    /** A slice with devices of a node, and whether all slices of its pool are there. */
    private record Own(ResourceSlice slice, boolean isOfWholePool) {}

    /** A pod with what it holds by claims, as it was read. */
    private record Held(Pod pod, RunningPod running) {
        boolean isAs(@Nullable Held other) {
            return other != null && running.equals(other.running);
        }
    }

    /** What is held by claims on a node. */
    private static final class OfNode {
        /** The pods that run with claims. */
        final Map<PodId, Pod> pods = new TreeMap<>();

        /** The claims that have devices of it. */
        final TreeSet<String> claims = new TreeSet<>();

        /** What was put into the book: pods, and claims that no pod runs with. */
        Map<PodId, Held> held = new LinkedHashMap<>();

        ClaimHoldings holdings;

        OfNode(ClaimHoldings holdings) {
            this.holdings = holdings;
        }

        Held held(PodId id, Pod pod) {
            Held before = held.get(id);
            return before != null && before.pod().equals(pod) ? before : new Held(pod, RunningPod.of(pod));
        }
    }

    DeviceClaims(ClusterBook book, VolumeCharges charges, boolean verifies) {
        this.verifies = verifies;
        this.book = book;
        this.charges = charges;
        this.requests = new ClaimRequests(objects, published.values());
    }

    void putNode(Node node) {
        String name = node.getMetadata().getName();
        countPlugins(nodes.put(name, node), -1);
        countPlugins(node, 1);
        if (slices.containsKey(name)) {
            changedNodes.add(name);
        } else {
            book.putNode(node);
        }
    }

    private void countPlugins(@Nullable Node node, int sign) {
        if (node != null && node.getStatus() != null && node.getStatus().getAllocatable() != null) {
            node.getStatus().getAllocatable().forEach((resource, amount) -> {
                if (ExtendedResources.isExtended(resource)
                        && amount.getNumericalAmount().signum() > 0) {
                    plugins.merge(resource, sign, (had, more) -> had + more == 0 ? null : had + more);
                }
            });
        }
    }

    void removeNode(String name) {
        countPlugins(nodes.remove(name), -1);
        published.remove(name);
        exactNodes.remove(name);
        requests.publishedChanged();
        book.removeNode(name);
    }

    /** Takes note of an object, new or changed. */
    void put(YamlNode object, boolean isWhole) {
        objects.put(object);
        if (isWhole) {
            cutClasses.remove(nameOfClass(object));
        } else {
            cutClasses.add(nameOfClass(object));
        }
        look(object);
    }

    /** Empty for an object that is none. */
    private static String nameOfClass(YamlNode object) {
        return object.need("kind").text().equals("DeviceClass")
                ? object.need("metadata").need("name").text()
                : "";
    }

    /** Takes note that an object is gone. */
    void remove(YamlNode object) {
        objects.remove(object);
        cutClasses.remove(nameOfClass(object));
        look(object);
    }

    private void look(YamlNode object) {
        switch (object.need("kind").text()) {
            case "ResourceSlice", "DeviceTaintRule" -> slicesChanged = true;
            case "DeviceClass" -> {
                classesChanged = true;
                requests = new ClaimRequests(objects, published.values());
            }
            default -> {
                YamlNode metadata = object.need("metadata");
                String name = metadata.need("namespace").text() + "/"
                        + metadata.need("name").text();
                Given known = given.get(name);
                if (known != null && isAwaited(name, known)) {
                    objects.claim(name).ifPresent(claim -> objects.assume(claim, known.devices(), known.reach()));
                } else {
                    given.remove(name);
                }
                place(name);
            }
        }
    }

    /** Whether a claim does not have yet what it was given; one that was to be made has its identity only now. */
    private boolean isAwaited(String name, Given known) {
        return objects.claim(name)
                .filter(claim -> claim.allocation().isEmpty()
                        && (claim.uid().equals(known.claim())
                                || known.claim().isEmpty()
                                        && claim.extendedFor().equals(known.pod())))
                .isPresent();
    }

    /** A claim may have devices of another node than before, or of none. */
    private void place(String name) {
        Optional<SeenClaim> claim = objects.claim(name);
        Optional<String> now = claim.flatMap(SeenClaim::allocation).flatMap(this::nodeOf);
        String before = now.isPresent() ? nodeOfClaim.put(name, now.get()) : nodeOfClaim.remove(name);
        if (before != null) {
            ofNode(before).claims.remove(name);
            staleHoldings.add(before);
        }
        now.ifPresent(node -> {
            ofNode(node).claims.add(name);
            staleHoldings.add(node);
        });
        String namespace = name.substring(0, name.indexOf('/'));
        claim.ifPresent(one -> one.reservedFor().forEach(pod -> {
            String node = nodeOfPod.get(new PodId(namespace, pod));
            if (node != null) {
                staleHoldings.add(node);
            }
        }));
    }

    private Optional<String> nodeOf(ClaimAllocation allocation) {
        return allocation.grants().stream()
                .filter(grant -> !grant.adminAccess())
                .flatMap(grant -> Optional.ofNullable(nodeOfDevice.get(grant.device())).stream())
                .findFirst();
    }

    private OfNode ofNode(String name) {
        return byNode.computeIfAbsent(name, any -> new OfNode(ClaimHoldings.of(objects, gpus(name))));
    }

    /** Takes note of a pod that runs, if it holds devices by claims; returns whether it does, and is put into the book later. */
    boolean runs(PodId id, Pod pod) {
        unassume(id);
        boolean isUser = !pod.getSpec().getResourceClaims().isEmpty()
                || pod.getStatus() != null && pod.getStatus().getExtendedResourceClaimStatus() != null;
        if (!isUser) {
            gone(id);
            return false;
        }
        String node = pod.getSpec().getNodeName();
        if (!node.equals(nodeOfPod.get(id))) {
            gone(id);
        }
        nodeOfPod.put(id, node);
        ofNode(node).pods.put(id, pod);
        staleHoldings.add(node);
        return true;
    }

    /** Takes note that a pod holds nothing any more. */
    void gone(PodId id) {
        unassume(id);
        String node = nodeOfPod.remove(id);
        if (node != null) {
            OfNode of = ofNode(node);
            of.pods.remove(id);
            of.held.remove(id);
            staleHoldings.add(node);
        }
    }

    /** Takes note that a pod does not wait any more. */
    void leave(PodId id) {
        firstOf.values().removeIf(first -> first.id().equals(id));
    }

    /** Puts into the book what has changed; returns whether requests may be others for that. */
    boolean refresh() {
        boolean hadNodes = haveNodes();
        boolean areOthers = classesChanged;
        classesChanged = false;
        if (slicesChanged) {
            readSlices();
            slicesChanged = false;
        }
        // while a pod is bound to devices of a node, what was decided by their order stays true
        Set<String> later = new TreeSet<>(assumedOn.values());
        later.retainAll(changedNodes);
        changedNodes.removeAll(later);
        changedNodes.forEach(this::publish);
        changedNodes.clear();
        changedNodes.addAll(later);
        Set<String> stale = new TreeSet<>(staleHoldings);
        staleHoldings.clear();
        stale.forEach(this::hold);
        return areOthers || hadNodes != haveNodes();
    }

    private void readSlices() {
        Map<String, List<Own>> read = new HashMap<>();
        nodeOfDevice.clear();
        for (ResourceSlice slice : objects.slices()) {
            Own own = new Own(slice, objects.isComplete(slice));
            slice.devices().forEach(device -> {
                NodeScope scope = device.scope().orElse(slice.scope());
                if (scope instanceof NodeScope.Named named) {
                    List<Own> of = read.computeIfAbsent(named.node(), any -> new ArrayList<>());
                    if (of.isEmpty() || !of.get(of.size() - 1).equals(own)) {
                        of.add(own);
                    }
                    nodeOfDevice.put(slice.idOf(device), named.node());
                }
            });
        }
        Set<String> names = new HashSet<>(read.keySet());
        names.addAll(slices.keySet());
        names.removeIf(name -> Objects.equals(read.get(name), slices.get(name)));
        slices = read;
        changedNodes.addAll(names);
        changedSlices.addAll(names);
        List.copyOf(objects.claims().keySet()).forEach(this::place);
    }

    /** A node that differs in other things than its GPUs alone has the GPUs that it had. */
    private void publish(String name) {
        Node node = nodes.get(name);
        List<ResourceSlice> own =
                slices.getOrDefault(name, List.of()).stream().map(Own::slice).toList();
        Optional<PublishedGpus> now =
                node == null || own.isEmpty() ? Optional.empty() : Optional.of(PublishedGpus.of(objects, own, node));
        boolean isExact = now.filter(gpus -> gpus.isExact(name)).isPresent();
        if (changedSlices.remove(name) || isExact != exactNodes.contains(name) || !published.containsKey(name)) {
            published.remove(name);
            now.ifPresent(gpus -> published.put(name, gpus));
            requests.publishedChanged();
            staleHoldings.add(name);
        }
        if (isExact) {
            exactNodes.add(name);
        } else {
            exactNodes.remove(name);
        }
        if (node != null) {
            Node with = now.map(gpus -> gpus.nodes().get(0)).orElse(node);
            book.putNode(
                    isExact
                            ? new NodeBuilder(with)
                                    .editMetadata()
                                    .addToLabels(LABEL, "true")
                                    .endMetadata()
                                    .build()
                            : with);
        }
    }

    /** Pods and claims that hold the same as before are left as they are, and cost a look at their claims. */
    private void hold(String name) {
        OfNode of = ofNode(name);
        Map<PodId, Held> now = new LinkedHashMap<>();
        ClaimHoldings holdings = of.holdings.again(gpus(name));
        of.holdings = holdings;
        of.pods.forEach((id, pod) -> now.put(id, of.held(id, holdings.holding(pod))));
        TreeSet<String> free = new TreeSet<>(of.claims);
        free.removeAll(assumed.keySet());
        for (Pod claim : holdings.withoutPods(free, "claim ")) {
            PodId id = new PodId(
                    claim.getMetadata().getNamespace(), claim.getMetadata().getName());
            now.put(id, of.held(id, claim));
        }
        Map<PodId, Held> before = of.held;
        before.forEach((id, held) -> {
            if (!held.isAs(now.get(id))) {
                charges.removePod(id);
            }
        });
        now.forEach((id, held) -> {
            if (!held.isAs(before.get(id))) {
                charges.putPod(held.running());
            }
        });
        of.held = now;
    }

    private PublishedGpus gpus(String name) {
        PublishedGpus known = published.get(name);
        return known != null
                ? known
                : PublishedGpus.of(
                        objects,
                        List.of(),
                        nodes.getOrDefault(
                                name,
                                new NodeBuilder()
                                        .withNewMetadata()
                                        .withName(name)
                                        .endMetadata()
                                        .build()));
    }

    /** A round begins, in which the selectors of each namespace may again cost up to a limit. */
    void begin() {
        requests.begin();
    }

    /** Returns whether claims wait for the next round. */
    boolean isMoreToLookAt() {
        return requests.isMoreToLookAt();
    }

    /** Returns whether any node has the GPUs of its slices. */
    boolean haveNodes() {
        return !exactNodes.isEmpty();
    }

    /** Returns whether what a pod asks for depends on claims and classes. */
    boolean concern(Pod pod) {
        return !pod.getSpec().getResourceClaims().isEmpty() || ExtendedClaim.isOffered(objects, pod);
    }

    /**
     * Returns what a waiting pod asks for by claims, which its extended resources are if a class offers them and no device plugin of any
     * node. A claim that has no devices yet is allocated for the first pod that asks; others of its group share it.
     */
    ClaimedGpus of(PendingPod pod) {
        Optional<ExtendedClaim> extended = ExtendedClaim.of(objects, pod.object(), plugins::containsKey);
        if (pod.object().getSpec().getResourceClaims().isEmpty() && extended.isEmpty()) {
            return ClaimedGpus.Asked.NOTHING;
        }
        ClaimedGpus claimed = requests.of(pod.object(), extended);
        if (claimed instanceof ClaimedGpus.Asked asked) {
            for (SeenClaim claim : asked.held()) {
                Given now = given.get(claim.claim().name());
                if (now != null && !now.pod().equals(pod.uid())) {
                    return new ClaimedGpus.Waiting(
                            "resource claim " + claim.claim().name() + " is being allocated for another pod");
                }
            }
            Set<String> shared = new HashSet<>();
            for (SeenClaim claim : asked.open()) {
                String name = claim.claim().name();
                Optional<String> cut =
                        classes(claim).filter(cutClasses::contains).findFirst();
                if (cut.isPresent()) {
                    return new ClaimedGpus.Refused("resource claim " + name + " is of device class " + cut.get()
                            + ", whose spec.config is nested deeper than " + Change.DEEPEST
                            + " levels, which is not honoured");
                }
                PendingPod first = firstOf.computeIfAbsent(name, any -> pod);
                PodId holder = assumed.getOrDefault(name, first.id());
                if (!holder.equals(pod.id())) {
                    boolean isShared = !assumed.containsKey(name)
                            && pod.group().isPresent()
                            && pod.group().equals(first.group());
                    if (!isShared) {
                        return new ClaimedGpus.Waiting(
                                "resource claim " + name + " is to be allocated for pod " + holder + " first");
                    }
                    shared.add(name);
                }
            }
            return asked.sharing(shared);
        }
        return claimed;
    }

    /**
     * Takes it that the claims of a pod will have the devices with which it was placed; returns what is to be written.
     *
     * @throws IllegalStateException if these are none that the claims accept, or break a law of claims
     */
    List<Binding.DeviceClaim> assume(Request.Ready ready, Placement placement) {
        List<Binding.DeviceClaim> writes = new ArrayList<>();
        ready.devices().held().forEach(claim -> writes.add(write(ready, claim, Optional.empty())));
        ready.devices().shared().forEach(claim -> writes.add(write(ready, claim, Optional.empty())));
        List<ClaimAllocation> chosen =
                requests.chosen(ready.devices(), placement).claims();
        if (verifies && !chosen.isEmpty()) {
            check(ready.devices().open(), chosen, placement.node());
        }
        for (int i = 0; i < chosen.size(); i++) {
            SeenClaim claim = ready.devices().open().get(i);
            writes.add(write(ready, claim, Optional.of(chosen.get(i))));
            String name = claim.claim().name();
            assumed.put(name, placement.pod());
            Given now = new Given(ready.pod().uid(), claim.uid(), placement.node(), chosen.get(i));
            given.put(name, now);
            objects.assume(claim, now.devices(), now.reach());
            place(name);
            assumedOn.put(placement.pod(), placement.node());
        }
        return writes;
    }

    private void check(List<SeenClaim> open, List<ClaimAllocation> chosen, String node) {
        Set<List<String>> pools = new HashSet<>();
        chosen.forEach(one -> one.grants()
                .forEach(grant -> pools.add(
                        List.of(grant.device().driver(), grant.device().pool()))));
        List<Violation> broken = Verifier.create()
                .check(
                        ClaimNode.of(book.cluster().node(node).orElseThrow().node()),
                        objects.slices().stream()
                                .filter(slice -> pools.contains(List.of(slice.driver(), slice.pool())))
                                .toList(),
                        objects.classes(),
                        objects.inUse(),
                        ClaimFeature.KUBERNETES_1_38,
                        open.stream().map(SeenClaim::claim).toList(),
                        new ClaimDecision.Allocated(Certainty.FOUND, chosen, 0));
        if (!broken.isEmpty()) {
            throw new IllegalStateException("its devices would break a law: " + broken);
        }
    }

    private Binding.DeviceClaim write(Request.Ready ready, SeenClaim claim, Optional<ClaimAllocation> devices) {
        String name = claim.claim().name();
        Map<String, List<Object>> configs = new HashMap<>();
        classes(claim).forEach(className -> configs.put(className, objects.config(className)));
        return new Binding.DeviceClaim(
                name.substring(name.indexOf('/') + 1),
                claim.uid(),
                devices,
                configs,
                ready.devices().extended().filter(one -> one.claim().equals(claim)));
    }

    private static Stream<String> classes(SeenClaim claim) {
        return claim.claim().requests().stream()
                .flatMap(request -> request.alternatives().stream())
                .map(DeviceRequest::className);
    }

    /** A binding was not given to be written. */
    void undo(PodId id, String uid) {
        notBound(new Change.NotBound(id, uid, ""));
        unassume(id);
    }

    /** Claims that were not written have no devices; of others it will be seen. */
    void notBound(Change.NotBound lost) {
        String namespace = lost.id().namespace() + "/";
        List<String> unwritten = given.entrySet().stream()
                .filter(one -> one.getValue().pod().equals(lost.uid()))
                .map(Map.Entry::getKey)
                .filter(name -> !lost.allocated().contains(name.substring(namespace.length())))
                .toList();
        for (String name : unwritten) {
            given.remove(name);
            objects.unassume(name);
            place(name);
        }
    }

    /** A pod is not assumed to run any more: what its claims have is in the book as theirs, or as that of the pod that runs. */
    void unassume(PodId id) {
        String node = assumedOn.remove(id);
        if (node != null) {
            assumed.values().removeIf(id::equals);
            staleHoldings.add(node);
        }
    }
}
