package org.hubmark.hub;

import org.hubmark.core.BodyType;
import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.core.Settings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.hub.delivery.NextHopSettings;
import org.hubmark.hub.relay.NextHopAgent;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Agents for next hops, what they are given to deliver, and what came of it in words. */
public final class TestAgents {
    public static final String CONTENT = "Subject: x\r\n\r\n";

    /** How long an agent waits for its peer. */
    public enum Patience {
        /** Ends a test whose peer waits for something else than the agent does. */
        LONG(20_000, 20_000, 20_000),
        /** For peers that are silent on purpose; a busy machine may be silent for longer. */
        SHORT(500, 500, 500),
        /** For a peer that is silent after MAIL; in all other places it may be late. */
        SHORT_AFTER_MAIL(2_000, 20_000, 20_000),
        /** For a peer that is silent where it has less time than RFC 5321 gives. */
        SHORT_IN_DOUBT(20_000, 20_000, 200);

        private final Duration command;
        private final Duration content;
        private final Duration doubt;

        Patience(long commandMillis, long contentMillis, long doubtMillis) {
            this.command = Duration.ofMillis(commandMillis);
            this.content = Duration.ofMillis(contentMillis);
            this.doubt = Duration.ofMillis(doubtMillis);
        }

        private NextHopSettings.Timeouts timeouts() {
            Duration kept = doubt.compareTo(command) < 0 ? doubt : command;
            return new NextHopSettings.Timeouts(
                    Duration.ofSeconds(20), command, content, content, content, doubt, doubt, kept);
        }
    }

    private TestAgents() {}

    public static DeliveryAgent agent(NextHop... hops) throws IOException {
        return agent(settings(Patience.LONG, Map.of()), DeliverySpec.Tls.OPPORTUNISTIC, hops);
    }

    public static DeliveryAgent agent(
            NextHopSettings settings, DeliverySpec.Tls tls, NextHop... hops) throws IOException {
        return new NextHopAgent(
                new DeliverySpec.NextHops(List.of(hops), tls), "a.example", settings);
    }

    public static NextHopSettings settings(String key, String value) {
        return settings(Patience.LONG, Map.of(key, value));
    }

    public static NextHopSettings settings(Patience patience, Map<String, String> given) {
        NextHopSettings read = NextHopSettings.read(new Settings(given));
        return with(read, patience, read.connectionAge());
    }

    /** With connections that get no older than that. */
    public static NextHopSettings aged(Duration connectionAge) {
        return with(NextHopSettings.read(Settings.defaults()), Patience.LONG, connectionAge);
    }

    private static NextHopSettings with(
            NextHopSettings settings, Patience patience, Duration connectionAge) {
        return new NextHopSettings(
                patience.timeouts(),
                settings.connectionIdle(),
                connectionAge,
                settings.connectionMessagesMax(),
                settings.pipelineMax(),
                settings.retry(),
                settings.tlsTrust());
    }

    public static Lease lease(String content, String... recipients) {
        return lease(1, BodyType.SEVEN_BIT, "s@x.example", content, recipients);
    }

    /** A character of the content is an octet. */
    public static Lease lease(
            long id, BodyType bodyType, String sender, String content, String... recipients) {
        byte[] octets = content.getBytes(StandardCharsets.ISO_8859_1);
        Envelope envelope = new Envelope(sender, List.of(recipients), bodyType, Instant.EPOCH, "");
        return new Lease(
                new QueueId(id),
                envelope,
                octets.length,
                0,
                () -> new ByteArrayInputStream(octets));
    }

    /** {@return the same whose content can't be read} */
    public static Lease unreadable(Lease lease) {
        return new Lease(lease.id(), lease.envelope(), lease.sizeBytes(), 0, () -> {
            throw new IOException("checksum differs");
        });
    }

    /** {@return an outcome in words, in which a next hop on loopback is HOP} */
    public static String words(@Nullable Outcome outcome) {
        String words = switch (outcome) {
            case null -> "none";
            case Outcome.Delivered all -> "delivered";
            case Outcome.Deferred later -> "deferred " + later.reason();
            case Outcome.NotTried none -> "not tried " + none.reason();
            case Outcome.Undeliverable never -> "undeliverable " + never.reason();
            case Outcome.Partial each ->
                each.results().stream()
                        .map(one -> (one.state() + " " + one.reply()).strip())
                        .collect(Collectors.joining(" & "));
        };
        return words.replaceAll("(smtp|lmtp)://127\\.0\\.0\\.1:[0-9]+", "HOP");
    }
}
