package io.gpusched.claim;

import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A small random cluster and gang: nodes with whole GPUs in two NUMA domains, or GPUs of four slices; devices that all nodes reach; pods with
 * one or two claims, some of which they share.
 *
 * @param nodes one to three
 * @param slices at most 48 devices
 * @param inUse some of them
 * @param gang two to eight pods
 */
record GangWorld(List<ClaimNode> nodes, List<ResourceSlice> slices, DevicesInUse inUse, ClaimGang gang) {
    static final String NUMA = ClaimWorlds.DRIVER + "/numa";
    static final List<DeviceClass> CLASSES = List.of(
            DeviceClass.of("gpu", kind("gpu")),
            DeviceClass.of("part", kind("part")),
            DeviceClass.of("net", kind("net")));

    private static final int MOST_PODS = 8;
    private static final int SLICES = 4;

    private static DeviceSelector kind(String kind) {
        return ClaimWorlds.attribute("kind", kind);
    }

    static GangWorld of(long seed) {
        return of(seed, MOST_PODS);
    }

    static GangWorld of(long seed, int mostPods) {
        Random random = new Random(seed);
        List<ClaimNode> nodes = new ArrayList<>();
        List<ResourceSlice> slices = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int n = 0; n < count; n++) {
            String name = "n" + n;
            nodes.add(ClaimNode.of(
                    Node.builder(name).gpus(0, GpuModel.of("nvidia", "x", 1)).build()));
            slices.addAll(random.nextInt(3) > 0 ? cut(name, 1 + random.nextInt(2)) : plain(name, random));
        }
        if (random.nextInt(4) > 0) {
            slices.add(fabric(random));
        }
        Set<DeviceId> taken = new HashSet<>();
        slices.forEach(slice -> slice.devices().forEach(device -> {
            boolean isWhole = device.consumes().isEmpty() || device.name().endsWith("-1-0");
            if (isWhole && random.nextInt(8) == 0) {
                taken.add(slice.idOf(device));
            }
        }));
        return new GangWorld(
                nodes,
                slices,
                new DevicesInUse(taken, Set.of(), Map.of()),
                gang(random, 2 + random.nextInt(mostPods - 1), count));
    }

    private static List<ResourceSlice> plain(String node, Random random) {
        List<Device> devices = new ArrayList<>();
        for (int i = 0; i <= 1 + random.nextInt(4); i++) {
            devices.add(device("gpu-" + i, "gpu", i % 2).build());
        }
        return List.of(ResourceSlice.of(node + "-0", ClaimWorlds.DRIVER, node, new NodeScope.Named(node), devices));
    }

    private static Device.Builder device(String name, String kind, int numa) {
        return Device.builder(name)
                .attribute("kind", AttributeValue.of(kind))
                .attribute("numa", AttributeValue.of(numa));
    }

    /** GPUs of four slices: whole, halves, quarters. */
    private static List<ResourceSlice> cut(String node, int gpus) {
        List<ResourceSlice.CounterSet> sets = new ArrayList<>();
        List<Device> devices = new ArrayList<>();
        for (int g = 0; g < gpus; g++) {
            String set = "gpu-" + g;
            sets.add(new ResourceSlice.CounterSet(set, counters(0, SLICES)));
            for (int size = SLICES; size > 0; size /= 2) {
                for (int start = 0; start < SLICES; start += size) {
                    String kind = size == SLICES ? "gpu" : "part";
                    devices.add(device(set + "-" + size + "-" + start, kind, g)
                            .attribute("slices", AttributeValue.of(size))
                            .consumes(Device.CounterUse.of(set, counters(start, size)))
                            .build());
                }
            }
        }
        NodeScope here = new NodeScope.Named(node);
        String driver = ClaimWorlds.DRIVER;
        return List.of(
                new ResourceSlice(node + "-0", driver, node, 1, 2, here, sets, List.of(), false),
                new ResourceSlice(node + "-1", driver, node, 1, 2, here, List.of(), devices, false));
    }

    private static Map<String, DeviceAmount> counters(int start, int size) {
        Map<String, DeviceAmount> counters = new TreeMap<>();
        for (int i = start; i < start + size; i++) {
            counters.put("slice-" + i, DeviceAmount.of(1));
        }
        return counters;
    }

    private static ResourceSlice fabric(Random random) {
        List<Device> devices = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(2); i++) {
            devices.add(device("ch-" + i, "net", 0).build());
        }
        return ResourceSlice.of("net-0", ClaimWorlds.DRIVER, "net", new NodeScope.AllNodes(), devices);
    }

    private static ClaimGang gang(Random random, int pods, int nodes) {
        List<ClaimGang.PodClaim> claims = new ArrayList<>();
        boolean shares = random.nextInt(3) == 0;
        if (shares) {
            claims.add(ClaimGang.PodClaim.ofGroup(claim("shared", random)));
        }
        List<ClaimGang.Pod> members = new ArrayList<>();
        for (int p = 0; p < pods; p++) {
            List<String> own = new ArrayList<>();
            for (int c = 0; c <= random.nextInt(4) / 3; c++) {
                String name = "p" + p + "-" + c;
                claims.add(ClaimGang.PodClaim.of(claim(name, random)));
                own.add(name);
            }
            if (shares && random.nextBoolean()) {
                own.add("shared");
            }
            Optional<Set<String>> only =
                    random.nextInt(5) == 0 ? Optional.of(Set.of("n" + random.nextInt(nodes))) : Optional.empty();
            members.add(new ClaimGang.Pod("p" + p, own, only));
        }
        return new ClaimGang(members, claims);
    }

    private static Claim claim(String name, Random random) {
        Claim.Request request = random.nextInt(3) == 0
                ? Claim.Request.exactly(form("r", random))
                : Claim.Request.firstAvailable("r", form("a", random), form("b", random));
        List<Claim.Constraint> constraints = random.nextInt(3) == 0
                ? List.of(new Claim.Constraint(
                        random.nextBoolean() ? Claim.Constraint.Kind.MATCH : Claim.Constraint.Kind.DISTINCT,
                        NUMA,
                        Set.of()))
                : List.of();
        return new Claim(name, List.of(request), constraints);
    }

    private static DeviceRequest form(String name, Random random) {
        DeviceRequest.Builder form = DeviceRequest.builder(
                        name,
                        List.of("gpu", "gpu", "part", "part", "part", "net").get(random.nextInt(6)))
                .count(1 + random.nextInt(6) / 5);
        if (random.nextInt(6) == 0) {
            form.selector(ClaimWorlds.attribute("slices", 1L << random.nextInt(3)));
        }
        return form.build();
    }

    GangDecision decide() {
        return ClaimAllocator.exact().allocateGang(nodes, slices, CLASSES, inUse, gang);
    }
}
