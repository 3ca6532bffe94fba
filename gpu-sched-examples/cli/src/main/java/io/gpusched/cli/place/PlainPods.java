package io.gpusched.cli.place;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Locality;
import io.gpusched.model.PodId;
import io.gpusched.model.Taint;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuAffinity.Choice;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what is to be placed in the library's own form: {@code pod} or {@code group}. */
final class PlainPods {
    private PlainPods() {}

    static PlaceRequest read(YamlNode document) {
        document.only("pod", "group");
        Forms.atMostOne(document, "pod", "group");
        if (document.at("group").isPresent()) {
            YamlNode group = document.at("group");
            PodGroup named = group(group, group.need("name").text());
            return new PlaceRequest(List.of(), List.of(AskedGroup.of(named)), Map.of(), Map.of(), 0, document);
        }
        YamlNode pod = document.need("pod");
        return new PlaceRequest(List.of(pod(pod, pod.need("name").text())), List.of(), Map.of(), Map.of(), 0, document);
    }

    /**
     * Reads a group, and the groups that it consists of.
     *
     * @param prefix what the names of its members begin with
     */
    private static PodGroup group(YamlNode group, String prefix) {
        group.only("name", "minMember", "roles", "locality", "slices", "groups", "minGroups");
        List<PodGroup.Role> roles = new ArrayList<>();
        int size = 0;
        YamlNode own = group.at("groups").isPresent() ? group.at("roles") : group.need("roles");
        for (YamlNode role : own.list()) {
            PodGroup.Role read = role(role, prefix);
            size += read.pods().size();
            roles.add(read);
        }
        List<PodGroup> groups = new ArrayList<>();
        for (YamlNode child : group.at("groups").list()) {
            groups.add(group(child, prefix + "-" + child.need("name").text()));
        }
        int minGroups = group.at("minGroups").integerOr(groups.size());
        int least = size
                + groups.stream()
                        .mapToInt(PodGroup::minMember)
                        .sorted()
                        .limit(Math.max(0, minGroups))
                        .sum();
        Locality locality = locality(group.at("locality"));
        PodGroup whole = group.build(() -> new PodGroup(
                group.need("name").text(),
                group.at("minMember").integerOr(Math.max(1, least)),
                roles,
                locality,
                groups,
                minGroups));
        YamlNode slices = group.at("slices");
        if (!slices.isPresent()) {
            return whole;
        }
        slices.only("size", "level");
        return slices.build(() -> whole.withSlices(
                slices.need("size").integerOr(0), slices.need("level").text()));
    }

    private static PodGroup.Role role(YamlNode role, String prefix) {
        role.only("name", "minMember", "replicas", "pod");
        if (role.at("pod").at("name").isPresent()) {
            throw role.at("pod").at("name").error("unknown here: members are named after the group and the role");
        }
        String name = role.need("name").text();
        List<Pod> pods = new ArrayList<>();
        int replicas = role.at("replicas").integerOr(1);
        if (replicas < 0 || replicas > PodTemplates.MAX_PODS) {
            throw role.at("replicas").error("must be in 0.." + PodTemplates.MAX_PODS + ", got " + replicas);
        }
        for (int i = 0; i < replicas; i++) {
            pods.add(pod(role.need("pod"), prefix + "-" + name + "-" + i));
        }
        return role.build(() -> new PodGroup.Role(name, role.at("minMember").integerOr(0), pods));
    }

    static Locality locality(YamlNode locality) {
        locality.only("scope", "level", "required");
        String scope = locality.at("scope").textOr("anywhere");
        if (!scope.equals("domain") && locality.at("level").isPresent()) {
            throw locality.at("level").error("goes with scope domain, got scope " + scope);
        }
        Locality found = switch (scope) {
            case "anywhere" -> Locality.ANYWHERE;
            case "node" -> Locality.oneNode();
            case "domain" -> Locality.within(locality.need("level").text());
            default -> throw locality.at("scope").error("must be anywhere, node or domain");
        };
        boolean required =
                !locality.at("required").isPresent() || locality.at("required").isTrue();
        return required || found.equals(Locality.ANYWHERE) ? found : found.preferred();
    }

    private static Pod pod(YamlNode pod, String name) {
        pod.only("name", "cpu", "memory", "resources", "gpu", "containers", "nodeSelector", "tolerations");
        List<Container> containers = new ArrayList<>();
        for (YamlNode container : pod.at("containers").list()) {
            container.only("name", "init", "sidecar", "cpu", "memory", "resources", "gpu");
            containers.add(container.build(() -> new Container(
                    container.need("name").text(),
                    kind(container),
                    Forms.resources(container),
                    request(container.at("gpu")))));
        }
        for (String field : List.of("cpu", "memory", "resources", "gpu")) {
            if (!containers.isEmpty() && pod.at(field).isPresent()) {
                throw pod.at(field).error("goes with its containers, which are named one by one");
            }
        }
        if (containers.isEmpty()) {
            containers.add(Container.of("main", Forms.resources(pod), request(pod.at("gpu"))));
        }
        NodeSelector selector = pod.at("nodeSelector")
                .build(() -> NodeSelector.labels(pod.at("nodeSelector").texts()));
        List<Toleration> tolerations = new ArrayList<>();
        pod.at("tolerations").list().forEach(item -> tolerations.add(toleration(item)));
        return pod.build(() -> new Pod(PodId.of(name), containers, selector, tolerations));
    }

