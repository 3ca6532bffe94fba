package io.gpusched.claim;

import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A random small world with everything that Kubernetes 1.38 knows: GPUs that can be cut, shares with policies, taints, pools that several nodes
 * reach, pools that are being updated, devices in use, and claims for them.
 */
record ClaimWorld(List<ClaimNode> nodes, List<ResourceSlice> slices, DevicesInUse inUse, List<Claim> claims) {
    static final String GPUS = ClaimWorlds.DRIVER;
    static final String NETS = "a-net.example.com";
    static final List<DeviceClass> CLASSES =
            List.of(DeviceClass.of("gpu", DeviceSelector.driver(GPUS)), DeviceClass.of("any"));
    private static final int SLICES = 4;
    private static final int MOST_DEVICES = 4;
    private static final List<DeviceTaint> TAINTS = List.of(
            new DeviceTaint("sick", "", DeviceTaint.Effect.NO_SCHEDULE),
            new DeviceTaint("kept", "blue", DeviceTaint.Effect.NO_EXECUTE),
            new DeviceTaint("old", "", DeviceTaint.Effect.NONE));

    static ClaimWorld of(long seed) {
        Random random = new Random(seed);
        List<ResourceSlice> slices = new ArrayList<>();
        if (random.nextBoolean()) {
            slices.addAll(cut("n1", 1 + random.nextInt(2), random));
        } else {
            slices.addAll(plain("n1", random));
        }
        if (random.nextInt(3) == 0) {
            slices.addAll(random.nextBoolean() ? spread(random) : net(random));
        }
        if (random.nextInt(4) == 0) {
            slices.addAll(plain("n2", random));
        }
        return new ClaimWorld(nodes(2), slices, inUse(slices, random), claims(random, MOST_DEVICES));
    }

    static List<Claim> claims(Random random, int mostDevices) {
        List<Claim> claims = new ArrayList<>();
        int left = mostDevices;
        for (int c = 0; c < 3 && left > 0 && (c == 0 || random.nextBoolean()); c++) {
            List<Claim.Request> requests = new ArrayList<>();
            for (int r = 0; r < 3 && left > 0 && (r == 0 || random.nextBoolean()); r++) {
                int count = 1 + random.nextInt(Math.min(left, 2));
                left -= count;
                requests.add(
                        random.nextInt(3) == 0
                                ? Claim.Request.firstAvailable(
                                        "r" + r, form("a", count, random), form("b", count, random))
                                : Claim.Request.exactly(form("r" + r, count, random)));
            }
            claims.add(new Claim("c" + c, requests, constraints(random)));
        }
        return claims;
    }

    /** Returns a world of two nodes and claims for pods of a gang. */
    static ClaimWorld ofGang(long seed) {
        Random random = new Random(seed);
        List<ResourceSlice> slices = new ArrayList<>();
        for (String node : List.of("n1", "n2")) {
            slices.addAll(random.nextBoolean() ? cut(node, 1, random) : plain(node, random));
        }
        if (random.nextBoolean()) {
            slices.addAll(random.nextBoolean() ? spread(random) : net(random));
        }
        List<Claim> claims = new ArrayList<>();
        for (int c = 0; c < 2 + random.nextInt(3); c++) {
            Claim one = claims(random, 1 + random.nextInt(2)).get(0);
            claims.add(new Claim("c" + c, one.requests(), one.constraints()));
        }
        return new ClaimWorld(nodes(2), slices, inUse(slices, random), claims);
    }

    static List<ClaimNode> nodes(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(n -> ClaimNode.of(Node.builder("n" + n)
                        .gpus(0, GpuModel.of("nvidia", "x", 1))
                        .label("zone", n % 2 == 1 ? "a" : "b")
                        .build()))
                .toList();
    }

    ClaimDecision by(ClaimAllocator allocator) {
        return allocator.allocate(nodes.get(0), slices, CLASSES, inUse, claims);
    }

    PlainSearch search(boolean givesUp) {
        List<List<ClaimNode>> places =
                claims.stream().map(claim -> List.of(nodes.get(0))).toList();
        return new PlainSearch(places, slices, CLASSES, inUse, claims, Collections.nCopies(claims.size(), 0), givesUp);
    }

    ClaimWorld with(List<Claim> others) {
        return new ClaimWorld(nodes, slices, inUse, others);
    }

    boolean hasAdmin() {
        return claims.stream()
                .flatMap(claim -> claim.requests().stream())
                .flatMap(request -> request.alternatives().stream())
                .anyMatch(DeviceRequest::adminAccess);
    }

    private static DeviceAmount amount(double value) {
        return DeviceAmount.of(BigDecimal.valueOf(value));
    }

    // ---- devices ----

