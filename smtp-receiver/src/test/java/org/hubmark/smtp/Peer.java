package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;

import org.hubmark.core.Settings;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The client's side of one connection without a network, in the test's thread. */
final class Peer implements AutoCloseable {
    private static final int READ_OCTETS = 64 << 10;

    static final String TRANSACTION =
            "EHLO c.example\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\n";

    static final String BINARY_TRANSACTION =
            TRANSACTION.replace("<a@b.example>", "<a@b.example> BODY=BINARYMIME");

    final MemoryIntake intake;
    final Service service;
    final EmbeddedChannel channel;

    Peer(MemoryIntake intake, Map<String, String> settings) {
        this(intake, settings, new OpenPolicy(), null);
    }

    Peer(MemoryIntake intake, Map<String, String> settings, SmtpPolicy policy) {
        this(intake, settings, policy, null);
    }

    Peer(MemoryIntake intake, Map<String, String> settings, @Nullable RecipientCheck recipients) {
        this(intake, settings, new OpenPolicy(), recipients);
    }

    private Peer(
            MemoryIntake intake,
            Map<String, String> settings,
            SmtpPolicy policy,
            @Nullable RecipientCheck recipients) {
        this.intake = intake;
        Settings given = withName(settings);
        Limits limits = Limits.read(given);
        RelayRules relaying = RelayRules.read(
                given, List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        service = new Service(
                intake,
                Peers.of(limits),
                new SmtpCounters(),
                limits,
                relaying,
                policy,
                recipients,
                InstantSource.system(),
                null);
        channel = new EmbeddedChannel(new Connection(service, service.peers().unlimited(), false));
        // The greeting is sent, and stays to be read.
        channel.runPendingTasks();
    }

    Peer() {
        this(new MemoryIntake(), Map.of());
    }

    /** Sends octets given as Latin-1 in one read. {@return the replies to them} */
    String send(String octets) {
        return send(octets.getBytes(StandardCharsets.ISO_8859_1));
    }

    String send(byte[] octets) {
        if (!channel.isActive()) {
            return "";
        }
        channel.writeInbound(Unpooled.copiedBuffer(octets));
        return replies();
    }

    /** Sends octets and ends its side: they are read to their end, whether reading is paused or not. */
    void closesItsSide(String octets) {
        byte[] all = octets.getBytes(StandardCharsets.ISO_8859_1);
        for (int at = 0; at < all.length && channel.isActive(); at += READ_OCTETS) {
            int length = Math.min(READ_OCTETS, all.length - at);
            channel.writeInbound(Unpooled.copiedBuffer(all, at, length));
        }
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    }

    /** {@return what came since the last call, with LF line ends} */
    String replies() {
        channel.runPendingTasks();
        StringBuilder text = new StringBuilder();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            text.append(out.toString(StandardCharsets.US_ASCII));
            out.release();
        }
        return text.toString().replace("\r\n", "\n");
    }

    /** {@return how often the receiver ended the connection, for whatever reason} */
    long endings() {
        long endings = 0;
        for (Ending ending : Ending.values()) {
            endings += service.counters().ended(ending).sum();
        }
        return endings;
    }

    boolean isOpen() {
        return channel.isActive();
    }

    /** Ends the connection; all memory has to be given back by then. */
    @Override
    public void close() {
        channel.finishAndReleaseAll();
        while (!intake.held.isEmpty()) {
            intake.held.remove().run();
        }
        assertThat(service.budget().bytesUsed())
                .as("bytes in flight at the end")
                .isZero();
        assertThat(service.envelopeBudget().bytesUsed())
                .as("bytes of envelopes at the end")
                .isZero();
        assertThat(intake.extentsKept()).as("extents at the end").isZero();
    }

    private static Settings withName(Map<String, String> settings) {
        var given = new java.util.TreeMap<>(settings);
        given.putIfAbsent("smtp.host-name", "mx.example");
        return new Settings(given);
    }
}
