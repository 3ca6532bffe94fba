package io.gpusched.conformance.vgpu;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.hami.HamiMigPolicy;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** HAMi's cases of dynamic MIG: what fits beside what is there, which profile serves an amount of memory, and where. */
final class HamiMigKinds {
    private static final int MOST_UNITS = 8;
    private static final GpuScheduler SCHEDULER =
            GpuScheduler.builder().policy(HamiMigPolicy.of()).memory(0).build();

    private HamiMigKinds() {}

    static List<VectorKind> all() {
        return List.of(
                kind("mig-feasible", HamiMigKinds::feasible),
                kind("mig-sequence", HamiMigKinds::sequence),
                kind("mig-pick", HamiMigKinds::pick),
                kind("mig-count", HamiMigKinds::count),
                kind("mig-restore", HamiMigKinds::restore));
    }

    private static VectorKind kind(String name, java.util.function.Function<VectorCase, ObjectNode> answer) {
        return VectorKind.comparing(HamiFitKinds.SYSTEM, name, answer::apply);
    }

    /** A profile as a GPU of HAMi reports it. */
    private record Reported(PartitionProfile profile, long memoryMib) {}

    private static List<Reported> reported(YamlNode profiles) {
        List<Reported> all = new ArrayList<>();
        for (YamlNode profile : profiles.list()) {
            List<YamlNode> placements = profile.need("placements").list();
            List<Integer> starts = placements.stream()
                    .map(place -> place.need("start").integer())
                    .sorted()
                    .toList();
            int size = placements.get(0).need("size").integer();
            all.add(new Reported(
                    PartitionProfile.of(profile.need("name").text(), size, starts),
                    profile.need("memMiB").number()));
        }
        all.sort(Comparator.comparingLong(Reported::memoryMib));
        return all;
    }

    /** Names by which what is in use already is held, whatever its profile. */
    private static String inUse(int index) {
        return "in use " + index;
    }

    private static Cluster cluster(List<Reported> reported, List<YamlNode> occupied) {
        List<PartitionProfile> profiles =
                new ArrayList<>(reported.stream().map(Reported::profile).toList());
        List<GpuPartition> held = new ArrayList<>();
        for (int i = 0; i < occupied.size(); i++) {
            int start = occupied.get(i).need("start").integer();
            profiles.add(
                    PartitionProfile.of(inUse(i), occupied.get(i).at("size").integerOr(1), List.of(start)));
            held.add(GpuPartition.of(0, inUse(i), start));
        }
        PartitionGeometry geometry = PartitionGeometry.of("HAMi's GPU", MOST_UNITS, NamedAmounts.NONE, profiles);
        Gpu gpu = Gpu.of(0, "GPU-0", GpuModel.of("nvidia", "GPU", 0)).withPartitions(geometry);
        Cluster cluster = Cluster.of(List.of(Node.builder("node").gpu(gpu).build()));
        return held.isEmpty() ? cluster : cluster.with(holding(held));
    }

    private static Placement holding(List<GpuPartition> held) {
        GpuGrant grant = new GpuGrant.Partitions(held.stream().sorted().toList());
        return new Placement(PodId.of("in-use"), "node", Resources.NONE, List.of(ContainerGrant.of("main", grant)));
    }

    private static Pod pod(String id, List<String> profiles) {
        Pod.Builder pod = Pod.builder(id);
        for (int i = 0; i < profiles.size(); i++) {
            pod.container(Container.of("c" + i, Resources.NONE, GpuRequest.partition(profiles.get(i), 1)));
        }
        return pod.build();
    }

    private static Optional<Placement> place(Cluster cluster, Pod pod) {
        return SCHEDULER.schedule(cluster, pod) instanceof Placed placed
                ? Optional.of(placed.placement())
                : Optional.empty();
    }

    private static List<GpuPartition> partitions(Placement placement) {
        return placement.containers().stream()
                .filter(grant -> grant.gpus() instanceof GpuGrant.Partitions)
                .flatMap(grant -> ((GpuGrant.Partitions) grant.gpus()).partitions().stream())
                .toList();
    }

    private static List<String> asked(VectorCase vector) {
        return vector.request().need("profiles").list().stream()
                .map(YamlNode::text)
                .toList();
    }

    private static Cluster given(VectorCase vector) {
        return cluster(
                reported(vector.given().need("profiles")),
                vector.given().at("occupied").list());
    }

