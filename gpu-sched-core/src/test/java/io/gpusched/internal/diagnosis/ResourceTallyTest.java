package io.gpusched.internal.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Amount;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import java.lang.management.ManagementFactory;
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
    void aNode_isCountedByTheNamesThatItHas_notByThoseThatAreAskedFor() {
        counting(2_000);
        // looking at each name for each node would take a hundred times as long; a fifth of a second more is for a busy
        // machine
        assertThat(counting(2_000)).isLessThan(20 * counting(20) + 200_000_000);
    }

    /** The CPU time, in nanoseconds, of counting many nodes that have one of so many names. */
    private static long counting(int names) {
        Map<String, Long> asked = new TreeMap<>();
        for (int i = 0; i < names; i++) {
            asked.put("resource-" + i, 2L);
        }
        ResourceTally tally = new ResourceTally(NamedAmounts.of(asked));
        NamedAmounts one = NamedAmounts.of(Map.of("resource-7", 1L));
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int node = 0; node < 10_000; node++) {
            tally.add(one);
        }
        long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        assertThat(tally.amounts())
                .hasSize(names)
                .contains(new Amount(Amount.Quantity.RESOURCE, 2, 10_000, 1, "resource-7"));
        return nanos;
    }
}
