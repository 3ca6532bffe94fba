package io.gpusched.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Every property of this module has a seed that stays the same, because jqwik is given {@link Seeds}. */
class SeedsProperties {
    /** What the name of the property below stands for. */
    private static final long ALWAYS = -8_169_784_069_167_216_053L;

    @Property(tries = 1, edgeCases = EdgeCasesMode.NONE)
    void properties_playTheSameInEveryBuild(@ForAll Random random) {
        long played = random.nextLong();
        assertThat(Seeds.areRandom() ? ALWAYS : played).isEqualTo(ALWAYS);
    }

    @Example
    void seedsThatFailed_areOfPropertiesThatThereAre() throws ClassNotFoundException {
        for (FailedSeed example : FailedSeed.all()) {
            String[] names = example.property().split("#");
            assertThat(Arrays.stream(Class.forName(names[0]).getDeclaredMethods())
                            .map(Method::getName))
                    .as("%s of %s", example, Seeds.EXAMPLES)
                    .contains(names[1]);
        }
    }

    @Example
    void aLineOfAnotherForm_isRefused() {
        assertThatThrownBy(() -> FailedSeed.parse("io.gpusched.FooProperties 7"))
                .hasMessageContaining("expected \"class#property seed tries\"");
        FailedSeed seed = new FailedSeed("io.gpusched.FooProperties#bar", -7, 12);
        assertThat(FailedSeed.parse(seed.toString())).isEqualTo(seed);
    }
}
