package io.gpusched;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The walls of the house: which room may use which, and what core never touches. */
class ArchitectureTest {

    private static final String ROOT = "io.gpusched";
    private static final String INTERNAL = ROOT + ".internal";

    /** From top to bottom: a package uses those before it in this list alone, which leaves no room for a cycle. */
    private static final List<String> ROOMS = List.of(
            "check",
            "internal.persistent",
            "internal.word",
            "model.amount",
            "model.partition",
            "model",
            "workload",
            "decision",
            "internal.lookahead",
            "policy",
            "internal.rules",
            "internal.fit",
            "internal.index",
            "internal.rank",
            "internal.search",
            "internal.gang",
            "internal.diagnosis",
            "schedule",
            "analysis",
            "claim",
            "queue",
            "verify");

    /** Types that no class of core may mention. */
    private static final Set<String> BANNED_TYPES = Set.of(
            "java.lang.System$Logger",
            "java.lang.System$LoggerFinder",
            "java.lang.Thread",
            "java.lang.ThreadGroup",
            "java.lang.Process",
            "java.lang.ProcessBuilder",
            "java.lang.Runtime",
            "java.security.SecureRandom",
            "java.time.Clock",
            "java.util.Timer",
            "java.util.TimerTask",
            "java.util.concurrent.CompletableFuture",
            "java.util.concurrent.Executor",
            "java.util.concurrent.ExecutorService",
            "java.util.concurrent.Executors",
            "java.util.concurrent.ForkJoinPool",
            "java.util.concurrent.ForkJoinTask",
            "java.util.concurrent.ScheduledExecutorService",
            "java.util.concurrent.ThreadLocalRandom",
            "java.util.concurrent.ThreadPoolExecutor");

    /** Members, as owner and name, that no class of core may touch. */
    private static final Set<String> BANNED_MEMBERS = Set.of(
            "java.lang.Math.random",
            "java.lang.StrictMath.random",
            "java.lang.System.console",
            "java.lang.System.currentTimeMillis",
            "java.lang.System.err",
            "java.lang.System.exit",
            "java.lang.System.getLogger",
            "java.lang.System.getProperty",
            "java.lang.System.getenv",
            "java.lang.System.in",
            "java.lang.System.nanoTime",
            "java.lang.System.out",
            "java.lang.Throwable.printStackTrace",
            "java.util.UUID.randomUUID");

    /** Random sources whose constructor without arguments picks its own seed. */
    private static final Set<String> SEEDED_ONLY = Set.of("java.util.Random", "java.util.SplittableRandom");

    private static JavaClasses core;

    @BeforeAll
    static void importCore() {
        core = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(ROOT);
        assertThat(core).as("classes of core").isNotEmpty();
    }

    @Test
    void everyClass_livesInARoom() {
        String[] known = ROOMS.stream().map(ArchitectureTest::packageOf).toArray(String[]::new);
        check(classes().that(not(isPackageInfo())).should().resideInAnyPackage(known));
    }

    @TestFactory
    Stream<DynamicTest> room_usesOnlyRoomsAboveIt() {
        return ROOMS.stream()
                .map(room -> DynamicTest.dynamicTest(room, () -> {
                    String[] below = ROOMS.subList(ROOMS.indexOf(room) + 1, ROOMS.size()).stream()
                            .map(ArchitectureTest::packageOf)
                            .toArray(String[]::new);
                    check(noClasses()
                            .that()
                            .resideInAPackage(packageOf(room))
                            .should()
                            .dependOnClassesThat(resideInAnyPackage(below)));
                }));
    }

