package io.gpusched.kubernetes.extender;

import static io.gpusched.kubernetes.extender.Objects.node;
import static io.gpusched.kubernetes.extender.Objects.pod;
import static io.gpusched.kubernetes.extender.Objects.running;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.kubernetes.extender.wire.FilterArguments;
import io.gpusched.kubernetes.extender.wire.HostPriority;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PrioritizeVerbTest {
    private static List<HostPriority> priorities(String dialect, int percent) {
        ClusterMirror mirror = new ClusterMirror(Objects.dialects(dialect), Clock.systemUTC());
        mirror.putNode(node("empty", 1));
        mirror.putNode(node("used", 1));
        mirror.putNode(node("full", 1));
        mirror.putPod(running(pod("a", 50), "used", 0));
        mirror.putPod(running(pod("b", 100), "full", 0));
        FilterArguments arguments = new FilterArguments(
                pod("p", percent), Optional.of(List.of("empty", "used", "full", "unknown")), List.of());
        return new PrioritizeVerb(mirror).prioritize(arguments);
    }

    @Test
    void binpack_givesTheUsedNodeTheBestScore() {
        assertThat(priorities("nano-gpu", 20))
                .containsExactly(
                        new HostPriority("empty", 0),
                        new HostPriority("used", 10),
                        new HostPriority("full", 0),
                        new HostPriority("unknown", 0));
    }

    @Test
    void spread_givesTheEmptyNodeTheBestScore() {
        assertThat(priorities("nano-gpu:spread", 20))
                .startsWith(new HostPriority("empty", 10), new HostPriority("used", 0));
    }

    @Test
    void anOnlyNode_isTheBest() {
        assertThat(priorities("nano-gpu", 60)).startsWith(new HostPriority("empty", 10), new HostPriority("used", 0));
    }

    @Test
    void aPodThatIsForbidden_likesNoNode() {
        assertThat(priorities("nano-gpu", 101)).allMatch(priority -> priority.score() == 0);
    }

    @Property(tries = 300)
    void scores_areInRangeAndKeepTheOrder(@ForAll long a, @ForAll long b, @ForAll long c) {
        long worst = Math.min(a, Math.min(b, c));
        long best = Math.max(a, Math.max(b, c));
        long low = PrioritizeVerb.scaled(Math.min(a, b), worst, best);
        long high = PrioritizeVerb.scaled(Math.max(a, b), worst, best);

        assertThat(low).isBetween(0L, 10L).isLessThanOrEqualTo(high);
        assertThat(high).isBetween(0L, 10L);
        assertThat(PrioritizeVerb.scaled(best, worst, best)).isEqualTo(10);
    }
}
