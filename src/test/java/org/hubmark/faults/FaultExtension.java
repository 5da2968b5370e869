package org.hubmark.faults;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Fails each test in whose time the log says <i>a bug in Hubmark</i>: a session that ends so gives no test
 * another sign of it. A test that causes one on purpose has the tag {@code faults}, and fails without one.
 *
 * <p>Every module with a receiver compiles it among its own tests, and JUnit finds it by itself. Of tests that
 * run beside each other any may fail; the log line in the message says which one it was.
 */
public final class FaultExtension implements BeforeEachCallback, AfterEachCallback {
    private static final String WORDS = "a bug in Hubmark";
    private static final ConcurrentLinkedQueue<String> FAULTS = new ConcurrentLinkedQueue<>();

    private static final class Listener extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getFormattedMessage().contains(WORDS)) {
                FAULTS.add(event.getThreadName() + ": " + event.getFormattedMessage() + "\n"
                        + ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        // A test may have set up the log anew, without the listener.
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext log) {
            synchronized (FAULTS) {
                Logger root = log.getLogger(Logger.ROOT_LOGGER_NAME);
                if (root.getAppender(WORDS) == null) {
                    Listener listener = new Listener();
                    listener.setName(WORDS);
                    listener.setContext(log);
                    listener.start();
                    root.addAppender(listener);
                }
            }
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        List<String> faults = new ArrayList<>();
        for (String fault = FAULTS.poll(); fault != null; fault = FAULTS.poll()) {
            faults.add(fault);
        }
        boolean expected = context.getTags().contains("faults");
        if (expected == faults.isEmpty()) {
            throw new AssertionError(
                    expected
                            ? "the log doesn't say '" + WORDS + "', which the tag 'faults' promises"
                            : "the log says in the time of this test:\n"
                                    + String.join("\n", faults));
        }
    }
}
