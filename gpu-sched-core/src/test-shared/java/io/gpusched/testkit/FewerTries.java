package io.gpusched.testkit;

import java.util.List;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.Lifespan;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.Store;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;

/**
 * Ends each property after the number of tries in the system property {@code gpusched.tries}, where that is given: mutation
 * testing plays the properties once for each mutant.
 */
public final class FewerTries implements AroundTryHook {
    private static final int MOST = Integer.getInteger("gpusched.tries", Integer.MAX_VALUE);

    @Override
    public PropagationMode propagateTo() {
        return PropagationMode.ALL_DESCENDANTS;
    }

    @Override
    public TryExecutionResult aroundTry(TryLifecycleContext context, TryExecutor property, List<Object> parameters)
            throws Throwable {
        Store<Integer> tries = Store.getOrCreate(FewerTries.class, Lifespan.PROPERTY, () -> 0);
        tries.update(before -> before + 1);
        TryExecutionResult result = property.execute(parameters);
        return result.isSatisfied() && tries.get() >= MOST ? TryExecutionResult.satisfied(true) : result;
    }
}
