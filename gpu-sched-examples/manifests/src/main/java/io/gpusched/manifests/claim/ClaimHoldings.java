package io.gpusched.manifests.claim;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerExtendedResourceRequest;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodExtendedResourceClaimStatus;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.DeviceId;
import io.gpusched.manifests.grant.GrantAnnotations;
import io.gpusched.manifests.grant.GrantRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What running pods hold by claims, told as if they had asked for it by device plugins: a device that is allocated counts once, however
 * many pods use it and however many claims have a share of it. On nodes whose GPUs are published in slices it is known which they are.
 *
 * <p>Not thread-safe.
 */
public final class ClaimHoldings {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** How a note begins that is of claims, and not of pods. */
    public static final String OF_CLAIMS = "hold GPUs that no running pod uses";

    /** The container that is added to a pod for what it holds of one kind. */
    private static final String CONTAINER = "claimed";

    private final ClaimObjects claims;
    private final PublishedGpus published;

    /** Devices, and GPUs that are given away whole, that a pod was seen to hold. */
    private final Set<Object> held = new HashSet<>();

    private final Set<String> heldClaims = new HashSet<>();
    private final Map<String, List<String>> notes = new TreeMap<>();

    /** What was returned for each pod and claim before, and is again where nothing has changed. */
    private final Map<String, Told> before;

    private final Map<String, Told> told = new HashMap<>();

    private ClaimHoldings(ClaimObjects claims, PublishedGpus published, Map<String, Told> before) {
        this.claims = claims;
        this.published = published;
        this.before = before;
    }

    /** Starts with what is among some objects. */
    public static ClaimHoldings of(ClaimObjects claims, PublishedGpus published) {
        return new ClaimHoldings(claims, published, Map.of());
    }

    /** Starts again; for a pod that holds what it held the same object is returned. */
    public ClaimHoldings again(PublishedGpus now) {
        return new ClaimHoldings(claims, now, told);
    }

    /**
     * What was returned.
     *
     * @param asked what was asked about
     * @param holding what it held
     * @param pod the answer
     */
    private record Told(Object asked, Holding holding, Pod pod) {}

    /**
     * What one pod holds by claims.
     *
     * @param amounts by resource how many are held
     * @param parts by resource the partitions that these are
     * @param wholes by resource the GPUs that these are
     * @param counted the resources for which only the number of GPUs is known
     */
    private record Holding(
            Map<String, Integer> amounts,
            Map<String, List<ObjectNode>> parts,
            Map<String, List<String>> wholes,
            Set<String> counted) {
        static Holding nothing() {
            return new Holding(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>(), new HashSet<>());
        }

        void count(String resource) {
            amounts.merge(resource, 1, Integer::sum);
            counted.add(resource);
        }
    }

    private Pod told(String name, Object asked, Holding holding, Supplier<Pod> pod) {
        Told known = before.get(name);
        Told now = known != null
                        && known.holding().equals(holding)
                        && known.asked().equals(asked)
                ? known
                : new Told(asked, holding, with(pod.get(), holding));
        told.put(name, now);
        return now.pod();
    }

    /**
     * Returns a pod that asks for what it holds by claims, in containers of their own. Of several pods that use one claim the first that
     * is asked about holds its devices.
     */
    public Pod holding(Pod pod) {
        Optional<SeenClaim> extended = status(pod)
                .flatMap(any -> claims.extendedOf(pod))
                .filter(claim -> claim.allocation().isPresent());
        if (pod.getSpec().getResourceClaims().isEmpty() && extended.isEmpty()) {
            return pod;
        }
        Holding holding = Holding.nothing();
        for (PodResourceClaim named : pod.getSpec().getResourceClaims()) {
            Optional<SeenClaim> claim = claims.find(pod, named);
            if (claim.isEmpty()) {
                note("use resource claims that are not among the objects; 1 GPU is set aside for each", name(pod));
                holding.count(published.resourceOn(pod.getSpec().getNodeName()));
            } else {
                add(pod, claim.get(), holding);
            }
        }
        extended.ifPresent(claim -> add(pod, claim, holding));
        boolean isExtended = extended.isPresent();
        return told(name(pod), List.of(pod, isExtended), holding, () -> isExtended ? withoutExtended(pod) : pod);
    }

    private static Optional<PodExtendedResourceClaimStatus> status(Pod pod) {
        return Optional.ofNullable(pod.getStatus())
                .flatMap(status -> Optional.ofNullable(status.getExtendedResourceClaimStatus()));
    }

    /** Without the resources that its claim stands for. */
    private static Pod withoutExtended(Pod pod) {
        return ExtendedClaim.without(
                pod,
                status(pod).stream()
                        .flatMap(status -> status.getRequestMappings().stream())
                        .map(ContainerExtendedResourceRequest::getResourceName)
                        .collect(Collectors.toSet()));
    }

    private void add(Pod pod, SeenClaim claim, Holding holding) {
        if (claim.allocation().isEmpty()) {
            int asked = asked(claim);
            if (asked > 0) {
                note(
                        "use resource claims that do not say what is allocated; what they ask for is set aside",
                        name(pod));
                String resource = published.resourceOn(pod.getSpec().getNodeName());
                for (int i = 0; i < asked; i++) {
                    holding.count(resource);
                }
            }
        } else if (heldClaims.add(claim.claim().name())) {
            add(pod.getSpec().getNodeName(), claim.allocation().get(), holding);
        }
    }

    /** How many GPUs a claim asks for, where only the names of its classes tell. */
    private static int asked(SeenClaim claim) {
        return claim.claim().requests().stream()
                .map(request -> request.alternatives().get(0))
                .filter(request -> !request.adminAccess()
                        && (request.className().contains("gpu")
                                || request.className().contains("mig")))
                .mapToInt(request -> (int) Math.min(Claim.MAX_DEVICES, request.count()))
                .sum();
    }

