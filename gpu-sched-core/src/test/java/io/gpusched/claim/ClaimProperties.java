package io.gpusched.claim;

import static io.gpusched.claim.ClaimWorlds.CLASSES;
import static io.gpusched.claim.ClaimWorlds.DRIVER;
import static io.gpusched.claim.ClaimWorlds.NODE;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.verify.Verifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Random small worlds, judged by a search without any cleverness. */
class ClaimProperties {
    private static final String SEED = "4545";

    /** A world: slices, what is in use, claims. */
    private record World(List<ResourceSlice> slices, DevicesInUse inUse, List<Claim> claims) {
        static World of(long seed) {
            Random random = new Random(seed);
            List<ResourceSlice> slices =
                    random.nextBoolean() ? ClaimWorlds.cutGpus(1 + random.nextInt(2)) : plain(random);
            Set<DeviceId> taken = new HashSet<>();
            for (ResourceSlice slice : slices) {
                slice.devices().forEach(device -> {
                    if (random.nextInt(9) == 0) {
                        taken.add(slice.idOf(device));
                    }
                });
            }
            List<Claim> claims = new ArrayList<>();
            for (int c = 0; c <= random.nextInt(2); c++) {
                claims.add(claim("c" + c, random));
            }
            return new World(slices, new DevicesInUse(taken, Set.of(), Map.of()), claims);
        }

        private static List<ResourceSlice> plain(Random random) {
            Device[] devices = new Device[2 + random.nextInt(5)];
            for (int i = 0; i < devices.length; i++) {
                devices[i] = Device.builder("d" + i)
                        .attribute("slices", AttributeValue.of(1 + random.nextInt(2)))
                        .attribute("parent", AttributeValue.of("p" + random.nextInt(3)))
                        .capacity("memory", DeviceCapacity.of(DeviceAmount.of(10L * (1 + random.nextInt(3)))))
                        .shareable(random.nextInt(4) == 0)
                        .build();
            }
            return ClaimWorlds.slice(devices);
        }

        private static Claim claim(String name, Random random) {
            List<Claim.Request> requests = new ArrayList<>();
            for (int r = 0; r <= random.nextInt(3); r++) {
                requests.add(
                        random.nextInt(3) == 0
                                ? Claim.Request.firstAvailable("r" + r, form("a", random), form("b", random))
                                : Claim.Request.exactly(form("r" + r, random)));
            }
            List<Claim.Constraint> constraints = new ArrayList<>();
            if (random.nextInt(3) == 0) {
                Claim.Constraint.Kind kind =
                        random.nextBoolean() ? Claim.Constraint.Kind.MATCH : Claim.Constraint.Kind.DISTINCT;
                Set<String> about = random.nextBoolean() ? Set.of() : Set.of("r0");
                constraints.add(new Claim.Constraint(kind, DRIVER + "/parent", about));
            }
            return new Claim(name, requests, constraints);
        }

        private static DeviceRequest form(String name, Random random) {
            DeviceRequest.Builder form = DeviceRequest.builder(name, "gpu").count(1 + random.nextInt(3));
            if (random.nextInt(3) > 0) {
                long slices = 1L << random.nextInt(3);
                form.selector(ClaimWorlds.attribute("slices", slices));
            }
            if (random.nextInt(4) == 0) {
                form.capacity("memory", DeviceAmount.of(5L * (1 + random.nextInt(3))));
            }
            return form.build();
        }

        ClaimDecision by(ClaimAllocator allocator) {
            return allocator.allocate(NODE, slices, CLASSES, inUse, claims);
        }

        void assertIsLawful(ClaimDecision.Allocated allocated) {
            assertThat(Verifier.create()
                            .check(NODE, slices, CLASSES, inUse, ClaimFeature.KUBERNETES_1_38, claims, allocated))
                    .isEmpty();
        }

        BruteForce bruteForce() {
            return new BruteForce(slices, inUse, claims);
        }
    }

    @Property(tries = 1000, seed = SEED)
    void exactAnswers_areFeasibleWhenBruteForceSaysSo_andLegal(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
        World world = World.of(seed);
        ClaimDecision decision = world.by(ClaimAllocator.exact());
        BruteForce force = world.bruteForce();
        if (decision instanceof ClaimDecision.Allocated allocated) {
            assertThat(allocated.certainty()).isEqualTo(Certainty.PROVEN);
            world.assertIsLawful(allocated);
            assertThat(force.chosen(allocated.allocations())).isEqualTo(force.bestForms());
        } else {
            assertThat(force.bestForms()).isEmpty();
        }
    }

    @Property(tries = 500, seed = SEED)
    void firstFit_agreesOnFeasibility_andIsLegal(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
        World world = World.of(seed);
        ClaimDecision decision = world.by(ClaimAllocator.firstFit());
        if (decision instanceof ClaimDecision.Allocated allocated) {
            world.assertIsLawful(allocated);
        } else {
            assertThat(world.bruteForce().bestForms()).isEmpty();
        }
    }

    @Property(tries = 300, seed = SEED)
    void conflicts_areSmallest(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
        World world = World.of(seed);
        if (world.by(ClaimAllocator.exact()) instanceof ClaimRefusal refused) {
            ClaimConflict conflict = refused.conflict();
            assertThat(conflict.isSmallest()).isTrue();
            int smallest = Integer.MAX_VALUE;
            List<String> names = new ArrayList<>();
            world.claims()
                    .forEach(claim -> claim.requests().forEach(one -> names.add(claim.name() + "/" + one.name())));
            for (int mask = 1; mask < 1 << names.size(); mask++) {
                Set<String> some = new HashSet<>();
                for (int i = 0; i < names.size(); i++) {
                    if ((mask >> i & 1) != 0) {
                        some.add(names.get(i));
                    }
                }
                if (some.size() < smallest
                        && new BruteForce(world.slices(), world.inUse(), only(world.claims(), some))
                                .bestForms()
                                .isEmpty()) {
                    smallest = some.size();
                }
            }
            assertThat(conflict.names()).hasSize(smallest);
            List<Claim> core = only(world.claims(), Set.copyOf(conflict.names()));
            assertThat(new BruteForce(world.slices(), world.inUse(), core).bestForms())
                    .isEmpty();
        }
    }

    private static List<Claim> only(List<Claim> claims, Set<String> names) {
        List<Claim> some = new ArrayList<>();
        for (Claim claim : claims) {
            List<Claim.Request> requests = claim.requests().stream()
                    .filter(one -> names.contains(claim.name() + "/" + one.name()))
                    .toList();
            some.add(new Claim(claim.name(), requests, claim.constraints()));
        }
        return some;
    }
}