    /** It would share the engine's mistakes otherwise. */
    @Test
    void checker_knowsValuesAlone() {
        check(noClasses()
                .that()
                .resideInAPackage(packageOf("verify"))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage(INTERNAL + "..", packageOf("schedule"), packageOf("analysis"))));
    }

    private static String packageOf(String room) {
        return ROOT + "." + room;
    }

    @Test
    void classes_formNoKnots() {
        assertThat(ClassKnots.of(core).all())
                .as("classes that use each other in a circle of more than two")
                .isEmpty();
    }

    @Test
    void core_usesOnlyTheJdkAndItsTwoLibraries() {
        check(classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        ROOT + "..", "java..", "it.unimi.dsi.fastutil..", "org.jspecify.annotations..")));
    }

    @Test
    void core_touchesNoFilesNetworkLogOrThread() {
        DescribedPredicate<JavaClass> outside = resideInAnyPackage(
                        "java.io..",
                        "java.nio.file..",
                        "java.nio.channels..",
                        "java.net..",
                        "java.util.logging..",
                        "java.sql..",
                        "org.slf4j..",
                        "org.apache.logging..")
                .and(not(named(Set.of("java.io.Serializable"))));
        check(noClasses().should().dependOnClassesThat(outside.or(named(BANNED_TYPES))));
    }

    @Test
    void core_readsNoClockEnvironmentOrUnseededRandom() {
        check(classes().should(notAccess("the outside world", ArchitectureTest::isImpure)));
    }

    @Test
    void publicSignature_showsNoInternalType() {
        check(classes()
                .that(not(resideInAPackage(INTERNAL + "..")))
                .and(isVisibleOutside())
                .should(notExposeInternalTypes()));
    }

    @Test
    void everyPackageOutsideInternal_isNullMarked() {
        Set<String> unmarked = core.stream()
                .map(JavaClass::getPackage)
                .filter(pkg -> !pkg.getClasses().isEmpty())
                .filter(pkg -> !(pkg.getName() + ".").startsWith(INTERNAL + "."))
                .filter(pkg -> !pkg.isAnnotatedWith(NullMarked.class))
                .map(pkg -> pkg.getName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(unmarked)
                .as("packages without a package-info that is @NullMarked")
                .isEmpty();
    }

    /** Packages arrive over time, so a rule that finds no class to look at holds. */
    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(core);
    }

    private static boolean isImpure(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        String name = access.getName();
        boolean clock = owner.startsWith("java.time.") && name.equals("now");
        boolean parallel =
                name.equals("parallelStream") || (name.equals("parallel") && owner.startsWith("java.util.stream."));
        boolean unseeded = SEEDED_ONLY.contains(owner)
                && name.equals("<init>")
                && access.getTarget().getFullName().endsWith("()");
        boolean unseededShuffle =
                access.getTarget().getFullName().equals("java.util.Collections.shuffle(java.util.List)");
        boolean anyGenerator =
                owner.equals("java.util.random.RandomGenerator") && (name.equals("getDefault") || name.equals("of"));
        boolean trace =
                name.equals("printStackTrace") && access.getTargetOwner().isAssignableTo(Throwable.class);
        return clock
                || parallel
                || unseeded
                || unseededShuffle
                || anyGenerator
                || trace
                || BANNED_MEMBERS.contains(owner + "." + name);
    }

    private static ArchCondition<JavaClass> notAccess(String what, Predicate<JavaAccess<?>> isBanned) {
        return new ArchCondition<>("not access " + what) {
            @Override
            public void check(JavaClass owner, ConditionEvents events) {
                owner.getAccessesFromSelf().stream()
                        .filter(isBanned)
                        .forEach(access -> events.add(SimpleConditionEvent.violated(owner, access.getDescription())));
            }
        };
    }

    private static ArchCondition<JavaClass> notExposeInternalTypes() {
        return new ArchCondition<>("not expose types of " + INTERNAL) {
            @Override
            public void check(JavaClass owner, ConditionEvents events) {
                Stream<JavaType> header = Stream.of(
                                owner.getSuperclass().stream(),
                                owner.getInterfaces().stream(),
                                owner.getTypeParameters().stream())
                        .flatMap(types -> types);
                report(owner, owner.getDescription(), header, events);
                owner.getMembers().stream()
                        .filter(ArchitectureTest::isPublicOrProtected)
                        .forEach(member -> report(owner, member.getDescription(), signature(member), events));
            }
        };
    }

    private static void report(JavaClass owner, String where, Stream<JavaType> types, ConditionEvents events) {
        types.flatMap(type -> type.getAllInvolvedRawTypes().stream())
                .filter(type -> (type.getPackageName() + ".").startsWith(INTERNAL + "."))
                .distinct()
                .forEach(
                        type -> events.add(SimpleConditionEvent.violated(owner, where + " exposes " + type.getName())));
    }

    private static Stream<JavaType> signature(JavaMember member) {
        if (member instanceof JavaField field) {
            return Stream.of(field.getType());
        }
        JavaCodeUnit unit = (JavaCodeUnit) member;
        return Stream.of(
                        Stream.of(unit.getReturnType()),
                        unit.getParameterTypes().stream(),
                        unit.getTypeParameters().stream(),
                        unit.getExceptionTypes().stream())
                .flatMap(types -> types);
    }

    private static boolean isPublicOrProtected(JavaMember member) {
        return member.getModifiers().contains(JavaModifier.PUBLIC)
                || member.getModifiers().contains(JavaModifier.PROTECTED);
    }

    private static DescribedPredicate<JavaClass> isVisibleOutside() {
        return DescribedPredicate.describe("visible outside their package", type -> {
            Optional<JavaClass> current = Optional.of(type);
            while (current.isPresent()) {
                Set<JavaModifier> modifiers = current.get().getModifiers();
                if (!modifiers.contains(JavaModifier.PUBLIC) && !modifiers.contains(JavaModifier.PROTECTED)) {
                    return false;
                }
                current = current.get().getEnclosingClass();
            }
            return true;
        });
    }

    private static DescribedPredicate<JavaClass> isPackageInfo() {
        return DescribedPredicate.describe(
                "package-info", type -> type.getSimpleName().equals("package-info"));
    }

    private static DescribedPredicate<JavaClass> named(Set<String> names) {
        return DescribedPredicate.describe("one of " + new TreeSet<>(names), type -> names.contains(type.getName()));
    }
}
