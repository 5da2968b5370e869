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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLException;

/** Asks a server, over a connection of its own, what it is and what it can do. Blocks. */
public final class TargetProbe {
    /** To connect, and for a reply; some servers greet late on purpose. */
    static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final String OWN_NAME = "load.hubmark.example";

    private static final Pattern SIZE = Pattern.compile("(?im)^SIZE ?(\\d{0,18})$");

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
     */
    public record Announced(
            String greeting,
            boolean pipelining,
            boolean chunking,
            boolean eightBitMime,
            @Nullable Long sizeMax,
            @Nullable SaslMechanism mechanism,
            @Nullable InetSocketAddress address) {}

    /** Asks in the clear, as nobody. */
    public static Announced ask(InetSocketAddress target) {
        return ask(target, null, null);
    }

    /** Asks the target of a plan, by TLS where the plan has it. */
    public static Announced ask(LoadPlan plan) {
        return ask(plan.target(), plan.dialogue().tls(), plan.dialogue().auth());
    }

    /**
     * Asks.
     *
     * @param tls begun before the asking, or null
     * @param auth tried after it, or null
     * @throws UserError when there is no server, or none that speaks SMTP
     */
    static Announced ask(
            InetSocketAddress target, @Nullable ClientTls tls, @Nullable ClientAuth auth) {
        String name = target.getHostString() + ":" + target.getPort();
        InetSocketAddress address = new InetSocketAddress(target.getHostString(), target.getPort());
        if (address.isUnresolved()) {
            throw UserError.failed("target " + name + ": no such host");
        }
        try (SmtpClient client = connect(address, name)) {
            SmtpReply greeting = success(client.reply(TIMEOUT), name, "refuses: ");
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
                    size(hello),
                    auth == null ? null : authenticate(client, hello, auth, name),
                    client.address());
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
        }
    }

    private static UserError failed(String name, String words) {
        return UserError.failed("target " + name + " " + words);
    }

    private static SmtpClient connect(InetSocketAddress address, String name) {
        try {
            return SmtpClient.connect(address, TIMEOUT);
        } catch (IOException e) {
            throw failed(name, "can't be reached (" + e.getMessage() + ")");
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

    /** {@return the number of SIZE (RFC 1870), 0 where it has none; null where it isn't announced} */
    private static @Nullable Long size(SmtpReply hello) {
        Matcher size = SIZE.matcher(hello.text());
        return size.find() ? (Long) Long.parseLong("0" + size.group(1)) : null;
    }
}
