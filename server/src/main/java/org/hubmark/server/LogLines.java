package org.hubmark.server;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.encoder.EncoderBase;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

import org.slf4j.event.KeyValuePair;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * Writes each event of the log as one line, whatever a peer has put into it: as text, or as a JSON object
 * with {@code time}, {@code level}, {@code message} and the event's own keys. Any thread.
 */
final class LogLines extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** Frames of a stack that are shown; the callers below are the same each time. */
    private static final int FRAMES_MAX = 8;

    /** Format of the lines. */
    enum Format {
        TEXT,
        JSON
    }

    private final Format format;

    LogLines(Format format) {
        this.format = format;
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String line = switch (format) {
            case TEXT -> text(event);
            case JSON -> json(event);
        };
        return (line + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static String text(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(time(event));
        String level = event.getLevel().toString();
        line.append(' ').append(level).append(" ".repeat(Math.max(1, 6 - level.length())));
        line.append(event.getFormattedMessage());
        if (event.getThrowableProxy() != null) {
            line.append(": ").append(stack(event.getThrowableProxy()));
        }
        return ControlCharacters.masked(line.toString());
    }

    private static String json(ILoggingEvent event) {
        StringBuilder line = new StringBuilder("{");
        field(line, "time", time(event));
        field(line, "level", event.getLevel().toString().toLowerCase(Locale.ROOT));
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> field(line, pair.key, pair.value));
        }
        field(line, "message", event.getFormattedMessage());
        if (event.getThrowableProxy() != null) {
            field(line, "cause", stack(event.getThrowableProxy()));
        }
        return line.append('}').toString();
    }

    private static void field(StringBuilder line, String key, Object value) {
        line.append(line.length() > 1 ? "," : "").append('"').append(key).append("\":");
        switch (value) {
            case Number number -> line.append(number);
            case null, default ->
                line.append('"')
                        .append(JsonStringEncoder.getInstance()
                                .quoteAsString(String.valueOf(value)))
                        .append('"');
        }
    }

    private static String time(ILoggingEvent event) {
        return TIME.format(Instant.ofEpochMilli(event.getTimeStamp()));
    }

    /** What was thrown and where, the cause of all first. */
    private static String stack(IThrowableProxy thrown) {
        IThrowableProxy root = thrown;
        while (root.getCause() != null && !root.isCyclic()) {
            root = root.getCause();
        }
        StringBuilder text = new StringBuilder(root.getClassName());
        if (root.getMessage() != null) {
            text.append(": ").append(root.getMessage());
        }
        StackTraceElementProxy[] frames = root.getStackTraceElementProxyArray();
        for (int i = 0; i < frames.length && i < FRAMES_MAX; i++) {
            text.append(i == 0 ? " at " : " < ").append(frames[i].getStackTraceElement());
        }
        return text.toString();
    }
}
