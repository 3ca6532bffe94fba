package io.gpusched.examples.place;

import io.gpusched.dialect.Quantity;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads what is to be placed in the library's own form: {@code pod} or {@code group}. */
final class PlainPods {
    private PlainPods() {}

    static Asked read(YamlNode document) {
        document.only("pod", "group");
        return document.at("group").isPresent()
                ? Asked.group(group(document.at("group")))
                : Asked.pod(pod(
                        document.need("pod"), document.need("pod").need("name").text()));
    }

    private static PodGroup group(YamlNode group) {
        group.only("name", "minMember", "roles", "locality");
        List<PodGroup.Role> roles = new ArrayList<>();
        int size = 0;
        for (YamlNode role : group.need("roles").list()) {
            role.only("name", "minMember", "replicas", "pod");
            String name = role.need("name").text();
            List<Pod> pods = new ArrayList<>();
            for (int i = 0; i < role.at("replicas").integerOr(1); i++) {
                pods.add(pod(role.need("pod"), group.need("name").text() + "-" + name + "-" + i));
            }
            size += pods.size();
            roles.add(role.build(
                    () -> new PodGroup.Role(name, role.at("minMember").integerOr(0), pods)));
        }
        int all = size;
        PodGroup.Locality locality = locality(group.at("locality"));
        return group.build(() ->
                new PodGroup(group.need("name").text(), group.at("minMember").integerOr(all), roles, locality));
    }

    private static PodGroup.Locality locality(YamlNode locality) {
        locality.only("scope", "level", "required");
        PodGroup.Locality found = switch (locality.at("scope").textOr("anywhere")) {
            case "anywhere" -> PodGroup.Locality.ANYWHERE;
            case "node" -> PodGroup.Locality.oneNode();
            case "domain" -> PodGroup.Locality.within(locality.need("level").text());
            default -> throw locality.at("scope").error("must be anywhere, node or domain");
        };
        boolean required =
                !locality.at("required").isPresent() || locality.at("required").isTrue();
        return required || found.equals(PodGroup.Locality.ANYWHERE) ? found : found.preferred();
    }

    private static Pod pod(YamlNode pod, String name) {
        pod.only("name", "cpu", "memory", "gpu", "containers", "nodeSelector", "tolerations");
        List<Container> containers = new ArrayList<>();
        for (YamlNode container : pod.at("containers").list()) {
            container.only("name", "init", "cpu", "memory", "gpu");
            containers.add(container.build(() -> new Container(
                    container.need("name").text(),
                    container.at("init").isTrue(),
                    PlainCluster.resources(container),
                    request(container.at("gpu")))));
        }
        if (containers.isEmpty()) {
            Resources resources = PlainCluster.resources(pod);
            containers.add(Container.of("main", resources, request(pod.at("gpu"))));
        }
        NodeSelector selector = pod.at("nodeSelector")
                .build(() -> NodeSelector.labels(pod.at("nodeSelector").texts()));
        List<Toleration> tolerations = new ArrayList<>();
        pod.at("tolerations").list().forEach(item -> tolerations.add(KubernetesPods.toleration(item)));
        return pod.build(() -> new Pod(PodId.of(name), containers, selector, tolerations));
    }

    private static GpuRequest request(YamlNode gpu) {
        if (!gpu.isPresent()) {
            return GpuRequest.none();
        }
        gpu.only(
                "exclusive",
                "percent",
                "share",
                "wholeNode",
                "models",
                "deniedModels",
                "uuids",
                "deniedUuids",
                "minMemory",
                "sameNumaNode");
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
        return share(gpu.need("share"), selector);
    }

    private static GpuRequest share(YamlNode share, GpuSelector selector) {
        share.only("count", "computeMillis", "memory", "memoryPercent", "slots");
        GpuMemory memory = share.build(() -> share.at("memoryPercent").isPresent()
                ? GpuMemory.percent(share.at("memoryPercent").integerOr(0))
                : GpuMemory.mib(Quantity.parse(share.at("memory").textOr("0")).mibCeiling()));
        return share.build(() -> new GpuRequest.Share(
                share.at("count").integerOr(1),
                share.at("computeMillis").integerOr(0),
                memory,
                share.at("slots").integerOr(1),
                selector));
    }

    private static GpuSelector selector(YamlNode gpu) {
        long least = gpu.at("minMemory")
                .build(() -> Quantity.parse(gpu.at("minMemory").textOr("0")).mibCeiling());
        return new GpuSelector(
                Set.copyOf(gpu.at("models").textList()),
                Set.copyOf(gpu.at("deniedModels").textList()),
                Set.copyOf(gpu.at("uuids").textList()),
                Set.copyOf(gpu.at("deniedUuids").textList()),
                least,
                gpu.at("sameNumaNode").isTrue());
    }
}
