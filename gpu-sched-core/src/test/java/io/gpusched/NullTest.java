package io.gpusched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.gpusched.testkit.Samples;
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

/** Whoever hands null to a public method or constructor is told which parameter it was. */
class NullTest {
    @TestFactory
    Stream<DynamicTest> nullIsRefusedByName() {
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.gpusched").stream()
                        .filter(type -> !type.getPackageName().startsWith("io.gpusched.internal"))
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
            boolean nullable = parameters[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
            if (!parameters[i].getType().isPrimitive() && !nullable) {
                String name = type.getName().substring("io.gpusched.".length()) + "." + member.getName() + "("
                        + parameters[i].getName() + ", " + (i + 1) + " of " + parameters.length + ")";
                tests.add(DynamicTest.dynamicTest(name, () -> check(type, member, at)));
            }
        }
        return tests.stream();
    }

    private static void check(Class<?> type, Executable member, int at) throws ReflectiveOperationException {
        Parameter[] parameters = member.getParameters();
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = i == at ? null : Samples.of(parameters[i].getType());
        }
        try {
            if (member instanceof Constructor<?> constructor) {
                constructor.newInstance(arguments);
            } else {
                boolean isStatic = Modifier.isStatic(member.getModifiers());
                ((Method) member).invoke(isStatic ? null : Samples.of(type), arguments);
            }
            fail("null was accepted");
        } catch (InvocationTargetException e) {
            assertThat(e.getCause()).isInstanceOf(NullPointerException.class);
            assertThat(e.getCause().getMessage()).isEqualTo(parameters[at].getName());
        }
    }
}
