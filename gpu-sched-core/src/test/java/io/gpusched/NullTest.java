package io.gpusched;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.gpusched.testkit.NullRefusals;
import io.gpusched.testkit.Samples;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whoever hands null to a public method or constructor, alone or within a collection, is told where it was. */
class NullTest {
    @TestFactory
    Stream<DynamicTest> nullIsRefusedByName() {
        Stream<Class<?>> types = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.gpusched").stream()
                        .filter(type -> !type.getPackageName().startsWith("io.gpusched.internal"))
                        .filter(type -> !type.getPackageName().equals("io.gpusched.check")) // it names what is null
                        .filter(NullTest::isPublic)
                        .map(JavaClass::reflect);
        return new NullRefusals(Samples::of).tests(types);
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && !type.getSimpleName().equals("package-info")
                && type.getEnclosingClass().map(NullTest::isPublic).orElse(true);
    }
}
