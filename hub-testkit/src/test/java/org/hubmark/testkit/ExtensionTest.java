package org.hubmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.testkit.engine.EngineTestKit;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The life of what the extensions give: one for each test or class, its folder gone at the end. The classes below are run by JUnit within the test.
 */
final class ExtensionTest {
    private static final Set<TestHub> HUBS = ConcurrentHashMap.newKeySet();

    @BeforeEach
    @AfterEach
    void forget() {
        HUBS.clear();
    }

    @Test
    void eachTestHasItsOwnAlsoInParallel() {
        hubsOf(3, OwnHub.class);
    }

    @Test
    void aStaticFieldIsSharedWithNestedClasses() {
        hubsOf(1, SharedHub.class);
    }

    /** Their classes run at the same time, and have one extension. */
    @Test
    void eachSubclassHasItsOwnOfAnInheritedField() {
        hubsOf(3, One.class, Two.class, Three.class);
    }

    @Test
    void anExtensionThatIsNoFieldSaysWhatToTake() {
        assertThat(catchThrowable(new HubExtension()::hub))
                .hasMessageContaining("HubExtension.create()");
    }

    /** Runs three tests, which have as many hubs. */
    private static void hubsOf(int hubs, Class<?>... types) {
        EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter(
                        "junit.jupiter.execution.parallel.config.fixed.parallelism", "3")
                .selectors(Stream.of(types)
                        .map(type -> selectClass(type))
                        .toArray(DiscoverySelector[]::new))
                .execute()
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(3).failed(0));
        assertThat(HUBS)
                .hasSize(hubs)
                .allSatisfy(hub -> assertThat(hub.folder().path()).doesNotExist());
    }

    private static void use(TestHub hub) {
        HUBS.add(hub);
        try (SmtpDialogue client = hub.dialogue()) {
            client.send("a@example.org", List.of("b@example.org"), "Subject: x\n\n");
        }
        assertThat(hub.await(1)).isNotEmpty();
    }

    @ExtendWith(HubExtension.class)
    @Execution(ExecutionMode.CONCURRENT)
    static class OwnHub {
        private final TestHub fromConstructor;

        OwnHub(TestHub hub) {
            fromConstructor = hub;
        }

        @RepeatedTest(3)
        void each(TestHub hub) {
            assertThat(hub).isSameAs(fromConstructor);
            use(hub);
            assertThat(hub.messages()).hasSize(1);
        }
    }

    static class SharedHub {
        @RegisterExtension
        static final HubExtension HUB = HubExtension.create();

        @Test
        void one() {
            use(HUB.hub());
        }

        @Test
        void two(TestHub hub) {
            use(hub);
        }

        @Nested
        class Inner {
            @Test
            void three() {
                use(HUB.hub());
            }
        }
    }

    abstract static class Base {
        @RegisterExtension
        static final HubExtension HUB = HubExtension.create();

        private static final CyclicBarrier ALL_RUN = new CyclicBarrier(3);

        @Test
        void test() throws Exception {
            ALL_RUN.await(1, TimeUnit.MINUTES);
            use(HUB.hub());
            TestHub own = HUB.hub();
            Throwable elsewhere = CompletableFuture.supplyAsync(() -> catchThrowable(HUB::hub))
                    .get(1, TimeUnit.MINUTES);
            assertThat(elsewhere).hasMessageContaining("several tests run at the same time");
            ALL_RUN.await(1, TimeUnit.MINUTES);
            assertThat(HUB.hub()).isSameAs(own);
        }
    }

    @Execution(ExecutionMode.CONCURRENT)
    static class One extends Base {}

    @Execution(ExecutionMode.CONCURRENT)
    static class Two extends Base {}

    @Execution(ExecutionMode.CONCURRENT)
    static class Three extends Base {}
}
