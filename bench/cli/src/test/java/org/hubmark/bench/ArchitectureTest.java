package org.hubmark.bench;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/**
 * Proves that the code has the shape of docs/architecture.md: which package sees which, where each
 * library may be used, and that none of our classes inherits from another. Reads the byte code of
 * all modules.
 */
@AnalyzeClasses(packages = "org.hubmark", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** Each package by itself, the root package too. What JMH generates belongs to its benchmarks. */
    private static final class PackagesOfTheBench implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName().replace(".jmh_generated", "");
            return name.startsWith("org.hubmark.bench")
                    ? SliceIdentifier.of(name)
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "the packages of the bench";
        }
    }

    @ArchTest
    static final ArchRule THE_STORE_SEES_ONLY_THE_CORE = noClasses()
            .that()
            .resideInAPackage("org.hubmark.queue..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.hubmark.smtp..", "org.hubmark.hub..", "org.hubmark.bench..");

    @ArchTest
    static final ArchRule THE_LOG_KNOWS_NOTHING_OF_THE_QUEUE = noClasses()
            .that()
            .resideInAPackage("org.hubmark.queue.log..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.hubmark.queue", "org.hubmark.core..", "org.rocksdb..");

    @ArchTest
    static final ArchRule ONLY_THE_STORE_USES_THE_LOG = noClasses()
            .that()
            .resideOutsideOfPackage("org.hubmark.queue..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.hubmark.queue.log..");

    @ArchTest
    static final ArchRule THE_RECEIVER_SEES_ONLY_THE_CORE = noClasses()
            .that()
            .resideInAPackage("org.hubmark.smtp..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.hubmark.queue..", "org.hubmark.hub..", "org.hubmark.bench..");

    @ArchTest
    static final ArchRule THE_CORE_SEES_NOBODY = noClasses()
            .that()
            .resideInAPackage("org.hubmark.core..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.hubmark.smtp..",
                    "org.hubmark.queue..",
                    "org.hubmark.hub..",
                    "org.hubmark.bench..");

    @ArchTest
    static final ArchRule THE_HUB_DOES_NOT_KNOW_THE_BENCH = noClasses()
            .that()
            .resideInAPackage("org.hubmark.hub..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.hubmark.bench..");

    @ArchTest
    static final ArchRule NOBODY_KNOWS_THE_TESTKIT = noClasses()
            .that()
            .resideOutsideOfPackage("org.hubmark.testkit..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.hubmark.testkit..");

    @ArchTest
    static final ArchRule THE_TESTKIT_DOES_NOT_KNOW_THE_BENCH = noClasses()
            .that()
            .resideInAPackage("org.hubmark.testkit..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.hubmark.bench..");

    @ArchTest
    static final ArchRule NO_CYCLES_BETWEEN_MODULES =
            slices().matching("org.hubmark.(*)..").should().beFreeOfCycles();

    /** The rooms of the measuring side. The root package has what all of them say to a user. */
    @ArchTest
    static final ArchRule THE_ROOMS_OF_THE_BENCH = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("org.hubmark.bench..")
            .layer("root")
            .definedBy("org.hubmark.bench")
            .layer("machine")
            .definedBy("org.hubmark.bench.machine..")
            .layer("kit")
            .definedBy("org.hubmark.bench.kit..")
            .layer("load")
            .definedBy("org.hubmark.bench.load..")
            .layer("results")
            .definedBy("org.hubmark.bench.results..")
            .layer("measure")
            .definedBy("org.hubmark.bench.measure..")
            .layer("crash")
            .definedBy("org.hubmark.bench.crash..")
            .layer("micro")
            .definedBy("org.hubmark.bench.micro..")
            .layer("qualify")
            .definedBy("org.hubmark.bench.qualify..")
            .layer("users")
            .definedBy("org.hubmark.bench.users..")
            .layer("plan")
            .definedBy("org.hubmark.bench.plan..")
            .layer("scale")
            .definedBy("org.hubmark.bench.scale..")
            .layer("cli")
            .definedBy("org.hubmark.bench.cli..")
            .whereLayer("root")
            .mayNotAccessAnyLayer()
            .whereLayer("machine")
            .mayOnlyAccessLayers("root")
            .whereLayer("kit")
            .mayOnlyAccessLayers("root", "machine")
            .whereLayer("load")
            .mayOnlyAccessLayers("root")
            .whereLayer("results")
            .mayOnlyAccessLayers("root", "machine", "kit")
            .whereLayer("measure")
            .mayOnlyAccessLayers("root", "machine", "kit", "load", "results")
            .whereLayer("crash")
            .mayOnlyAccessLayers("root", "machine", "measure")
            .whereLayer("micro")
            .mayOnlyAccessLayers("root", "machine")
            .whereLayer("qualify")
            .mayOnlyAccessLayers("root", "machine", "kit", "load", "results", "measure")
            .whereLayer("users")
            .mayOnlyAccessLayers("root", "machine", "kit", "load", "results", "measure")
            .whereLayer("plan")
            .mayOnlyAccessLayers("root", "machine", "kit", "results")
            .whereLayer("scale")
            .mayOnlyAccessLayers("root", "machine", "kit", "load", "results", "measure")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer()
            .ensureAllClassesAreContainedInArchitectureIgnoring(
                    "org.hubmark.core..",
                    "org.hubmark.smtp..",
                    "org.hubmark.queue..",
                    "org.hubmark.hub..",
                    "org.hubmark.testkit..");

    @ArchTest
    static final ArchRule NO_CYCLES_BETWEEN_PACKAGES_OF_THE_BENCH =
            slices().assignedFrom(new PackagesOfTheBench()).should().beFreeOfCycles();

    /** What we wrote is read back as types: a renamed component must not compile. */
    @ArchTest
    static final ArchRule STUDIES_READ_NOTHING_BY_ITS_KEY = noClasses()
            .that()
            .resideInAnyPackage("org.hubmark.bench.kit..", "org.hubmark.bench.scale..")
            .and()
            .resideOutsideOfPackage("org.hubmark.bench.kit.document")
            .should()
            .callMethod(JsonNode.class, "path", String.class)
            .orShould()
            .callMethod(JsonNode.class, "at", String.class)
            .orShould()
            .callMethod(JsonNode.class, "get", String.class);

    @ArchTest
    static final ArchRule ROCKSDB_STAYS_IN_THE_STORE = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "org.hubmark.queue..", "org.hubmark.bench.micro..", "org.hubmark.bench.qualify")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.rocksdb..");

    @ArchTest
    static final ArchRule MICROMETER_STAYS_IN_THE_HUB = noClasses()
            .that()
            .resideOutsideOfPackage("org.hubmark.hub..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.micrometer..");

    @ArchTest
    static final ArchRule PICOCLI_STAYS_IN_THE_COMMAND_LINE = noClasses()
            .that()
            .resideOutsideOfPackage("org.hubmark.bench.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");

    @ArchTest
    static final ArchRule GREENMAIL_STAYS_IN_THE_EMBEDDED_SERVER = noClasses()
            .that()
            .resideOutsideOfPackage("org.hubmark.bench.users.embedded..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.icegreen..");

    @ArchTest
    static final ArchRule NO_INHERITANCE_BETWEEN_OUR_CLASSES = noClasses()
            .that(resideInAPackage("org.hubmark..").and(JavaClass.Predicates.INTERFACES.negate()))
            .should(new ArchCondition<>("extend a class of ours") {
                @Override
                public void check(JavaClass item, ConditionEvents events) {
                    boolean ours = item.getRawSuperclass()
                            .filter(parent -> parent.getPackageName().startsWith("org.hubmark"))
                            .filter(parent -> !parent.isEnum())
                            .isPresent();
                    boolean generated = item.getPackageName().contains("jmh_generated");
                    events.add(new SimpleConditionEvent(
                            item, ours && !generated, item.getName() + " extends a class of ours"));
                }
            });
}