    private static ObjectNode feasible(VectorCase vector) {
        boolean fits = place(given(vector), pod("pod", asked(vector))).isPresent();
        return Answers.object().put("feasible", fits);
    }

    private static ObjectNode sequence(VectorCase vector) {
        Cluster cluster = given(vector);
        ArrayNode starts = Answers.object().putArray("starts");
        List<String> profiles = asked(vector);
        for (int i = 0; i < profiles.size(); i++) {
            Placement placement =
                    place(cluster, pod("pod-" + i, List.of(profiles.get(i)))).orElseThrow();
            starts.add(partitions(placement).get(0).start());
            cluster = cluster.with(placement);
        }
        ObjectNode answer = Answers.object();
        answer.set("starts", starts);
        return answer;
    }

    private static long memoryMib(YamlNode request) {
        return request.has("memPercent")
                ? request.need("memPercent").number()
                        * request.need("gpuMemMiB").number()
                        / 100
                : request.need("memMiB").number();
    }

    /** The profile with the least memory that is enough and of which as many as asked for have a place. */
    private static Optional<Placement> placeMemory(
            Cluster cluster, List<Reported> profiles, long memoryMib, int count) {
        for (Reported reported : profiles) {
            if (reported.memoryMib() >= memoryMib) {
                List<String> names =
                        java.util.Collections.nCopies(count, reported.profile().name());
                Optional<Placement> placement = place(cluster, pod("pod", names));
                if (placement.isPresent()) {
                    return placement;
                }
            }
        }
        return Optional.empty();
    }

    private static ObjectNode pick(VectorCase vector) {
        int queued = vector.request().at("alreadyQueuedOnThisGpu").integerOr(0);
        Optional<Placement> placement = placeMemory(
                given(vector), reported(vector.given().need("profiles")), memoryMib(vector.request()), 1 + queued);
        ObjectNode answer = Answers.object().put("feasible", placement.isPresent());
        placement.ifPresent(found -> {
            GpuPartition partition = partitions(found).get(0);
            answer.put("profile", partition.profile());
            int size = reported(vector.given().need("profiles")).stream()
                    .filter(one -> one.profile().name().equals(partition.profile()))
                    .findFirst()
                    .orElseThrow()
                    .profile()
                    .size();
            answer.putObject("placement").put("start", partition.start()).put("size", size);
        });
        return answer;
    }

    /** Without MIG mode a container's GPUs are distinct; with it they are partitions, which may lie on one GPU. */
    private static ObjectNode count(VectorCase vector) {
        List<YamlNode> gpus = vector.given().need("gpus").list();
        int count = vector.request().need("count").integer();
        if (!gpus.get(0).need("mode").text().equals("mig")) {
            ObjectNode answer = Answers.object().put("fits", gpus.size() >= count);
            return gpus.size() >= count ? answer : answer.put("reason", "NodeInsufficientDevice");
        }
        List<Reported> profiles = reported(gpus.get(0).need("profiles"));
        Optional<Placement> placement =
                placeMemory(cluster(profiles, List.of()), profiles, memoryMib(vector.request()), count);
        ObjectNode answer = Answers.object().put("fits", placement.isPresent());
        if (placement.isEmpty()) {
            return answer.put("reasonContains", "CardMigTopologyInfeasible");
        }
        List<GpuPartition> held = partitions(placement.get());
        String id = gpus.get(0).need("id").text();
        answer.set("gpus", Answers.texts(held.stream().map(any -> id).toList()));
        return answer.put("distinctPlacements", held.stream().distinct().count() == held.size());
    }

    /** What runs without a place that is known could be anywhere: nothing more goes onto its GPU. */
    private static ObjectNode restore(VectorCase vector) {
        List<YamlNode> stored = new ArrayList<>();
        boolean known = true;
        for (YamlNode pod : vector.given().need("runningPods").list()) {
            List<YamlNode> places = pod.at("storedPlacements").list();
            known &= !places.isEmpty();
            stored.addAll(places);
        }
        ObjectNode answer = Answers.object().put("gpuHealthy", known);
        if (stored.isEmpty()) {
            return answer;
        }
        Cluster cluster = cluster(List.of(), stored);
        ArrayNode starts = answer.putArray("occupiedStarts");
        for (YamlNode place : stored) {
            int start = place.need("start").integer();
            boolean held = cluster.placements().stream()
                    .flatMap(placement -> partitions(placement).stream())
                    .anyMatch(partition -> partition.start() == start);
            if (held) {
                starts.add(start);
            }
        }
        return answer;
    }
}
