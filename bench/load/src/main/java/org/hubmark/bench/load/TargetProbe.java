package org.hubmark.bench.load;

import org.hubmark.core.UserError;
import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;
import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLException;

/** Asks a server, over a connection of its own, what it is and what it can do. Blocks. */
public final class TargetProbe {
    /** To connect, and for a reply: a server to be measured answers sooner. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** RFC 5321 4.5.3.2.1; some servers keep a client waiting on purpose, and greet each late. */
    private static final Duration GREETING_TIMEOUT = Duration.ofMinutes(5);

    /** Whoever waits longer is told so. */
    private static final Duration SILENT = Duration.ofSeconds(3);

    private static final String OWN_NAME = "load.hubmark.example";

    private static final Pattern SIZE = Pattern.compile("(?im)^SIZE (\\d{1,18})$");

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
     * @param mechanism that it announced and that it took the user and the password by; null where it was not
     *     told any
     * @param address at which it was reached; null where nobody asked
     * @param greetedAfter time that it took until it greeted
     */
    public record Announced(
            String greeting,
            boolean pipelining,
            boolean chunking,
            boolean eightBitMime,
            @Nullable Long sizeMax,
            @Nullable SaslMechanism mechanism,
            @Nullable InetSocketAddress address,
            Duration greetedAfter) {}

    /**
     * Asks.
     *
     * @throws UserError when there is no server, or none that speaks SMTP
     */
    public static Announced ask(InetSocketAddress target) {
        return ask(target, null, null, line -> {});
    }

    /** Asks the target of a plan, by TLS where the plan has it. */
    public static Announced ask(LoadPlan plan) {
        return ask(plan.target(), plan.dialogue().tls(), plan.dialogue().auth(), line -> {});
    }

    /**
     * Asks.
     *
     * @param tls begun before the asking, or null
     * @param auth tried after it, or null
     * @param waiting gets a line where the target stays silent for some seconds: what is waited for, and
     *     for how long at most
     */
    public static Announced ask(
            InetSocketAddress target,
            @Nullable ClientTls tls,
            @Nullable ClientAuth auth,
            Consumer<String> waiting) {
        String name = target.getHostString() + ":" + target.getPort();
        InetSocketAddress address = new InetSocketAddress(target.getHostString(), target.getPort());
        if (address.isUnresolved()) {
            throw UserError.failed("target " + name + ": no such host");
        }
        Thread silence = Thread.ofVirtual().start(() -> sayAfterSilence(name, waiting));
        try (SmtpClient client = connect(address, name)) {
            long begunNanos = System.nanoTime();
            SmtpReply greeting = success(greeting(client, name), name, "refuses: ");
            silence.interrupt();
            Duration greetedAfter = Duration.ofNanos(System.nanoTime() - begunNanos);
            SmtpReply hello = success(client.hello(OWN_NAME), name, "refuses: ");
            if (tls != null) {
                if (!client.has("STARTTLS")) {
                    throw failed(name, "doesn't announce STARTTLS, which --tls needs");
                }
                success(
                        client.startTls(tls.factory(), tls.parameters()),
                        name,
                        "announces STARTTLS, which --tls needs, but answers it with: ");
                hello = success(client.hello(OWN_NAME), name, "refuses: ");
            }
            return new Announced(
                    greeting.text().lines().findFirst().orElse(""),
                    client.has("PIPELINING"),
                    client.has("CHUNKING"),
                    client.has("8BITMIME"),
                    client.has("SIZE") ? (Long) size(hello) : null,
                    auth == null ? null : authenticate(client, hello, auth, name),
                    client.address(),
                    greetedAfter);
        } catch (SSLException e) {
            throw UserError.failed("target " + name + ": TLS fails (" + e.getMessage() + ")");
        } catch (SocketTimeoutException e) {
            throw failed(
                    name,
                    "is not an SMTP server, or hangs: no answer in " + TIMEOUT.toSeconds() + " s");
        } catch (ProtocolException | EOFException e) {
            throw failed(name, "is not an SMTP server: it " + e.getMessage());
        } catch (IOException e) {
            throw failed(name, "broke the connection (" + e.getMessage() + ")");
        } finally {
            silence.interrupt();
        }
    }

    private static UserError failed(String name, String words) {
        return UserError.failed("target " + name + " " + words);
    }

    private static void sayAfterSilence(String name, Consumer<String> waiting) {
        try {
            Thread.sleep(SILENT);
            waiting.accept("waiting for the greeting of target " + name + ": at most "
                    + GREETING_TIMEOUT.toMinutes() + " minutes");
        } catch (InterruptedException e) {
            // It has answered, or failed.
            return;
        }
    }

    private static SmtpClient connect(InetSocketAddress address, String name) {
        try {
            return SmtpClient.connect(address, TIMEOUT);
        } catch (IOException e) {
            throw failed(name, "can't be reached (" + e.getMessage() + ")");
        }
    }

    private static SmtpReply greeting(SmtpClient client, String name) throws IOException {
        try {
            return client.reply(GREETING_TIMEOUT);
        } catch (SocketTimeoutException e) {
            throw failed(
                    name,
                    "is not an SMTP server, or hangs: no greeting in "
                            + GREETING_TIMEOUT.toMinutes() + " minutes");
        }
    }

    private static SmtpReply success(SmtpReply reply, String name, String otherwise) {
        if (!reply.isSuccess()) {
            throw failed(name, otherwise + reply);
        }
        return reply;
    }

    private static SaslMechanism authenticate(
            SmtpClient client, SmtpReply hello, ClientAuth auth, String name) throws IOException {
        SaslMechanism mechanism = SaslMechanism.announced(hello);
        if (mechanism == null) {
            throw failed(
                    name, "announces neither AUTH PLAIN nor AUTH LOGIN, which --auth-user needs");
        }
        success(
                auth.logOn(client, mechanism),
                name,
                "doesn't take --auth-user with that password: ");
        return mechanism;
    }

    /** {@return the number of SIZE (RFC 1870); 0 where it has none} */
    private static long size(SmtpReply hello) {
        Matcher size = SIZE.matcher(hello.text());
        return size.find() ? Long.parseLong(size.group(1)) : 0;
    }
}