    /** GPUs of four slices, cut into wholes, halves and quarters; a quarter may be shareable. */
    static List<ResourceSlice> cut(String node, int gpus, Random random) {
        List<ResourceSlice.CounterSet> sets = new ArrayList<>();
        List<Device> devices = new ArrayList<>();
        boolean shares = random.nextInt(4) == 0;
        boolean whole = random.nextBoolean();
        for (int g = 0; g < gpus; g++) {
            sets.add(new ResourceSlice.CounterSet("gpu-" + g, counters(0, SLICES, 1)));
            for (int size = whole ? SLICES : SLICES / 2; size > 0; size /= 2) {
                for (int start = 0; start < SLICES; start += size) {
                    devices.add(device("gpu-" + g + "-" + size + "-" + start, g, random)
                            .attribute("slices", AttributeValue.of(size))
                            .attribute("parent", AttributeValue.of("gpu-" + g))
                            .capacity("memory", DeviceCapacity.of(DeviceAmount.of(10L * size)))
                            .consumes(Device.CounterUse.of("gpu-" + g, counters(start, size, 1)))
                            .shareable(shares && size == 1)
                            .build());
                }
            }
        }
        NodeScope here = new NodeScope.Named(node);
        return List.of(
                new ResourceSlice(node + "-0", GPUS, node, 1, 2, here, sets, List.of(), false),
                new ResourceSlice(node + "-1", GPUS, node, 1, 2, here, List.of(), devices, false));
    }

    private static Map<String, DeviceAmount> counters(int start, int size, long each) {
        Map<String, DeviceAmount> counters = new TreeMap<>();
        for (int i = start; i < start + size; i++) {
            counters.put("slice-" + i, DeviceAmount.of(each));
        }
        return counters;
    }

    private static Device.Builder device(String name, int numa, Random random) {
        Device.Builder device = Device.builder(name);
        if (random.nextInt(6) > 0) {
            device.attribute(random.nextInt(5) == 0 ? GPUS + "/numa" : "numa", AttributeValue.of(numa));
        }
        if (random.nextInt(6) == 0) {
            device.taint(TAINTS.get(random.nextInt(TAINTS.size())));
        }
        return device;
    }

    static List<ResourceSlice> plain(String node, Random random) {
        NodeScope here = new NodeScope.Named(node);
        List<ResourceSlice> slices = new ArrayList<>();
        int count = 1 + random.nextInt(2);
        for (int s = 0; s < count; s++) {
            List<Device> devices = new ArrayList<>();
            for (int i = 0; i < 2 + random.nextInt(3) - count / 2; i++) {
                devices.add(device("d" + s + i, random.nextInt(3), random)
                        .attribute("slices", AttributeValue.of(1 + random.nextInt(2)))
                        .attribute("parent", AttributeValue.of("p" + random.nextInt(3)))
                        .capacity(random.nextInt(4) == 0 ? GPUS + "/memory" : "memory", capacity(random))
                        .shareable(random.nextInt(3) == 0)
                        .build());
            }
            slices.add(new ResourceSlice(node + "-" + (9 - s), GPUS, node, 3, count, here, List.of(), devices, false));
        }
        if (random.nextInt(8) == 0) {
            slices.add(new ResourceSlice(
                    node + "-old",
                    GPUS,
                    node,
                    2,
                    count,
                    here,
                    List.of(),
                    List.of(Device.builder("gone").build()),
                    false));
        }
        return slices;
    }

    private static DeviceCapacity capacity(Random random) {
        DeviceAmount value = DeviceAmount.of(10L * (1 + random.nextInt(3)));
        Optional<DeviceAmount> standard =
                random.nextBoolean() ? Optional.of(amount(5 + 2.5 * random.nextInt(3))) : Optional.empty();
        Optional<DeviceCapacity.RequestPolicy> policy = Optional.empty();
        int kind = random.nextInt(4);
        if (kind == 1) {
            policy = Optional.of(new DeviceCapacity.RequestPolicy(
                    standard, List.of(amount(5), amount(10), amount(15)), Optional.empty()));
        } else if (kind == 2) {
            double step = random.nextBoolean() ? 4 : 2.5;
            policy = Optional.of(new DeviceCapacity.RequestPolicy(
                    standard,
                    List.of(),
                    Optional.of(new DeviceCapacity.ValidRange(
                            amount(random.nextInt(3)),
                            random.nextBoolean() ? Optional.of(amount(15)) : Optional.empty(),
                            random.nextBoolean() ? Optional.of(amount(step)) : Optional.empty()))));
        }
        return new DeviceCapacity(value, policy);
    }

