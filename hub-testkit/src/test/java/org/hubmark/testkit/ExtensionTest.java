package org.hubmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

import java.nio.file.Path;
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
        EngineExecutionResults results = run(OwnHub.class);
        results.testEvents()
                .assertStatistics(statistics -> statistics.succeeded(3).failed(0));
        assertThat(HUBS)
                .hasSize(3)
                .allSatisfy(hub -> assertThat(new FolderOf(hub).path()).doesNotExist());
    }

    @Test
    void aStaticFieldIsSharedWithNestedClasses() {
        run(SharedHub.class).testEvents().assertStatistics(statistics -> statistics.succeeded(3));
        assertThat(HUBS)
                .hasSize(1)
                .allSatisfy(hub -> assertThat(new FolderOf(hub).path()).doesNotExist());
    }

    /** Their classes run at the same time, and have one extension. */
    @Test
    void eachSubclassHasItsOwnOfAnInheritedField() {
        EngineExecutionResults results = run(One.class, Two.class, Three.class);
        results.testEvents()
                .assertStatistics(statistics -> statistics.succeeded(3).failed(0));
        assertThat(HUBS).hasSize(3);
    }

    @Test
    void anExtensionThatIsNoFieldSaysWhatToTake() {
        assertThat(catchThrowable(new HubExtension()::hub))
                .hasMessageContaining("HubExtension.create()");
    }

    private static EngineExecutionResults run(Class<?>... types) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter(
                        "junit.jupiter.execution.parallel.config.fixed.parallelism", "3")
                .selectors(Stream.of(types)
                        .map(type -> selectClass(type))
                        .toArray(DiscoverySelector[]::new))
                .execute();
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

        @Test
        void one(TestHub hub) {
            useMine(hub);
        }

        @Test
        void two(TestHub hub) {
            useMine(hub);
        }

        @Test
        void three(TestHub hub) {
            useMine(hub);
        }

        private void useMine(TestHub hub) {
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
    /** The folder that a hub has, or had. */
    private record FolderOf(TestHub hub) {
        Path path() {
            return hub.folder().path();
        }
    }
}
