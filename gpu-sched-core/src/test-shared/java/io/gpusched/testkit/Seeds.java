package io.gpusched.testkit;

import java.security.SecureRandom;
import java.util.List;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Gives each property its seed. A build plays every property with the seed that its name stands for, and then the seeds that
 * {@value #EXAMPLES} keeps for it, so that two builds of one commit play the same worlds. {@code mvn -P explore verify}
 * plays a random seed with more tries, and prints for a failure the line that keeps it.
 *
 * <p>jqwik finds this class by the file in META-INF/services; {@link SeedsProperties} shows in each module that it does.
 */
public final class Seeds implements AroundPropertyHook {
    /** Seeds that once failed, a line each: {@code io.gpusched.FooProperties#property seed tries}. */
    static final String EXAMPLES = "seeds-that-failed.txt";

    /** How many times the usual number of tries is played with random seeds; 0 where seeds are fixed. */
    private static final int EXPLORED = Integer.getInteger("gpusched.explore", 0);

    private static final int USUAL_TRIES = 1_000;
    private static final SecureRandom RANDOM = new SecureRandom();

    @Override
    public PropagationMode propagateTo() {
        return PropagationMode.ALL_DESCENDANTS;
    }

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        String name = context.containerClass().getName() + "#"
                + context.targetMethod().getName();
        PropertyAttributes attributes = context.attributes();
        int tries = attributes.tries().orElse(USUAL_TRIES);
        return areRandom() && context.targetMethod().getParameterCount() > 0
                ? explore(name, attributes, tries * EXPLORED, property)
                : replay(name, attributes, tries, property);
    }

    /** Whether this run explores: random seeds, and more tries. */
    static boolean areRandom() {
        return EXPLORED > 0;
    }

    /** The number that a name stands for, the same on every machine. */
    static long of(String name) {
        long seed = 0;
        for (char letter : name.toCharArray()) {
            seed = seed * 0x5DEECE66DL + letter;
        }
        return seed;
    }

    private static PropertyExecutionResult replay(
            String name, PropertyAttributes attributes, int tries, PropertyExecutor property) {
        if (attributes.seed().isEmpty()) {
            attributes.setSeed(String.valueOf(of(name)));
        }
        PropertyExecutionResult result = property.execute();
        for (FailedSeed example : FailedSeed.all()) {
            if (result.status() == PropertyExecutionResult.Status.SUCCESSFUL
                    && example.property().equals(name)) {
                attributes.setSeed(String.valueOf(example.seed()));
                attributes.setTries(Math.max(tries, example.tries()));
                result = property.execute();
            }
        }
        return result;
    }

    private static PropertyExecutionResult explore(
            String name, PropertyAttributes attributes, int tries, PropertyExecutor property) {
        long seed = RANDOM.nextLong();
        attributes.setSeed(String.valueOf(seed));
        attributes.setTries(tries);
        PropertyExecutionResult result = property.execute();
        if (result.status() == PropertyExecutionResult.Status.FAILED) {
            List<Object> smallest = result.falsifiedParameters().orElse(List.of());
            System.out.printf(
                    """
                    %s fails on %s
                    Every build plays it from then on, once this line stands in src/test/resources/%s of the module:
                    %s
                    """, name, smallest, EXAMPLES, new FailedSeed(name, seed, Math.max(1, result.countTries())));
        }
        return result;
    }
}