    /** A pool of several nodes: counters that all reach, devices of each node beside it. */
    private static List<ResourceSlice> spread(Random random) {
        List<ResourceSlice> slices = new ArrayList<>();
        boolean complete = random.nextInt(8) > 0;
        slices.add(new ResourceSlice(
                "s-0",
                NETS,
                "spread",
                1,
                complete ? 3 : 4,
                new NodeScope.AllNodes(),
                List.of(new ResourceSlice.CounterSet("lanes", counters(0, 2, 2))),
                List.of(),
                false));
        for (int n = 1; n <= 2; n++) {
            List<Device> devices = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                devices.add(device("l" + n + i, i, random)
                        .consumes(Device.CounterUse.of("lanes", counters(random.nextInt(2), 1, 1 + random.nextInt(2))))
                        .build());
            }
            slices.add(new ResourceSlice(
                    "s-" + n,
                    NETS,
                    "spread",
                    1,
                    complete ? 3 : 4,
                    new NodeScope.Named("n" + n),
                    List.of(),
                    devices,
                    false));
        }
        return slices;
    }

    private static List<ResourceSlice> net(Random random) {
        NodeScope inZone =
                new NodeScope.Selected(NodeSelector.all(NodeRequirement.in("zone", random.nextBoolean() ? "a" : "b")));
        int kind = random.nextInt(3);
        List<Device> devices = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            Device.Builder device = device("net-" + i, random.nextInt(2), random);
            if (kind == 2) {
                device.scope(List.of(inZone, new NodeScope.AllNodes(), new NodeScope.Named("n1"))
                        .get(random.nextInt(3)));
            }
            devices.add(device.build());
        }
        NodeScope scope = List.of(inZone, new NodeScope.AllNodes(), new NodeScope.PerDevice())
                .get(kind);
        return List.of(new ResourceSlice("net-0", NETS, "net", 1, 1, scope, List.of(), devices, false));
    }

    static DevicesInUse inUse(List<ResourceSlice> slices, Random random) {
        Set<DeviceId> alone = new HashSet<>();
        Set<DeviceId> shared = new HashSet<>();
        Map<DeviceId, Map<String, DeviceAmount>> consumed = new HashMap<>();
        for (ResourceSlice slice : slices) {
            for (Device device : slice.devices()) {
                DeviceId id = slice.idOf(device);
                if (!device.isShareable() && random.nextInt(8) == 0) {
                    alone.add(id);
                } else if (random.nextInt(device.isShareable() ? 4 : 40) == 0) {
                    shared.add(id);
                    if (!device.capacity().isEmpty() && random.nextInt(3) > 0) {
                        consumed.put(id, Map.of("memory", amount(2.5 * random.nextInt(5))));
                    }
                }
            }
        }
        return new DevicesInUse(alone, shared, consumed);
    }

    // ---- claims ----

    static List<Claim.Constraint> constraints(Random random) {
        List<Claim.Constraint> constraints = new ArrayList<>();
        for (int i = 0; i < 2 && random.nextInt(3) == 0; i++) {
            constraints.add(new Claim.Constraint(
                    random.nextBoolean() ? Claim.Constraint.Kind.MATCH : Claim.Constraint.Kind.DISTINCT,
                    random.nextBoolean() ? GPUS + "/numa" : GPUS + "/parent",
                    List.of(Set.<String>of(), Set.of("r0"), Set.of("r0", "r1/b"), Set.of("r0/a", "r1"))
                            .get(random.nextInt(4))));
        }
        return constraints;
    }

    static DeviceRequest form(String name, int count, Random random) {
        DeviceRequest.Builder form = DeviceRequest.builder(name, random.nextInt(3) == 0 ? "any" : "gpu")
                .count(count)
                .adminAccess(random.nextInt(10) == 0);
        if (random.nextInt(10) == 0) {
            form.mode(DeviceRequest.Mode.ALL);
        }
        if (random.nextInt(3) == 0) {
            form.selector(ClaimWorlds.attribute("slices", 1L << random.nextInt(3)));
        }
        if (random.nextInt(6) == 0) {
            form.selector(ClaimWorlds.attribute("numa", (long) random.nextInt(2)));
        }
        if (random.nextInt(4) == 0) {
            form.capacity(random.nextBoolean() ? "memory" : GPUS + "/memory", amount(2.5 * random.nextInt(7)));
        }
        if (random.nextInt(3) == 0) {
            DeviceTaint taint = TAINTS.get(random.nextInt(2));
            form.toleration(new DeviceToleration(
                    random.nextBoolean() ? taint.key() : "",
                    random.nextBoolean(),
                    taint.value(),
                    random.nextBoolean() ? Optional.of(taint.effect()) : Optional.empty()));
        }
        return form.build();
    }
}
