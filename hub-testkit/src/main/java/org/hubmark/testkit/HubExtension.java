package org.hubmark.testkit;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a {@link TestHub}, a durable queue with an SMTP receiver on a free port.
 *
 * {@snippet file="org/hubmark/testkit/ExampleTest.java" region="hub"}
 *
 * <p>With {@code @ExtendWith} each test that has a parameter of this type gets one of its own. With {@code @RegisterExtension} the field says how it is to be; an instance field gives one to
 * each test (with one instance for the class, to the class), a static field one to all tests of the class,
 * also where subclasses inherit it, and {@link #hub} returns it. It is started when it is first asked for and ended with the test or class. What it has on disk
 * is removed then.
 *
 * <p>Tests that run in parallel don't disturb each other, as long as each has its own. Needs JUnit
 * Jupiter 5.12 or newer.
 */
public final class HubExtension
        implements BeforeAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                ParameterResolver {
    private final Scope scope;
    private final boolean isField;

    /** For {@code @ExtendWith}: nothing special, one for each test. */
    public HubExtension() {
        this(HubOptions.defaults(), false);
    }

    private HubExtension(HubOptions options, boolean isField) {
        this.scope = new Scope(() -> TestHub.start(options));
        this.isField = isField;
    }

    /** {@return an extension for a field with {@code @RegisterExtension}} */
    public static HubExtension create() {
        return with(HubOptions.defaults());
    }

    /** {@return an extension for a field with {@code @RegisterExtension}} */
    public static HubExtension with(HubOptions options) {
        return new HubExtension(options, true);
    }

    /** {@return the hub of the test, or class, that is running on this thread} */
    public TestHub hub() {
        requireField();
        return scope.hub();
    }

    private void requireField() {
        if (!isField) {
            throw new IllegalStateException("for a field take HubExtension.create()");
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        beforeEach(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (isField) {
            scope.begin(context);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        scope.end(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        afterEach(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestHub.class;
    }

    @Override
    public TestHub resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return scope.hub(context);
    }

    /** A constructor's parameter belongs to the test, not to the class. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }
}
