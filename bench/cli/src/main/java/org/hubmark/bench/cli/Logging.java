package org.hubmark.bench.cli;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * What is logged and where to, unless the system property {@code logback.configurationFile} names a
 * file: standard output belongs to what a command prints; all else goes to standard error. Logback
 * finds it by its service file. No XML, since to read that takes a tenth of a hub's start.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    private static final String PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX, UTC} %-5level %msg%n%rEx{8}";
    /** Set to off where a store in this process is meant to fail. */
    private static final String QUEUE_LEVEL = "hubmark.log.queue";

    @Override
    public ExecutionStatus configure(LoggerContext loggers) {
        if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null
                || Logging.class.getResource("/" + ClassicConstants.TEST_AUTOCONFIG_FILE) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(loggers);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> errors = new ConsoleAppender<>();
        errors.setContext(loggers);
        errors.setName("stderr");
        errors.setTarget("System.err");
        errors.setEncoder(encoder);
        errors.start();
        var root = loggers.getLogger("ROOT");
        root.setLevel(Level.WARN);
        root.addAppender(errors);
        loggers.getLogger("org.hubmark").setLevel(Level.INFO);
        loggers.getLogger("org.hubmark.queue")
                .setLevel(Level.toLevel(System.getProperty(QUEUE_LEVEL), Level.INFO));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
