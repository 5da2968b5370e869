package org.hubmark.bench.mail.document;

import org.hubmark.bench.kit.document.Document;
import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The catalogue of what a scenario is measured under, beside the size of its messages. results.json,
 * the names of scenarios in tables and plots, the effects of a matrix and the
 * comparison all read it: a condition is stated here and where its value comes from, nowhere else.
 * In the order in which they stand in a name, the most telling first.
 */
@SuppressWarnings("ImmutableEnumChecker") // A function without state has nothing to change.
public enum Condition {
    /** Installation or checkout that the hub is of, as it was given; null for the driver's own. */
    HUB(String.class, "Hub", text -> "hub " + text),
    /** Profile of the emulated devices, as {@code volumes create --device-profile} names it, or one for each role. */
    DEVICE_PROFILE(
            String.class, "Emulated device", text -> text.replace('=', ' ').replace(",", ", ")),
    /** Layout of the volumes: one, apart, three or striped. */
    LAYOUT(String.class, "Volumes", text -> switch (text) {
        case "one" -> "one volume";
        case "apart" -> "log apart";
        case "three" -> "three volumes";
        case "striped" -> "queue striped";
        default -> text;
    }),
    /** synced, periodic=10ms, none; null with a target. */
    DURABILITY(String.class, "Durability class", text -> text),
    /**
     * Flush that a sync asks of the log's device, which tells the state of its write cache: sent (the cache
     * is off, the medium answers), protected (a cache answers that survives a power loss) or suppressed
     * (one answers that may not).
     */
    FLUSH(
            String.class,
            "Write cache",
            text -> "write cache " + (text.equals("sent") ? "off" : "on")),
    /** Checkpoint depth of the intake log, MB of 1000 KB; null with a target. */
    CHECKPOINT_DEPTH_MB(
            Double.class,
            "Checkpoint depth (MB)",
            text -> "depth " + Math.round(Double.parseDouble(text)) + " MB"),
    /** Open at once. */
    CONNECTIONS(Integer.class, "Connections", text -> text + " connections"),
    /** As it was asked for: max, max-sustained, 1200/s. */
    ASKED_RATE(String.class, "Rate asked for", text -> text.equals("max") ? "rate max" : text),
    /** store or discard; null with a target. */
    INTAKE(String.class, "Intake", text -> text.equals("discard") ? "discard" : "stored"),
    /** Delivery of the mail by the hub; null with a target. */
    DELIVER(String.class, "Delivery", text -> "deliver " + text),
    /** How content travels: data or bdat. */
    TRANSFER(String.class, "Transfer", text -> text),
    /** Whether each connection begins TLS. */
    TLS(Boolean.class, "TLS", text -> text.equals("true") ? "TLS" : "plain text"),
    /** Transport and TLS library of the load driver: epoll, NIO, BoringSSL, the JDK's TLS. */
    DRIVER(String.class, "Load driver by", text -> "driver by " + text),
    /** Whether the envelope goes in one write where the server allows it. */
    PIPELINING(
            Boolean.class,
            "Pipelining",
            text -> text.equals("true") ? "pipelining" : "no pipelining"),
    /** Recipients of each message. */
    RECIPIENTS(Integer.class, "Recipients of a message", text -> text + " recipients"),
    /** Until a connection is made anew; 0 for no limit. */
    MESSAGES_PER_CONNECTION(
            Integer.class, "Messages a connection", text -> text + " messages a connection"),
    /** Where the messages come from: generated, or the files of a folder. */
    CONTENT(String.class, "Content", text -> text);

    private final Class<?> type;
    private final String title;
    private final UnaryOperator<String> word;

    Condition(Class<?> type, String title, UnaryOperator<String> word) {
        this.type = type;
        this.title = title;
        this.word = word;
    }

    /** {@return the name in results.json} */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return the name on the command line} */
    public String option() {
        return key().replace('_', '-');
    }

    /** {@return what stands before it in a table} */
    public String title() {
        return title;
    }

    /** {@return a value as it tells a scenario from others; empty where it isn't known} */
    public Optional<String> word(@Nullable Object value) {
        return value == null ? Optional.empty() : Optional.of(word.apply(String.valueOf(value)));
    }

    /** {@return a value as it stands in a file, as one of its type} */
    Object typed(Object value) {
        return type == String.class
                ? value.toString()
                : Objects.requireNonNull(Document.typed(value, type));
    }
}
