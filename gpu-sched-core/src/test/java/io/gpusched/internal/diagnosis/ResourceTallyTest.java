package io.gpusched.internal.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Amount;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ResourceTallyTest {
    private static final NamedAmounts ASKED = NamedAmounts.of(Map.of("rdma/hca", 4L, "disk", 100L));

    private static Amount disk(long total, long greatest) {
        return new Amount(Amount.Quantity.RESOURCE, 100, total, greatest, "disk");
    }

    @Test
    void whatAnyNodeLacks_isAddedUpOverAllOfThem() {
        ResourceTally tally = new ResourceTally(ASKED);
        tally.add(NamedAmounts.of(Map.of("disk", 30L, "rdma/hca", 4L)));
        tally.add(NamedAmounts.of(Map.of("disk", 150L, "rdma/hca", 9L)));
        tally.add(NamedAmounts.of(Map.of("disk", 20L, "rdma/hca", 5L)));
        assertThat(tally.amounts()).containsExactly(disk(200, 150));
    }

    @Test
    void whatIsAskedToTheLastUnit_isNotShort() {
        ResourceTally tally = new ResourceTally(ASKED);
        tally.add(ASKED);
        assertThat(tally.amounts()).isEmpty();
    }

    @Test
    void whatANodeDoesNotHave_countsAsNothing_andStandsAfterTheOtherAmounts() {
        ResourceTally tally = new ResourceTally(ASKED);
        tally.add(NamedAmounts.NONE);
        Amount cpu = new Amount(Amount.Quantity.CPU_MILLIS, 1, 2, 3, "");
        assertThat(tally.amounts(cpu))
                .containsExactly(cpu, disk(0, 0), new Amount(Amount.Quantity.RESOURCE, 4, 0, 0, "rdma/hca"));
    }

    @Test
    void sumsThatWouldBeTooLarge_stayAtTheLimit() {
        ResourceTally tally = new ResourceTally(ASKED);
        tally.add(NamedAmounts.of(Map.of("disk", Resources.MAX_SUM - 5)));
        tally.add(NamedAmounts.of(Map.of("disk", 10L)));
        assertThat(tally.amounts()).contains(disk(Resources.MAX_SUM, Resources.MAX_SUM - 5));
        tally.add(NamedAmounts.of(Map.of("disk", 1L)));
        assertThat(tally.amounts()).contains(disk(Resources.MAX_SUM, Resources.MAX_SUM - 5));
    }

    @Test
    void oneOfThousandNames_isCountedOnThousandsOfNodes() {
        Map<String, Long> asked = new TreeMap<>();
        for (int i = 0; i < 2_000; i++) {
            asked.put("resource-" + i, 2L);
        }
        ResourceTally tally = new ResourceTally(NamedAmounts.of(asked));
        NamedAmounts one = NamedAmounts.of(Map.of("resource-7", 1L));
        for (int node = 0; node < 10_000; node++) {
            tally.add(one);
        }
        assertThat(tally.amounts())
                .hasSize(2_000)
                .contains(new Amount(Amount.Quantity.RESOURCE, 2, 10_000, 1, "resource-7"));
    }
}
