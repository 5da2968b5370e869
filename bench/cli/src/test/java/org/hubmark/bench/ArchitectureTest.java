package org.hubmark.bench;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
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
@AnalyzeClasses(packages = "org.hubmark", importOptions = ArchitectureTest.NoTests.class)
class ArchitectureTest {
    /** Nor those of another module, which come in a jar where modules are packed. */
    static final class NoTests implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return Predefined.DO_NOT_INCLUDE_TESTS.includes(location)
                    && !location.contains("-tests.jar");
        }
    }

    /** Each package by itself. What JMH generates belongs to its benchmarks. */
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
    static final ArchRule ONLY_THE_STORE_USES_ITS_ROOMS = noClasses()
            .that()
            .resideOutsideOfPackage("org.hubmark.queue..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.hubmark.queue.[log|simulation|table]..");

    /** Others configure its delivery and ask it as its operator does. */
    @ArchTest
    static final ArchRule ONLY_THE_HUB_USES_ITS_OTHER_ROOMS = noClasses()
            .that()
            .resideOutsideOfPackage("org.hubmark.hub..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.hubmark.hub.pressure..",
                    "org.hubmark.hub.relay..",
                    "org.hubmark.hub.tracking..");

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
    static final ArchRule THE_SERVER_DOES_NOT_KNOW_THE_BENCH = noClasses()
            .that()
            .resideInAPackage("org.hubmark.server..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.hubmark.bench..");

    /** Whoever measures starts one, and the command line alone knows its classes. */
    @ArchTest
    static final ArchRule THE_COMMAND_LINE_ALONE_KNOWS_THE_SERVER = noClasses()
            .that()
            .resideOutsideOfPackages("org.hubmark.server..", "org.hubmark.bench.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.hubmark.server..");

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

    /**
     * The packages of the product, and the packages that each uses: from the bottom up, so that there
     * are no cycles. One that is not named here fails.
     */
    @ArchTest
    static final ArchRule THE_PACKAGES_OF_THE_PRODUCT = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage(
                    "org.hubmark.core..",
                    "org.hubmark.smtp..",
                    "org.hubmark.queue..",
                    "org.hubmark.hub..")
            .layer("core")
            .definedBy("org.hubmark.core")
            .layer("receiver")
            .definedBy("org.hubmark.smtp")
            .layer("client")
            .definedBy("org.hubmark.smtp.client")
            .layer("log")
            .definedBy("org.hubmark.queue.log")
            .layer("table")
            .definedBy("org.hubmark.queue.table")
            .layer("store")
            .definedBy("org.hubmark.queue")
            .layer("tracking")
            .definedBy("org.hubmark.hub.tracking")
            .layer("pressure")
            .definedBy("org.hubmark.hub.pressure")
            .layer("delivery")
            .definedBy("org.hubmark.hub.delivery")
            .layer("relay")
            .definedBy("org.hubmark.hub.relay")
            .layer("admin")
            .definedBy("org.hubmark.hub.admin")
            .layer("audit")
            .definedBy("org.hubmark.hub.audit")
            .layer("hub")
            .definedBy("org.hubmark.hub")
            .whereLayer("core")
            .mayNotAccessAnyLayer()
            .whereLayer("receiver")
            .mayOnlyAccessLayers("core")
            .whereLayer("client")
            .mayNotAccessAnyLayer()
            .whereLayer("log")
            .mayNotAccessAnyLayer()
            .whereLayer("table")
            .mayOnlyAccessLayers("core", "log")
            .whereLayer("store")
            .mayOnlyAccessLayers("core", "log", "table")
            .whereLayer("audit")
            .mayOnlyAccessLayers("core")
            .whereLayer("tracking")
            .mayOnlyAccessLayers("core")
            .whereLayer("pressure")
            .mayOnlyAccessLayers("core", "receiver", "store")
            .whereLayer("delivery")
            .mayOnlyAccessLayers("core", "store", "tracking")
            .whereLayer("relay")
            .mayOnlyAccessLayers("core", "receiver", "client", "delivery")
            .whereLayer("admin")
            .mayOnlyAccessLayers("core", "store", "tracking", "pressure", "delivery")
            .whereLayer("hub")
            .mayOnlyAccessLayers(
                    "core",
                    "receiver",
                    "store",
                    "tracking",
                    "pressure",
                    "delivery",
                    "relay",
                    "admin")
            .ensureAllClassesAreContainedInArchitectureIgnoring(
                    "org.hubmark.bench..", "org.hubmark.testkit..", "org.hubmark.server..");

    @ArchTest
    static final ArchRule NO_CYCLES_BETWEEN_MODULES =
            slices().matching("org.hubmark.(*)..").should().beFreeOfCycles();

    /** The packages of the measuring side. */
    @ArchTest
    static final ArchRule THE_PACKAGES_OF_THE_BENCH = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("org.hubmark.bench..")
            .layer("machine")
            .definedBy("org.hubmark.bench.machine..")
            .layer("kit")
            .definedBy("org.hubmark.bench.kit..")
            .layer("load")
            .definedBy("org.hubmark.bench.load..")
            .layer("hub")
            .definedBy("org.hubmark.bench.hub..")
            .layer("mail")
            .definedBy("org.hubmark.bench.mail..")
            .layer("durability")
            .definedBy("org.hubmark.bench.durability..")
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
            .whereLayer("machine")
            .mayNotAccessAnyLayer()
            .whereLayer("kit")
            .mayOnlyAccessLayers("machine")
            .whereLayer("load")
            .mayNotAccessAnyLayer()
            .whereLayer("hub")
            .mayOnlyAccessLayers("machine", "kit")
            .whereLayer("mail")
            .mayOnlyAccessLayers("machine", "kit", "load", "hub")
            .whereLayer("durability")
            .mayOnlyAccessLayers("machine", "kit", "hub")
            .whereLayer("micro")
            .mayOnlyAccessLayers("machine")
            .whereLayer("qualify")
            .mayOnlyAccessLayers("machine", "kit")
            .whereLayer("users")
            .mayOnlyAccessLayers("machine", "kit", "load", "hub")
            .whereLayer("plan")
            .mayOnlyAccessLayers("machine", "kit", "qualify", "users")
            .whereLayer("scale")
            .mayOnlyAccessLayers("machine", "kit", "load", "hub")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer()
            .ensureAllClassesAreContainedInArchitectureIgnoring(
                    "org.hubmark.core..",
                    "org.hubmark.smtp..",
                    "org.hubmark.queue..",
                    "org.hubmark.hub..",
                    "org.hubmark.server..",
                    "org.hubmark.testkit..");

    @ArchTest
    static final ArchRule NO_CYCLES_BETWEEN_PACKAGES_OF_THE_BENCH =
            slices().assignedFrom(new PackagesOfTheBench()).should().beFreeOfCycles();

    /**
     * What we wrote is read back as types: a renamed component must not compile. The published source of ESRP
     * is no file of ours; its form names the places in it.
     */
    @ArchTest
    static final ArchRule STUDIES_READ_NOTHING_BY_ITS_KEY = noClasses()
            .that()
            .resideInAnyPackage(
                    "org.hubmark.bench.kit..",
                    "org.hubmark.bench.scale..",
                    "org.hubmark.bench.users..",
                    "org.hubmark.bench.durability..",
                    "org.hubmark.bench.qualify..",
                    "org.hubmark.bench.plan..")
            .and()
            .resideOutsideOfPackage("org.hubmark.bench.kit.document")
            .and()
            .doNotHaveFullyQualifiedName("org.hubmark.bench.qualify.report.Esrp")
            .should()
            .callMethod(JsonNode.class, "path", String.class)
            .orShould()
            .callMethod(JsonNode.class, "at", String.class)
            .orShould()
            .callMethod(JsonNode.class, "get", String.class);

    @ArchTest
    static final ArchRule ROCKSDB_STAYS_IN_THE_STORE = noClasses()
            .that()
            .resideOutsideOfPackages("org.hubmark.queue..", "org.hubmark.bench.micro..")
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
    static final ArchRule PICOCLI_STAYS_IN_THE_COMMAND_LINES = noClasses()
            .that()
            .resideOutsideOfPackages("org.hubmark.server..", "org.hubmark.bench.cli..")
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
