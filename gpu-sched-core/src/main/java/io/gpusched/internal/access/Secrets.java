package io.gpusched.internal.access;

import java.lang.reflect.Constructor;

/** Finds what a package shares with the machinery and shows to nobody else. */
final class Secrets {
    private Secrets() {}

    /**
     * Makes the only implementation of an accessor, a class of a package that the accessor serves. It is found by its name,
     * so that the package does not have to know its accessor, nor to be loaded first.
     */
    static <T> T of(Class<T> accessor, String implementation) {
        try {
            Constructor<?> constructor = Class.forName(implementation).getDeclaredConstructor();
            constructor.setAccessible(true);
            return accessor.cast(constructor.newInstance());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("there is no " + implementation, e);
        }
    }
}
