package io.gpusched.internal.fit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SearchStepsTest {
    @Test
    void take_upToTheLastStep_isAllowedAndNotReached() {
        SearchSteps steps = SearchSteps.of(10);

        assertThat(steps.take(10)).isTrue();
        assertThat(steps.isReached()).isFalse();
        assertThat(steps.left()).isZero();
    }

    @Test
    void take_oneMore_isRefusedAndStaysSo() {
        SearchSteps steps = SearchSteps.of(10);

        assertThat(steps.take(11)).isFalse();
        assertThat(steps.take(0)).isFalse();
        assertThat(steps.isReached()).isTrue();
    }

    @Test
    void part_thatRunsOut_leavesTheWholeItsOtherSteps() {
        SearchSteps whole = SearchSteps.of(100);
        SearchSteps part = whole.atMost(10);

        part.take(25);
        whole.spend(10, part);

        assertThat(part.isReached()).isTrue();
        assertThat(whole.isReached()).isFalse();
        assertThat(whole.left()).isEqualTo(75);
    }

    @Test
    void part_isNeverAllowedMoreThanIsLeft() {
        SearchSteps whole = SearchSteps.of(5);

        assertThat(whole.atMost(10).left()).isEqualTo(5);
    }

    @Test
    void retract_ofATryThatGaveUp_takesThatBack() {
        SearchSteps steps = SearchSteps.of(5);

        steps.giveUp();
        steps.retract(false);

        assertThat(steps.isReached()).isFalse();
    }

    @Test
    void retract_whereTheStepsAreUsedUpOrSomethingWasLeftOutBefore_staysReached() {
        SearchSteps used = SearchSteps.of(5);
        SearchSteps before = SearchSteps.of(5);

        used.take(6);
        used.retract(false);
        before.retract(true);

        assertThat(used.isReached()).isTrue();
        assertThat(before.isReached()).isTrue();
    }
}
