package io.gpusched.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whoever hands null to a public method or constructor, alone or within a collection, is told where it was. */
class NullTest {
    @TestFactory
    Stream<DynamicTest> nullIsRefusedByName() {
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.gpusched.dialect").stream()
                        .filter(type -> !type.getPackageName().startsWith("io.gpusched.dialect.internal"))
                        .filter(NullTest::isPublic)
                        .map(JavaClass::reflect)
                        .flatMap(NullTest::tests);
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && !type.getSimpleName().equals("package-info")
                && type.getEnclosingClass().map(NullTest::isPublic).orElse(true);
    }

    private static Stream<DynamicTest> tests(Class<?> type) {
        List<Executable> members = new ArrayList<>(List.of(type.getDeclaredConstructors()));
        members.addAll(List.of(type.getDeclaredMethods()));
        return members.stream()
                .filter(member -> Modifier.isPublic(member.getModifiers()) && !member.isSynthetic())
                .filter(member -> !Modifier.isAbstract(member.getModifiers())
                        && !member.getName().equals("equals"))
                .filter(member -> !type.isEnum() || !member.getName().equals("valueOf"))
                .flatMap(member -> tests(type, member));
    }

    private static Stream<DynamicTest> tests(Class<?> type, Executable member) {
        Parameter[] parameters = member.getParameters();
        List<DynamicTest> tests = new ArrayList<>();
        for (int i = 0; i < parameters.length; i++) {
            int at = i;
            if (makesValue(type, member)) {
                NullElements.in(parameters[i])
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

    private static void check(Class<?> type, Executable member, int at) throws ReflectiveOperationException {
        assertThat(messageOf(type, member, at, null)).isEqualTo(member.getParameters()[at].getName());
    }

    private static void checkElement(Class<?> type, Executable member, int at, Object argument)
            throws ReflectiveOperationException {
        assertThat(messageOf(type, member, at, argument))
                .startsWith(member.getParameters()[at].getName() + "[")
                .endsWith("]");
    }

    /** The message of the refusal when one parameter gets this argument, every other a sample. */
    private static @Nullable String messageOf(Class<?> type, Executable member, int at, @Nullable Object argument)
            throws ReflectiveOperationException {
        Parameter[] parameters = member.getParameters();
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = i == at ? argument : DialectSamples.of(parameters[i].getType());
        }
        try {
            if (member instanceof Constructor<?> constructor) {
                constructor.newInstance(arguments);
            } else {
                boolean isStatic = Modifier.isStatic(member.getModifiers());
                ((Method) member).invoke(isStatic ? null : DialectSamples.of(type), arguments);
            }
            return fail("null was accepted");
        } catch (InvocationTargetException e) {
            assertThat(e.getCause()).isInstanceOf(NullPointerException.class);
            return e.getCause().getMessage();
        }
    }
}
