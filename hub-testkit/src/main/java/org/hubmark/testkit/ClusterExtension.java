package org.hubmark.testkit;

import org.hubmark.hub.QueueEngine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import java.net.URI;

/**
 * Hands a test a {@link TestHub} whose queue is on a cluster that runs, the one that the system
 * property {@value #PROPERTY} names (as {@code serve --queue} takes it). Where none is named, or the
 * engine is not on the class path, the test is skipped, and the reason says which. {@link OnCluster} asks
 * for it, with a tag.
 *
 * <p>The cluster is not the test's: what is left in its namespace is there for the next test, and hubs
 * that use it at the same time share its mail.
 */
public final class ClusterExtension
        implements ExecutionCondition, AfterEachCallback, ParameterResolver {
    /** Names the cluster: {@code pulsar://HOST:PORT/TENANT/NAMESPACE}. */
    public static final String PROPERTY = "hubmark.pulsar";

    private final Scope<TestHub> scope =
            new Scope<>(TestHub.class, () -> TestHub.start(HubOptions.defaults().queue(address())));

    /** For {@code @ExtendWith}. */
    public ClusterExtension() {}

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String named = System.getProperty(PROPERTY, "");
        if (named.isEmpty()) {
            return ConditionEvaluationResult.disabled("no cluster is named with -D" + PROPERTY
                    + "=pulsar://HOST:PORT/TENANT/NAMESPACE");
        }
        String obstacle = obstacle(named);
        return obstacle == null
                ? ConditionEvaluationResult.enabled("the cluster is " + named)
                : ConditionEvaluationResult.disabled(obstacle);
    }

    private static @Nullable String obstacle(String named) {
        try {
            QueueEngine unused = QueueEngine.of(URI.create(named));
            return null;
        } catch (IllegalArgumentException e) {
            return "-D" + PROPERTY + "=" + named + ": " + e.getMessage();
        }
    }

    private static URI address() {
        return URI.create(System.getProperty(PROPERTY, ""));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        scope.end(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestHub.class;
    }

    @Override
    public TestHub resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return scope.resource(context);
    }

    /** A constructor's parameter belongs to the test, not to the class. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }
}
