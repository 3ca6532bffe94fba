package io.gpusched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class FairShareTest {
    private static FairShare.Claim claim(String name, long deserved, long weight, long requested, int priority) {
        Quota quota = new Quota(deserved, Quota.UNLIMITED, weight);
        return new FairShare.Claim(name, quota, requested, priority, 0, 0);
    }

    @Test
    void whatIsLeftGoesByWeight_roundedDown_andTheRestToTheGreatestFraction() {
        FairShare.Division division = FairShare.divide(
                10, 1, 0, List.of(claim("a", 2, 1, 10, 0), claim("b", 2, 1, 3, 0), claim("c", 2, 1, 10, 0)));
        assertThat(division.shares()).isEqualTo(Map.of("a", 4L, "b", 3L, "c", 3L));
        assertThat(division.left()).isZero();
    }

    @Test
    void higherPriorityIsServedFirst() {
        FairShare.Division division =
                FairShare.divide(5, 1, 0, List.of(claim("a", 0, 1, 4, 0), claim("b", 0, 1, 4, 1)));
        assertThat(division.shares()).isEqualTo(Map.of("a", 1L, "b", 4L));
    }

    @Test
    void pastUsageLowersTheWeight() {
        Quota quota = new Quota(0, Quota.UNLIMITED, 1);
        FairShare.Division division = FairShare.divide(
                12,
                1,
                1_000,
                List.of(
                        new FairShare.Claim("idle", quota, 12, 0, 0, 0),
                        new FairShare.Claim("busy", quota, 12, 0, 0, 500)));
        assertThat(division.shares()).isEqualTo(Map.of("idle", 8L, "busy", 4L));
    }

    @Test
    void whatAQueueDeserves_itHasBeforeTheOthersShare() {
        assertThat(FairShare.divide(10, 1, 0, List.of(claim("a", 8, 1, 10, 0), claim("b", 2, 1, 10, 0)))
                        .shares())
                .isEqualTo(Map.of("a", 8L, "b", 2L));
        assertThat(FairShare.divide(10, 1, 0, List.of(claim("a", Quota.UNLIMITED, 1, 9, 0), claim("b", 0, 1, 10, 0)))
                        .shares())
                .isEqualTo(Map.of("a", 9L, "b", 1L));
    }

    @Test
    void whatAQueueDoesNotAskFor_isDividedAgain() {
        FairShare.Division division =
                FairShare.divide(12, 1, 0, List.of(claim("a", 0, 1, 2, 0), claim("b", 0, 1, 10, 0)));
        assertThat(division).isEqualTo(new FairShare.Division(Map.of("a", 2L, "b", 10L), 0));
    }

    @Test
    void sharesAreMultiplesOfTheUnit_unlessAQueueIsSatisfied() {
        assertThat(FairShare.divide(3_000, 1_000, 0, List.of(claim("a", 0, 1, 1_500, 0), claim("b", 0, 1, 1_500, 0)))
                        .shares())
                .isEqualTo(Map.of("a", 1_500L, "b", 1_500L));
        assertThat(FairShare.divide(7_000, 1_000, 0, List.of(claim("a", 0, 2, 9_000, 0), claim("b", 0, 3, 9_000, 0)))
                        .shares())
                .isEqualTo(Map.of("a", 3_000L, "b", 4_000L));
    }

    @Test
    void ofEqualFractions_theOldestQueueGetsTheUnitThatIsLeft_thenTheFirstByName() {
        Quota quota = new Quota(0, Quota.UNLIMITED, 1);
        FairShare.Claim young = new FairShare.Claim("a", quota, 5, 0, 9, 0);
        FairShare.Claim old = new FairShare.Claim("c", quota, 5, 0, 3, 0);
        FairShare.Claim oldToo = new FairShare.Claim("b", quota, 5, 0, 3, 0);
        assertThat(FairShare.divide(3, 1, 0, List.of(young, old)).shares()).isEqualTo(Map.of("a", 1L, "c", 2L));
        assertThat(FairShare.divide(3, 1, 0, List.of(old, oldToo)).shares()).isEqualTo(Map.of("c", 1L, "b", 2L));
    }

    @Test
    void aQueueWithoutWeight_getsNothingOverQuota() {
        FairShare.Division division =
                FairShare.divide(5, 10, 0, List.of(claim("none", 0, 0, 5, 0), claim("some", 0, 1, 20, 0)));
        assertThat(division.shares().get("none")).isZero();
    }

    @Test
    void divideOverQuota_goesOnFromWhatQueuesHave() {
        FairShare.Division division = FairShare.divideOverQuota(
                6, 1, 0, List.of(claim("a", 0, 1, 5, 0), claim("b", 0, 1, 5, 0)), Map.of("a", 4L));
        assertThat(division).isEqualTo(new FairShare.Division(Map.of("a", 5L, "b", 5L), 0));
    }

    @Test
    void usageHalvesWithinEachHalfLife() {
        UsageHistory history = UsageHistory.ofHalfLife(100).plus("q", QueueResource.GPU, 8_000);
        assertThat(history.at(100).used("q", QueueResource.GPU)).isEqualTo(4_000);
        assertThat(history.at(175).used("q", QueueResource.GPU)).isEqualTo(2_500);
        assertThat(history.at(100_000).used("q", QueueResource.GPU)).isZero();
    }

    @Property(tries = 200)
    void nobodyGetsMoreThanItAsksFor_andOverQuotaNoMoreThanThereIs(
            @ForAll @LongRange(max = 100) long total,
            @ForAll @LongRange(max = 60) long first,
            @ForAll @LongRange(max = 60) long second,
            @ForAll @LongRange(max = 9) long weight) {
        FairShare.Division division =
                FairShare.divide(total, 1, 0, List.of(claim("a", 0, weight, first, 0), claim("b", 0, 3, second, 0)));
        long a = division.shares().get("a");
        long b = division.shares().get("b");
        assertThat(a).isBetween(0L, first);
        assertThat(b).isBetween(0L, second);
        assertThat(a + b + division.left()).isEqualTo(total);
    }
}
