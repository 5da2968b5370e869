package org.hubmark.hub;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.Settings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.hub.delivery.NextHopSettings;
import org.hubmark.hub.relay.NextHopAgent;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Agents for next hops, what they are given to deliver, and scripts of their peers. */
public final class TestAgents {
    /** For peers that are silent on purpose; a busy machine may be silent for longer. */
    private static final NextHopSettings.Timeouts SHORT = new NextHopSettings.Timeouts(
            Duration.ofSeconds(5),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofMillis(500));

    /** For a peer that is silent after MAIL; in all other places it may be late. */
    private static final NextHopSettings.Timeouts SILENT_AFTER_MAIL = new NextHopSettings.Timeouts(
            Duration.ofSeconds(20),
            Duration.ofSeconds(2),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(2));

    /** Ends a test whose peer waits for something else than the agent does. */
    private static final NextHopSettings.Timeouts LONG = new NextHopSettings.Timeouts(
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20));

    /** For a peer that is silent where it has less time than RFC 5321 gives. */
    private static final NextHopSettings.Timeouts DOUBTFUL = new NextHopSettings.Timeouts(
            LONG.connect(),
            LONG.command(),
            LONG.data(),
            LONG.block(),
            LONG.end(),
            Duration.ofMillis(200),
            Duration.ofMillis(200),
            Duration.ofMillis(200));

    private static final NextHopSettings DEFAULTS =
            with(NextHopSettings.read(Settings.defaults()), LONG);

    private TestAgents() {}

    public static NextHopAgent agent(NextHop... hops) throws IOException {
        return agent(DEFAULTS, DeliverySpec.Tls.OPPORTUNISTIC, hops);
    }

    public static NextHopAgent impatient(NextHop... hops) throws IOException {
        return agent(with(DEFAULTS, SHORT), DeliverySpec.Tls.OPPORTUNISTIC, hops);
    }

    public static NextHopAgent impatientAfterMail(NextHop... hops) throws IOException {
        return agent(with(DEFAULTS, SILENT_AFTER_MAIL), DeliverySpec.Tls.OPPORTUNISTIC, hops);
    }

    public static NextHopAgent impatientInDoubt(DeliverySpec.Tls tls, NextHop... hops)
            throws IOException {
        return agent(with(DEFAULTS, DOUBTFUL), tls, hops);
    }

    public static NextHopAgent agent(
            NextHopSettings settings, DeliverySpec.Tls tls, NextHop... hops) throws IOException {
        return new NextHopAgent(
                new DeliverySpec.NextHops(List.of(hops), tls), "a.example", settings);
    }

    public static NextHopSettings settings(String key, String value) {
        return with(NextHopSettings.read(new Settings(Map.of(key, value))), LONG);
    }

    /** With connections that get no older than that. */
    public static NextHopSettings aged(Duration connectionAge) {
        return with(NextHopSettings.read(Settings.defaults()), LONG, connectionAge);
    }

    private static NextHopSettings with(
            NextHopSettings settings, NextHopSettings.Timeouts timeouts) {
        return with(settings, timeouts, settings.connectionAge());
    }

    private static NextHopSettings with(
            NextHopSettings settings, NextHopSettings.Timeouts timeouts, Duration connectionAge) {
        return new NextHopSettings(
                timeouts,
                settings.connectionIdle(),
                connectionAge,
                settings.connectionMessagesMax(),
                settings.pipelineMax(),
                settings.retry(),
                settings.tlsTrust());
    }

    public static Lease lease(String content, String... recipients) {
        return lease(BodyType.SEVEN_BIT, content, recipients);
    }

    /** A character of the content is an octet. */
    public static Lease lease(BodyType bodyType, String content, String... recipients) {
        byte[] octets = content.getBytes(StandardCharsets.ISO_8859_1);
        Envelope envelope =
                new Envelope("s@x.example", List.of(recipients), bodyType, Instant.EPOCH, "");
        return new Lease(
                new QueueId(1), envelope, octets.length, 0, () -> new ByteArrayInputStream(octets));
    }

    /** The script of a server that has these extensions, up to and with the answer to EHLO. */
    public static String[] greeting(String... extensions) {
        Stream<String> lines = Stream.of(extensions).map(extension -> "250-" + extension);
        return Stream.of(Stream.of("220 hi", "EHLO", "250-x"), lines, Stream.of("250 HELP"))
                .flatMap(one -> one)
                .toArray(String[]::new);
    }

    /** Lines, arrays of them and scripts, one behind the other. */
    public static String[] script(Object... parts) {
        return Stream.of(parts)
                .flatMap(
                        part -> part instanceof Object[] lines ? Stream.of(lines) : Stream.of(part))
                .toArray(String[]::new);
    }
}