    private void add(String node, ClaimAllocation allocation, Holding holding) {
        for (ClaimAllocation.Grant grant : allocation.grants()) {
            if (!grant.adminAccess() && PublishedGpus.isGpu(grant.device().driver()) && held.add(grant.device())) {
                add(node, grant.device(), holding);
            }
        }
    }

    private void add(String node, DeviceId device, Holding holding) {
        Optional<NodeGpu> gpu = published.on(node, device);
        if (gpu.isEmpty()) {
            if (!published.isElsewhere(node, device)) {
                holding.count(published.resourceOf(device));
            }
            return;
        }
        NodeGpu found = gpu.get();
        if (found.isCounted()) {
            holding.count(found.resource());
        } else if (found.profile().isPresent()) {
            holding.amounts().merge(found.resource(), 1, Integer::sum);
            ObjectNode part = JSON.createObjectNode().put("gpu", found.uuid());
            part.put("profile", found.profile().get())
                    .put("start", found.start())
                    .put("mode", "");
            holding.parts()
                    .computeIfAbsent(found.resource(), any -> new ArrayList<>())
                    .add(part);
        } else if (held.add(found.uuid())) {
            holding.amounts().merge(found.resource(), 1, Integer::sum);
            holding.wholes()
                    .computeIfAbsent(found.resource(), any -> new ArrayList<>())
                    .add(found.uuid());
        }
    }

    private static Pod with(Pod pod, Holding holding) {
        List<Container> containers = new ArrayList<>();
        pod.getSpec().getContainers().forEach(container -> containers.add(withoutClaims(container)));
        boolean isExact = holding.counted().isEmpty() && containers.stream().noneMatch(ClaimHoldings::asksForDevices);
        ObjectNode grants = JSON.createObjectNode();
        holding.amounts().forEach((resource, amount) -> {
            String name = CONTAINER + "-" + containers.size();
            containers.add(new ContainerBuilder()
                    .withName(name)
                    .withNewResources()
                    .addToLimits(resource, new Quantity(String.valueOf(amount)))
                    .endResources()
                    .build());
            ObjectNode grant = grants.putObject(name);
            List<String> wholes = holding.wholes().getOrDefault(resource, List.of());
            if (wholes.isEmpty()) {
                ArrayNode partitions = grant.putArray("partitions");
                holding.parts().getOrDefault(resource, List.of()).forEach(partitions::add);
            } else {
                ArrayNode gpus = grant.putArray("gpus");
                wholes.forEach(gpus::add);
            }
        });
        Pod with = new PodBuilder(pod)
                .editSpec()
                .withResourceClaims(List.of())
                .withContainers(containers)
                .endSpec()
                .build();
        return isExact && !holding.amounts().isEmpty() ? granted(with, grants) : with;
    }

    private static boolean asksForDevices(Container container) {
        ResourceRequirements asked = container.getResources();
        return asked != null
                && asked.getLimits() != null
                && asked.getLimits().keySet().stream().anyMatch(name -> name.contains("/"));
    }

    private static Container withoutClaims(Container container) {
        ResourceRequirements asked = container.getResources();
        return asked == null || asked.getClaims() == null || asked.getClaims().isEmpty()
                ? container
                : new ContainerBuilder(container)
                        .editResources()
                        .withClaims(List.of())
                        .endResources()
                        .build();
    }

    private static Pod granted(Pod pod, ObjectNode grants) {
        ObjectNode record = JSON.createObjectNode();
        record.put("version", GrantRecord.VERSION).put("node", pod.getSpec().getNodeName());
        record.set("containers", grants);
        return new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations(GrantAnnotations.GRANT, record.toString())
                .endMetadata()
                .build();
    }

    /**
     * Returns, as pods that run, the claims that have GPUs held by no pod that was asked about; each is called as its claim.
     */
    public List<Pod> withoutPods() {
        return withoutPods(new TreeSet<>(claims.claims().keySet()), "");
    }

    /**
     * Returns the same of some claims.
     *
     * @param prefix begins the name of each of the pods
     */
    public List<Pod> withoutPods(SortedSet<String> names, String prefix) {
        List<Pod> holders = new ArrayList<>();
        for (String name : names) {
            Optional<ClaimAllocation> allocation = claims.claim(name).flatMap(SeenClaim::allocation);
            Optional<String> node = allocation.flatMap(this::nodeOf);
            if (node.isPresent() && heldClaims.add(name)) {
                Holding holding = Holding.nothing();
                add(node.get(), allocation.get(), holding);
                if (!holding.amounts().isEmpty()) {
                    note(OF_CLAIMS, name);
                    holders.add(told(
                            "claim " + name,
                            List.of(prefix, node.get()),
                            holding,
                            () -> holder(name, prefix + name.substring(name.indexOf('/') + 1), node.get())));
                }
            }
        }
        return holders;
    }

    private Optional<String> nodeOf(ClaimAllocation allocation) {
        return allocation.grants().stream()
                .filter(grant -> !grant.adminAccess())
                .flatMap(grant -> published.nodeOf(grant.device()).stream())
                .findFirst();
    }

    private static Pod holder(String claim, String name, String node) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(claim.substring(0, claim.indexOf('/')))
                .withName(name)
                .withUid("claim " + claim)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .endStatus()
                .build();
    }

    private void note(String what, String name) {
        notes.computeIfAbsent(what, any -> new ArrayList<>()).add(name);
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    /** Returns what has to be said, each with the pods or claims that it is said of. */
    public Map<String, List<String>> notes() {
        return notes;
    }
}