    private static ContainerKind kind(YamlNode container) {
        Forms.atMostOne(container, "init", "sidecar");
        if (container.at("init").isTrue()) {
            return ContainerKind.INIT;
        }
        return container.at("sidecar").isTrue() ? ContainerKind.SIDECAR : ContainerKind.ORDINARY;
    }

    private static Toleration toleration(YamlNode item) {
        item.only("key", "operator", "value", "effect");
        boolean exists = switch (item.at("operator").textOr("Equal")) {
            case "Exists" -> true;
            case "Equal" -> false;
            default -> throw item.at("operator").error("must be Exists or Equal");
        };
        if (exists && item.at("value").isPresent()) {
            throw item.at("value").error("does not go with operator Exists");
        }
        Optional<String> value =
                exists ? Optional.empty() : Optional.of(item.at("value").textOr(""));
        boolean anyEffect = item.at("effect").textOr("").isEmpty();
        Optional<Taint.Effect> effect =
                anyEffect ? Optional.empty() : Optional.of(item.at("effect").oneOf(Taint.Effect.class));
        return item.build(() -> new Toleration(item.at("key").textOr(""), value, effect));
    }

    private static GpuRequest request(YamlNode gpu) {
        if (!gpu.isPresent()) {
            return GpuRequest.none();
        }
        gpu.only(
                "exclusive",
                "percent",
                "share",
                "partition",
                "wholeNode",
                "firstOf",
                "models",
                "deniedModels",
                "uuids",
                "deniedUuids",
                "minMemory",
                "affinity",
                "preferredAffinity",
                "choice");
        Forms.atMostOne(gpu, "exclusive", "percent", "share", "partition", "wholeNode", "firstOf");
        if (gpu.at("firstOf").isPresent()) {
            gpu.only("firstOf");
            GpuRequest[] shapes =
                    gpu.at("firstOf").list().stream().map(PlainPods::request).toArray(GpuRequest[]::new);
            return gpu.at("firstOf").build(() -> GpuRequest.firstOf(shapes));
        }
        GpuSelector selector = selector(gpu);
        if (gpu.at("exclusive").isPresent()) {
            return gpu.build(() -> GpuRequest.exclusive(gpu.at("exclusive").integerOr(1), selector));
        }
        if (gpu.at("percent").isPresent()) {
            return gpu.at("percent")
                    .build(() ->
                            GpuRequest.percent(gpu.at("percent").integerOr(0)).withSelector(selector));
        }
        if (gpu.at("wholeNode").isTrue()) {
            return new GpuRequest.WholeNode(selector);
        }
        if (gpu.at("partition").isPresent()) {
            return partition(gpu.at("partition"), selector);
        }
        if (!gpu.at("share").isPresent()) {
            throw gpu.error("must say how much: exclusive, percent, share, partition, wholeNode or firstOf");
        }
        return share(gpu.at("share"), selector);
    }

    private static GpuRequest partition(YamlNode partition, GpuSelector selector) {
        partition.only("profile", "count");
        String profile = partition.need("profile").text();
        return partition.build(
                () -> GpuRequest.partition(profile, partition.at("count").integerOr(1))
                        .withSelector(selector));
    }

    private static GpuRequest share(YamlNode share, GpuSelector selector) {
        share.only("count", "computeMillis", "memory", "memoryPercent", "slots");
        Forms.atMostOne(share, "memory", "memoryPercent");
        GpuMemory memory = share.build(() -> share.at("memoryPercent").isPresent()
                ? GpuMemory.percent(share.at("memoryPercent").integerOr(0))
                : GpuMemory.mib(Forms.mibCeiling(share.at("memory"))));
        return share.build(() -> new GpuRequest.Share(
                share.at("count").integerOr(1),
                share.at("computeMillis").integerOr(0),
                memory,
                share.at("slots").integerOr(1),
                selector));
    }

    private static GpuSelector selector(YamlNode gpu) {
        long least = Forms.mibCeiling(gpu.at("minMemory"));
        return new GpuSelector(
                Set.copyOf(gpu.at("models").textList()),
                Set.copyOf(gpu.at("deniedModels").textList()),
                Set.copyOf(gpu.at("uuids").textList()),
                Set.copyOf(gpu.at("deniedUuids").textList()),
                least,
                affinity(gpu));
    }

    private static GpuAffinity affinity(YamlNode gpu) {
        YamlNode required = gpu.at("affinity");
        YamlNode preferred = gpu.at("preferredAffinity");
        YamlNode choice = gpu.at("choice");
        return new GpuAffinity(
                required.isPresent() ? required.oneOf(Bond.class) : Bond.NONE,
                preferred.isPresent() ? preferred.oneOf(Bond.class) : Bond.NONE,
                choice.isPresent() ? choice.oneOf(Choice.class) : Choice.BEST_SET);
    }
}
