package io.gpusched.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A cluster of nodes whose GPUs are cut by claims that make a first fit go back and forth: small partitions first, a large one last.
 */
class ClaimFillTest {
    private static final int NODES = 20;
    private static final int GPUS = 4;
    private static final List<ResourceSlice> SLICES = ClaimWorlds.cutGpus(GPUS);

    private static final Claim CLAIM = Claim.of(
            "c",
            Claim.Request.exactly(ClaimWorlds.partition("small", 1, 3)),
            Claim.Request.exactly(ClaimWorlds.partition("large", 4, 1)));

    /** What is in use before. */
    private enum Load {
        EMPTY,
        /** One slice in the middle of every second GPU. */
        HALF,
        /** Every GPU but the last of a node is given away whole. */
        FULL;

        DevicesInUse inUse() {
            Set<DeviceId> taken = new HashSet<>();
            for (int gpu = 0; gpu < GPUS; gpu++) {
                if (this == HALF && gpu % 2 == 0) {
                    taken.add(ClaimWorlds.id("gpu-" + gpu + "-1g-5"));
                } else if (this == FULL && gpu < GPUS - 1) {
                    taken.add(ClaimWorlds.id("gpu-" + gpu + "-7g-0"));
                }
            }
            return new DevicesInUse(taken, Set.of(), Map.of());
        }
    }

    /** How many claims are served until each node has refused one. */
    private static int fill(ClaimAllocator allocator, Load load) {
        List<DevicesInUse> nodes = new ArrayList<>();
        for (int n = 0; n < NODES; n++) {
            nodes.add(load.inUse());
        }
        int claims = 0;
        for (int n = 0; n < NODES; ) {
            ClaimDecision decision =
                    allocator.allocate(ClaimWorlds.NODE, SLICES, ClaimWorlds.CLASSES, nodes.get(n), List.of(CLAIM));
            if (decision instanceof ClaimDecision.Allocated allocated) {
                nodes.set(n, nodes.get(n).with(allocated.allocations()));
                claims++;
            } else {
                n++;
            }
        }
        return claims;
    }

    @ParameterizedTest
    @EnumSource
    void exact_servesAtLeastAsManyClaims_asAFirstFit_beforeTheFirstRefusal(Load load) {
        int exact = fill(ClaimAllocator.exact(), load);
        int first = fill(ClaimAllocator.firstFit(), load);
        assertThat(exact).isGreaterThanOrEqualTo(first);
        if (load == Load.EMPTY) {
            assertThat(exact).as("one a GPU").isEqualTo(NODES * GPUS).isGreaterThan(first);
        }
    }
}
