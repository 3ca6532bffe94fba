package io.gpusched.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Decisions and diagnoses as values: what they check, and what they say. */
class DiagnosisValueTest {
    private static final Reason TWO = Reason.ofQuota(List.of("a", "b"), "used up");
    private static final Remedy NOTHING = new Remedy(List.of());
    private static final Placement PLACEMENT = new Placement(
            PodId.of("p"), "n", Resources.of(1_000, 64), List.of(ContainerGrant.of("main", GpuGrant.none())));

    @Test
    void reasons_mustCoverAllNodes() {
        assertThatThrownBy(() -> new Diagnosis("pod \"p\"", Certainty.PROVEN, 3, List.of(TWO), true, NOTHING))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("diagnosis of pod \"p\": the reasons cover 2 nodes of 3");
    }

    @Test
    void text_tellsNowFromNever_andProvenFromNot() {
        Diagnosis now = new Diagnosis("pod \"p\"", Certainty.PROVEN, 2, List.of(TWO), true, NOTHING);
        Diagnosis never = new Diagnosis("pod \"p\"", Certainty.PROVEN, 2, List.of(TWO), false, NOTHING);
        Diagnosis limit = new Diagnosis(
                "pod \"p\"",
                Certainty.LIMIT,
                1,
                List.of(Reason.ofQuota(List.of("a"), "used up")),
                true,
                new Remedy(List.of(new Change.Uncordon("n"))));

        assertThat(now).hasToString("pod \"p\": no room now on any of 2 nodes\n  2 nodes: used up");
        assertThat(never).hasToString("pod \"p\": can never fit on any of 2 nodes\n  2 nodes: used up");
        assertThat(limit)
                .hasToString("pod \"p\": no room now on any of 1 node (the search reached its limit)\n"
                        + "  1 node: used up\n"
                        + "  nearest remedy: uncordon n");
    }

    @Test
    void text_leavesOutAlternativesThatCanNeverFit_whereAnotherCould_andThoseRefusedAlike() {
        Diagnosis now = new Diagnosis("now", Certainty.PROVEN, 2, List.of(TWO), true, NOTHING);
        Diagnosis never = new Diagnosis("never", Certainty.PROVEN, 2, List.of(TWO), false, NOTHING);
        Reason one = Reason.ofQuota(List.of("a"), "used up");
        Diagnosis other = new Diagnosis("other", Certainty.PROVEN, 1, List.of(one), false, NOTHING);

        assertThat(with(now, never)).hasToString(now.toString());
        assertThat(with(never, now)).hasToString(now.toString());
        assertThat(with(now, now)).hasToString(now + "\n" + now);
        assertThat(with(never, never)).hasToString(never.toString());
        assertThat(with(never, other)).hasToString(never + "\n" + other);
    }

    private static Diagnosis with(Diagnosis one, Diagnosis otherwise) {
        return new Diagnosis(
                one.subject(),
                one.certainty(),
                one.nodes(),
                one.reasons(),
                one.couldFitLater(),
                one.remedy(),
                List.of(otherwise));
    }

    @Test
    void aPlacement_isProvenUnlessSaidOtherwise_andNeverAtALimit() {
        assertThat(new Placed(PLACEMENT).certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(new Placed(PLACEMENT)).hasToString("placed: " + PLACEMENT);
        assertThat(new Placed(PLACEMENT, Certainty.FOUND)).hasToString("placed: " + PLACEMENT + " (the best found)");
        assertThatThrownBy(() -> new Placed(PLACEMENT, Certainty.LIMIT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PROVEN or FOUND, got LIMIT");
    }

    @Test
    void aGroup_saysHowManyStartAndWait() {
        GroupPlaced placed =
                new GroupPlaced(List.of(PLACEMENT), List.of(PodId.of("q"), PodId.of("r")), Certainty.PROVEN);

        assertThat(placed.isPlaced()).isTrue();
        assertThat(placed).hasToString("placed 1 members, 2 wait");
        assertThat(new GroupPlaced(List.of(PLACEMENT), List.of(), Certainty.FOUND))
                .hasToString("placed 1 members, 0 wait (the best found)");
        assertThatThrownBy(() -> new GroupPlaced(List.of(PLACEMENT), List.of(), Certainty.LIMIT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PROVEN or FOUND, got LIMIT");
    }

    @Test
    void aRefusal_isMadeWithADiagnosisThatIsWorkedOutOnceWhenAskedFor() {
        AtomicInteger asked = new AtomicInteger();
        Decision refusal = Unschedulable.of("pod \"p\"", Certainty.LIMIT, () -> {
            asked.incrementAndGet();
            return new Diagnosis("pod \"p\"", Certainty.LIMIT, 2, List.of(TWO), true, NOTHING);
        });

        assertThat(refusal.toPlacement()).isEmpty();
        assertThat(refusal.certainty()).isEqualTo(Certainty.LIMIT);
        assertThat(asked).hasValue(0);
        assertThat(((Unschedulable) refusal).diagnosis()).isSameAs(((Unschedulable) refusal).diagnosis());
        assertThat(asked).hasValue(1);
    }

    @Test
    void aRefusal_isProvenOrAtALimit() {
        assertThatThrownBy(() -> Unschedulable.of("pod \"p\"", Certainty.FOUND, () -> {
                    throw new AssertionError("not asked for");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("refusal of pod \"p\": certainty must be PROVEN or LIMIT, got FOUND");
    }
}
