package org.hubmark.bench;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.Architectures;

import java.util.List;

/**
 * Proves that the code has the shape of docs/architecture.md: which package sees which where
 * modules do not say it already, where each library may be used, and that none of our classes inherits from another. Reads the byte code of
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

    /** What may be used by some packages alone: used | by whom. */
    private static final String USED_BY = """
            org.hubmark.queue.[log|simulation|table].. | org.hubmark.queue..
            org.hubmark.hub.[pressure|relay|tracking].. | org.hubmark.hub..
            org.hubmark.server..                       | org.hubmark.server.. org.hubmark.bench.cli..
            org.hubmark.testkit..                      | org.hubmark.testkit..
            org.rocksdb..                              | org.hubmark.queue org.hubmark.queue.table org.hubmark.bench.micro..
            io.micrometer..                            | org.hubmark.hub..
            picocli..                                  | org.hubmark.server.. org.hubmark.bench.cli..
            com.icegreen..                             | org.hubmark.bench.users.embedded..
            """;

    /** The packages of the product, and the packages that each uses, from the bottom up. */
    private static final String PRODUCT = """
            org.hubmark.core         |
            org.hubmark.smtp         | core
            org.hubmark.smtp.client  |
            org.hubmark.queue.log    |
            org.hubmark.queue.table  | core queue.log
            org.hubmark.queue        | core queue.log queue.table
            org.hubmark.hub.audit    | core
            org.hubmark.hub.tracking | core
            org.hubmark.hub.pressure | core smtp queue
            org.hubmark.hub.delivery | core queue hub.tracking
            org.hubmark.hub.relay    | core smtp smtp.client hub.delivery
            org.hubmark.hub.admin    | core queue hub.tracking hub.pressure hub.delivery
            org.hubmark.hub          | core smtp queue hub.tracking hub.pressure hub.delivery hub.relay hub.admin
            """;

    @ArchTest
    static void someIsUsedBySomeAlone(JavaClasses classes) {
        USED_BY.lines()
                .map(line -> line.split(" +\\| *", -1))
                .forEach(row -> noClasses()
                        .that()
                        .resideOutsideOfPackages(row[1].split(" ", -1))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(row[0])
                        .check(classes));
    }

    /** So that there are no cycles. A package that is not named here fails. */
    @ArchTest
    static void thePackagesOfTheProduct(JavaClasses classes) {
        List<String[]> rows =
                PRODUCT.lines().map(line -> line.split(" +\\| *", -1)).toList();
        Architectures.LayeredArchitecture layers =
                layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (String[] row : rows) {
            layers = layers.layer(name(row[0])).definedBy(row[0]);
        }
        for (String[] row : rows) {
            var layer = layers.whereLayer(name(row[0]));
            layers = row[1].isEmpty()
                    ? layer.mayNotAccessAnyLayer()
                    : layer.mayOnlyAccessLayers(row[1].split(" ", -1));
        }
        layers.ensureAllClassesAreContainedInArchitectureIgnoring(
                        "org.hubmark.bench..", "org.hubmark.testkit..", "org.hubmark.server..")
                .check(classes);
    }

    private static String name(String packages) {
        return packages.replace("org.hubmark.", "");
    }

    @ArchTest
    static final ArchRule NO_CYCLES_BETWEEN_PACKAGES_OF_THE_BENCH =
            slices().matching("org.hubmark.bench.(**)").should().beFreeOfCycles();

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
