package io.gpusched.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;

/**
 * That null, handed to a public method or constructor alone or within a collection, is refused by the name of the parameter.
 *
 * @param samples a legal value of each type that parameters have
 */
public record NullRefusals(Function<Class<?>, Object> samples) {
    /** Returns a test for each parameter of the public members of these types. */
    public Stream<DynamicTest> tests(Stream<Class<?>> types) {
        return types.flatMap(this::tests);
    }

    private Stream<DynamicTest> tests(Class<?> type) {
        List<Executable> members = new ArrayList<>(List.of(type.getDeclaredConstructors()));
        members.addAll(List.of(type.getDeclaredMethods()));
        return members.stream()
                .filter(member -> Modifier.isPublic(member.getModifiers()) && !member.isSynthetic())
                .filter(member -> !Modifier.isAbstract(member.getModifiers())
                        && !member.getName().equals("equals"))
                .filter(member -> !type.isEnum() || !member.getName().equals("valueOf"))
                .flatMap(member -> tests(type, member));
    }

    private Stream<DynamicTest> tests(Class<?> type, Executable member) {
        Parameter[] parameters = member.getParameters();
        List<DynamicTest> tests = new ArrayList<>();
        for (int i = 0; i < parameters.length; i++) {
            int at = i;
            if (makesValue(type, member)) {
                NullElements.in(parameters[i], samples)
                        .forEach((what, argument) -> tests.add(DynamicTest.dynamicTest(
                                name(type, member, at) + " holds " + what,
                                () -> checkElement(type, member, at, argument))));
            }
            boolean nullable = parameters[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
            if (!parameters[i].getType().isPrimitive() && !nullable) {
                tests.add(DynamicTest.dynamicTest(name(type, member, at), () -> check(type, member, at)));
            }
        }
        return tests.stream();
    }

    /** Whether it keeps what it is handed: a constructor, a factory or a method such as {@code with}. */
    private static boolean makesValue(Class<?> type, Executable member) {
        return !(member instanceof Method method)
                || method.getName().equals("of")
                || type.isAssignableFrom(method.getReturnType());
    }

    private static String name(Class<?> type, Executable member, int at) {
        Parameter[] parameters = member.getParameters();
        return type.getName().substring("io.gpusched.".length()) + "." + member.getName() + "("
                + parameters[at].getName() + ", " + (at + 1) + " of " + parameters.length + ")";
    }

    private void check(Class<?> type, Executable member, int at) throws ReflectiveOperationException {
        assertThat(messageOf(type, member, at, null)).isEqualTo(member.getParameters()[at].getName());
    }

    private void checkElement(Class<?> type, Executable member, int at, Object argument)
            throws ReflectiveOperationException {
        assertThat(messageOf(type, member, at, argument))
                .startsWith(member.getParameters()[at].getName() + "[")
                .endsWith("]");
    }

    /** The message of the refusal when one parameter gets this argument, every other a sample. */
    private @Nullable String messageOf(Class<?> type, Executable member, int at, @Nullable Object argument)
            throws ReflectiveOperationException {
        Parameter[] parameters = member.getParameters();
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = i == at ? argument : samples.apply(parameters[i].getType());
        }
        try {
            if (member instanceof Constructor<?> constructor) {
                constructor.newInstance(arguments);
            } else {
                boolean isStatic = Modifier.isStatic(member.getModifiers());
                ((Method) member).invoke(isStatic ? null : samples.apply(type), arguments);
            }
            return fail("null was accepted");
        } catch (InvocationTargetException e) {
            assertThat(e.getCause()).isInstanceOf(NullPointerException.class);
            return e.getCause().getMessage();
        }
    }
}
