package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpusched.model.amount.NamedAmounts;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongBinaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamedAmountsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ephemeral-storage",
                "hugepages-2Mi",
                "rdma/hca",
                "example.com/nic",
                "a/b",
                "x.y-z/N_1.2",
                "licenses"
            })
    void namesOfKubernetes_areLegal(String name) {
        assertThat(NamedAmounts.NONE.with(name, 3).amount(name)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "a/",
                "/a",
                "a/b/c",
                "-a",
                "a-",
                "Example.com/nic",
                "a..b/c",
                "a b",
                "nic\n",
                "-a/b",
                "a_b/c"
            })
    void otherNames_areRefusedWithTheRule(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NamedAmounts.NONE.with(name, 1))
                .withMessageContaining("1 to 63 letters")
                .withMessageContaining("got \"" + name + "\"");
    }

    @Test
    void lengthsOfNames_areLimited() {
        String longest = "a".repeat(253) + "/" + "b".repeat(63);
        assertThat(NamedAmounts.NONE.with(longest, 1).amount(longest)).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> NamedAmounts.NONE.with("a" + longest, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> NamedAmounts.NONE.with(longest + "b", 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "memory", "pods"})
    void whatHasAFieldOfItsOwn_isNoName(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NamedAmounts.NONE.with(name, 1))
                .withMessage("resources: \"" + name + "\" has a field of its own and must not be a named resource");
    }

    @Test
    void amounts_areFrom0To2To62() {
        assertThat(NamedAmounts.NONE.with("a", 1L << 62).amount("a")).isEqualTo(1L << 62);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NamedAmounts.NONE.with("a", -1))
                .withMessage("resources: a must be in 0..4611686018427387904, got -1");
        assertThatIllegalArgumentException().isThrownBy(() -> NamedAmounts.NONE.with("a", (1L << 62) + 1));
    }

    @Test
    void aSumBeyondTheRange_isRefusedByName() {
        NamedAmounts most = NamedAmounts.NONE.with("b", 5).with("a", 1L << 62);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> most.plus(most))
                .withMessage("resources: sum of a must be in 0..4611686018427387904, got 9223372036854775808");
    }

    @Test
    void zero_isTheSameAsNotNamed() {
        NamedAmounts none = NamedAmounts.NONE.with("a", 1).with("a", 0);
        assertThat(none).isSameAs(NamedAmounts.NONE);
        assertThat(NamedAmounts.of(Map.of("b", 0L))).isSameAs(NamedAmounts.NONE);
        assertThat(Resources.of(1, 2).with("a", 0)).isEqualTo(Resources.of(1, 2));
    }

    @Test
    void text_namesAmountsInTheOrderOfNames() {
        Resources resources = Resources.of(500, 64).with("rdma/hca", 1).with("example.com/nic", 2);
        assertThat(resources).hasToString("0.5 cores, 64 MiB, 2 example.com/nic, 1 rdma/hca");
        assertThat(resources.amount("rdma/hca")).isEqualTo(1);
        assertThat(resources.amount("other")).isZero();
    }

    @Provide
    Arbitrary<Map<String, Long>> maps() {
        return Arbitraries.maps(
                Arbitraries.of("a", "b", "c", "d/e", "f"), Arbitraries.longs().between(0, 3));
    }

    @Property
    void operations_doWhatTheyDoForEachName(@ForAll("maps") Map<String, Long> a, @ForAll("maps") Map<String, Long> b) {
        NamedAmounts one = NamedAmounts.of(a);
        NamedAmounts other = NamedAmounts.of(b);
        assertThat(one.plus(other).asMap()).isEqualTo(each(a, b, Long::sum));
        assertThat(one.max(other).asMap()).isEqualTo(each(a, b, Math::max));
        assertThat(one.min(other).asMap()).isEqualTo(each(a, b, Math::min));
        assertThat(one.plus(other).minus(other)).isEqualTo(one).hasSameHashCodeAs(one);
        boolean fits = a.entrySet().stream().allMatch(entry -> entry.getValue() <= b.getOrDefault(entry.getKey(), 0L));
        assertThat(one.fitsIn(other)).isEqualTo(fits);
        assertThat(one.equals(other)).isEqualTo(one.asMap().equals(other.asMap()));
        if (!one.isEmpty()) {
            long times = one.timesIn(other);
            NamedAmounts sum = NamedAmounts.NONE;
            for (long i = 0; i < times; i++) {
                sum = sum.plus(one);
            }
            assertThat(sum.fitsIn(other)).isTrue();
            assertThat(sum.plus(one).fitsIn(other)).isFalse();
        }
    }

    private static Map<String, Long> each(Map<String, Long> a, Map<String, Long> b, LongBinaryOperator operator) {
        Map<String, Long> result = new HashMap<>();
        TreeSet<String> names = new TreeSet<>(a.keySet());
        names.addAll(b.keySet());
        for (String name : names) {
            long value = operator.applyAsLong(a.getOrDefault(name, 0L), b.getOrDefault(name, 0L));
            if (value > 0) {
                result.put(name, value);
            }
        }
        return result;
    }
}
