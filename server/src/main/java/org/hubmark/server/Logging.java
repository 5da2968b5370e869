package org.hubmark.server;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configures logging, unless the system property {@code logback.configurationFile} names a file.
 * Standard output is for the output of the command; log lines go to standard error. Logback finds
 * it by its service file. No XML, since to read that takes a tenth of a hub's start.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    private static final String APPENDER = "stderr";
    private static final String OURS = "org.hubmark";
    /** The client of a queue on a cluster. */
    private static final String CLIENT = "org.apache.pulsar";
    /** Set to off where a store in this process is meant to fail. */
    private static final String QUEUE_LEVEL = "hubmark.log.queue";

    /** Warnings only: what a command has done it prints. */
    @Override
    public ExecutionStatus configure(LoggerContext loggers) {
        if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null
                || Logging.class.getResource("/" + ClassicConstants.TEST_AUTOCONFIG_FILE) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        install(loggers, LogLines.Format.TEXT);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /**
     * A hub is served in this process: what happens to it is logged too.
     *
     * @param asked how the lines are to look, or null for as ever
     */
    static void serve(LogLines.@Nullable Format asked) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext loggers)
                || System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null) {
            return;
        }
        boolean ours = loggers.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(APPENDER) != null;
        if (ours || asked != null) {
            install(loggers, asked == null ? LogLines.Format.TEXT : asked);
            loggers.getLogger(OURS).setLevel(Level.INFO);
        }
    }

    /**
     * The hub takes mail: what its queue's client can't do on its own from here on is logged. Before that a
     * failure is the command's, which says it in a line.
     */
    static void serving() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext loggers
                && loggers.getLogger(CLIENT).getLevel() == Level.OFF) {
            loggers.getLogger(CLIENT).setLevel(Level.ERROR);
        }
    }

    private static void install(LoggerContext loggers, LogLines.Format format) {
        LogLines lines = new LogLines(format);
        lines.setContext(loggers);
        lines.start();
        ConsoleAppender<ILoggingEvent> errors = new ConsoleAppender<>();
        errors.setContext(loggers);
        errors.setName(APPENDER);
        errors.setTarget("System.err");
        errors.setEncoder(lines);
        errors.start();
        var root = loggers.getLogger(Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.setLevel(Level.WARN);
        root.addAppender(errors);
        loggers.getLogger(CLIENT).setLevel(Level.OFF);
        loggers.getLogger("org.hubmark.queue")
                .setLevel(Level.toLevel(System.getProperty(QUEUE_LEVEL), null));
    }
}
