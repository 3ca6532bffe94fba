package io.gpusched.internal.gang;

import static io.gpusched.internal.gang.Gangs.gang;
import static io.gpusched.internal.gang.Gangs.join;
import static io.gpusched.internal.gang.Gangs.pod;
import static io.gpusched.internal.gang.Gangs.pods;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GangTest {
    /** Two of the role are needed, of two kinds, of 10 and 4 CPUs; and of others of 1 CPU as many as make four. */
    private static final Gang GANG = gang(
            4,
            new PodGroup.Role(
                    "role",
                    2,
                    List.of(
                            pod("large-0", 10, GpuRequest.none()),
                            pod("large-1", 10, GpuRequest.none()),
                            pod("middle-0", 4, GpuRequest.none()),
                            pod("middle-1", 4, GpuRequest.none()))),
            new PodGroup.Role(
                    "other",
                    0,
                    List.of(
                            pod("small-0", 1, GpuRequest.none()),
                            pod("small-1", 1, GpuRequest.none()),
                            pod("small-2", 1, GpuRequest.none()))));

    private static long cpu(MemberKind kind) {
        return kind.demand().resources().cpuMillis();
    }

    /** By kind: large, middle, small. */
    private static long leastCpu(int[] placed, int... most) {
        List<MemberKind> leastFirst = new ArrayList<>(GANG.kinds());
        leastFirst.sort(Comparator.comparingLong(GangTest::cpu));
        return GANG.leastSum(placed, most, leastFirst, GangTest::cpu);
    }

    private static int[] of(int... counts) {
        return counts;
    }

    @Test
    void leastSum_isOfTheCheapestOfEachRoleAndThenOfTheCheapestOfAll() {
        assertThat(GANG.leastSum(GangTest::cpu)).isEqualTo(4 + 4 + 1 + 1);
    }

    @Test
    void leastSum_besideMembersWithAPlace_isOfThoseStillMissing() {
        assertThat(leastCpu(of(1, 0, 0), 2, 2, 3)).isEqualTo(4 + 1 + 1);
        assertThat(leastCpu(of(0, 0, 2), 2, 2, 3)).isEqualTo(4 + 4);
        assertThat(leastCpu(of(2, 2, 0), 2, 2, 3)).isZero();
    }

    @Test
    void leastSum_whereOnlySomeMayHaveAPlace_isOfThese() {
        assertThat(leastCpu(of(0, 1, 0), 2, 2, 1)).isEqualTo(4 + 1 + 10);
        assertThat(leastCpu(of(0, 0, 0), 0, 2, 1)).isEqualTo(4 + 4 + 1);
    }

    @Test
    void least_ofAKind_isWhatTheOthersLeaveOfTheMinimums() {
        assertThat(GANG.least(of(1, 1, 3))).containsExactly(1, 1, 2);
        assertThat(GANG.least(of(2, 2, 3))).containsExactly(0, 0, 0);
        assertThat(GANG.least(of(2, 1, 1))).containsExactly(2, 1, 1);
    }

    @Test
    void canStart_withTheMinimumOfEachRoleAndOfTheGroup() {
        assertThat(GANG.canStart(of(1, 1, 2))).isTrue();
        assertThat(GANG.canStart(of(1, 1, 1))).isFalse();
        assertThat(GANG.canStart(of(1, 0, 3))).isFalse();
    }

    @Test
    void largestFirst_areWholeNodesThenIdleGpusThenGpusThenCpu() {
        List<Pod> smallestFirst = List.of(
                pod("a", 1, GpuRequest.percent(10)),
                pod("b", 2, GpuRequest.percent(10)),
                pod("c", 1, GpuRequest.percent(10).withCount(2)),
                pod("d", 1, GpuRequest.exclusive(1)),
                pod("e", 1, GpuRequest.exclusive(4)),
                pod("f", 1, GpuRequest.wholeNode()));
        List<MemberKind> kinds = new ArrayList<>(gang(smallestFirst).kinds());

        kinds.sort(Gang.LARGEST_FIRST);

        assertThat(kinds.stream().map(kind -> kind.demand().pod().id().name()))
                .containsExactly("f", "e", "d", "c", "b", "a");
    }

    @Test
    void looksAtUuids_ifAnyMemberDoes() {
        GpuRequest chosen = GpuRequest.exclusive(1, GpuSelector.ANY.withAllowedUuids(Set.of("g1")));

        assertThat(gang(pods(2, "p", GpuRequest.exclusive(1))).looksAtUuids()).isFalse();
        assertThat(gang(join(pods(1, "p", GpuRequest.exclusive(1)), pods(1, "q", chosen)))
                        .looksAtUuids())
                .isTrue();
    }

    @Test
    void shareMillis_areThoseThatTheSharesOfAMemberTakeTogether() {
        Gang gang = gang(pods(1, "p", GpuRequest.percent(30).withCount(2)));

        assertThat(gang.kinds().get(0).shareMillis()).isEqualTo(600);
    }
}
