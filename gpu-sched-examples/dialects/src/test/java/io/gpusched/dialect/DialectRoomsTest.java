package io.gpusched.dialect;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.gpusched.dialect.slurm.SlurmScheduler;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which dialect knows what: pure translations on the public door of the library. */
class DialectRoomsTest {
    private static final String ROOT = "io.gpusched.dialect";
    private static final String VGPU = ROOT + ".vgpu";

    private static final JavaClasses DIALECTS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void dialects_useThePublicDoorOfTheLibraryAndTheJdk() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        ROOT + "..",
                        "io.gpusched.check",
                        "io.gpusched.claim",
                        "io.gpusched.model..",
                        "io.gpusched.workload",
                        "io.gpusched.decision",
                        "io.gpusched.policy",
                        "io.gpusched.schedule",
                        "java..",
                        "javax.xml.stream..",
                        "org.jspecify.annotations"))
                .check(DIALECTS);
    }

    /** What several dialects share knows their common values, and no system. */
    @Test
    void whatDialectsShare_knowsNoSystem() {
        DescribedPredicate<JavaClass> systems =
                resideInAPackage(ROOT + "..").and(not(resideInAnyPackage(ROOT, ROOT + ".internal", VGPU)));
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".internal")
                .should()
                .dependOnClassesThat(systems.or(resideInAPackage("io.gpusched.schedule")))
                .check(DIALECTS);
    }

    /**
     * A system's dialect knows no other system's, and no search: its choice is a policy that the scheduler runs. Only Slurm's
     * order of nodes and jobs is its own, and {@link SlurmScheduler} asks the search for one node at a time.
     */
    @Test
    void systemsDialects_translateAndDecideNothing() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".*")
                .and()
                .areNotAssignableTo(SlurmScheduler.class)
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.gpusched.schedule", "io.gpusched.decision"))
                .check(DIALECTS);
        for (String system :
                List.of("t9k", "hami", "volcano", "slurm", "nvidia", "aliyun", "nanogpu", "elasticgpu", "gaia")) {
            DescribedPredicate<JavaClass> others = resideInAPackage(ROOT + ".*")
                    .and(not(resideInAnyPackage(ROOT + "." + system, ROOT + ".internal", VGPU)));
            noClasses()
                    .that()
                    .resideInAPackage(ROOT + "." + system)
                    .should()
                    .dependOnClassesThat(others)
                    .check(DIALECTS);
        }
    }
}
