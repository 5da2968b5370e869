package org.hubmark.bench.load;

import org.hubmark.bench.UserError;
import org.hubmark.hub.SmtpClient;
import org.hubmark.hub.SmtpReply;
import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Locale;

import javax.net.ssl.SSLException;

/** Asks a server, over a connection of its own, what it is and what it can do. Blocks. */
public final class TargetProbe {
    /**
     * To connect, and for a reply. RFC 5321 4.5.3.2.1 says five minutes; a server to be measured answers
     * sooner.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final String OWN_NAME = "load.hubmark.example";

    private TargetProbe() {}

    /**
     * What a server announced.
     *
     * @param greeting its first line
     * @param pipelining RFC 2920
     * @param chunking RFC 3030
     * @param eightBitMime RFC 6152
     * @param sizeMax RFC 1870: the largest message in octets, 0 for no stated limit, null when SIZE
     *     isn't announced
     */
    public record Announced(
            String greeting,
            boolean pipelining,
            boolean chunking,
            boolean eightBitMime,
            @Nullable Long sizeMax) {}

    /**
     * Asks.
     *
     * @throws UserError when there is no server, or none that speaks SMTP
     */
    public static Announced ask(InetSocketAddress target) {
        return ask(target, null);
    }

    /** Asks the target of a plan, by TLS where the plan has it. */
    public static Announced ask(LoadPlan plan) {
        return ask(plan.target(), plan.tls());
    }

    /**
     * Asks.
     *
     * @param tls begun before the asking, or null
     */
    public static Announced ask(InetSocketAddress target, @Nullable ClientTls tls) {
        String name = target.getHostString() + ":" + target.getPort();
        InetSocketAddress address = new InetSocketAddress(target.getHostString(), target.getPort());
        if (address.isUnresolved()) {
            throw UserError.failed("target " + name + ": no such host");
        }
        try (SmtpClient client = connect(address, name)) {
            SmtpReply greeting = requireSuccess(client.reply(), name);
            SmtpReply hello = requireSuccess(client.hello(OWN_NAME), name);
            if (tls != null) {
                if (!client.has("STARTTLS")) {
                    throw UserError.failed(
                            "target " + name + " doesn't announce STARTTLS, which --tls needs");
                }
                SmtpReply begun = client.startTls(tls.factory(), tls.parameters());
                if (!begun.isSuccess()) {
                    throw UserError.failed("target " + name + " announces STARTTLS, which --tls"
                            + " needs, but answers it with: " + begun);
                }
                hello = requireSuccess(client.hello(OWN_NAME), name);
            }
            return announced(greeting, hello);
        } catch (SSLException e) {
            throw UserError.failed("target " + name + ": TLS fails (" + e.getMessage() + ")");
        } catch (SocketTimeoutException e) {
            throw UserError.failed("target " + name + " is no SMTP server, or stuck: no answer in "
                    + TIMEOUT.toSeconds() + " s");
        } catch (ProtocolException | EOFException e) {
            throw UserError.failed("target " + name + " is no SMTP server: it " + e.getMessage());
        } catch (IOException e) {
            throw UserError.failed(
                    "target " + name + " broke the connection (" + e.getMessage() + ")");
        }
    }

    private static SmtpClient connect(InetSocketAddress address, String name) {
        try {
            return SmtpClient.connect(address, TIMEOUT);
        } catch (IOException e) {
            throw UserError.failed("target " + name + " can't be reached (" + e.getMessage() + ")");
        }
    }

    private static SmtpReply requireSuccess(SmtpReply reply, String name) {
        if (!reply.isSuccess()) {
            throw UserError.failed("target " + name + " refuses: " + reply);
        }
        return reply;
    }

    private static Announced announced(SmtpReply greeting, SmtpReply hello) {
        boolean pipelining = false;
        boolean chunking = false;
        boolean eightBitMime = false;
        Long sizeMax = null;
        for (String extension : hello.text().split("\n", -1)) {
            String[] words = extension.toUpperCase(Locale.ROOT).split(" ", -1);
            switch (words[0]) {
                case "PIPELINING" -> pipelining = true;
                case "CHUNKING" -> chunking = true;
                case "8BITMIME" -> eightBitMime = true;
                case "SIZE" -> sizeMax = words.length > 1 ? number(words[1]) : 0;
                default -> {
                    // Not of use here.
                }
            }
        }
        return new Announced(
                greeting.text().lines().findFirst().orElse(""),
                pipelining,
                chunking,
                eightBitMime,
                sizeMax);
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
