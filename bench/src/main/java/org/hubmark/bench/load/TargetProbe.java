package org.hubmark.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.hubmark.bench.UserError;
import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import javax.net.ssl.SSLException;

/** Asks a server, over a connection of its own, what it is and what it can do. Blocks. */
public final class TargetProbe {
    private static final int CONNECT_MILLIS = 5_000;
    /** RFC 5321 4.5.3.2.1 says five minutes; a server to be measured answers sooner. */
    private static final int REPLY_MILLIS = 10_000;

    private static final int LINES_MAX = 200;

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
        try (Socket socket = new Socket()) {
            try {
                socket.connect(address, CONNECT_MILLIS);
            } catch (IOException e) {
                throw UserError.failed(
                        "target " + name + " can't be reached (" + e.getMessage() + ")");
            }
            socket.setSoTimeout(REPLY_MILLIS);
            String greeting = reply(reader(socket), name, "220").getFirst();
            if (tls == null) {
                return announced(greeting, features(socket, name));
            }
            if (features(socket, name).stream().noneMatch("STARTTLS"::equalsIgnoreCase)) {
                throw UserError.failed(
                        "target " + name + " doesn't announce STARTTLS, which --tls needs");
            }
            say(socket, "STARTTLS");
            String begin = lines(reader(socket), name).getLast();
            if (!begin.startsWith("220")) {
                throw UserError.failed("target " + name + " announces STARTTLS, which --tls needs,"
                        + " but answers it with: " + begin);
            }
            try (Socket secure = tls.wrap(socket, address)) {
                return announced(greeting, features(secure, name));
            }
        } catch (SSLException e) {
            throw UserError.failed("target " + name + ": TLS fails (" + e.getMessage() + ")");
        } catch (SocketTimeoutException e) {
            throw UserError.failed("target " + name + " is no SMTP server, or stuck: no answer in "
                    + REPLY_MILLIS / 1000 + " s");
        } catch (IOException e) {
            throw UserError.failed(
                    "target " + name + " broke the connection (" + e.getMessage() + ")");
        }
    }

    private static List<String> features(Socket socket, String name) throws IOException {
        say(socket, "EHLO load.hubmark.example");
        List<String> lines = reply(reader(socket), name, "250");
        return lines.subList(1, lines.size());
    }

    private static void say(Socket socket, String command) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(ISO_8859_1));
    }

    /** Nothing is sent ahead, so nothing that one reader took in is missed by the next. */
    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
    }

    private static Announced announced(String greeting, List<String> features) {
        boolean pipelining = false;
        boolean chunking = false;
        boolean eightBitMime = false;
        Long sizeMax = null;
        for (String feature : features) {
            String[] words = feature.toUpperCase(Locale.ROOT).split(" ", -1);
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
        return new Announced(greeting, pipelining, chunking, eightBitMime, sizeMax);
    }

    private static List<String> reply(BufferedReader in, String name, String code)
            throws IOException {
        List<String> texts = new ArrayList<>();
        for (String line : lines(in, name)) {
            if (!line.startsWith(code)) {
                throw UserError.failed("target " + name + " refuses: " + line);
            }
            texts.add(line.substring(Math.min(4, line.length())));
        }
        return texts;
    }

    /** {@return the lines of a reply, of whatever code} */
    private static List<String> lines(BufferedReader in, String name) throws IOException {
        List<String> lines = new ArrayList<>();
        while (lines.size() < LINES_MAX) {
            String line = in.readLine();
            if (line == null) {
                throw UserError.failed("target " + name
                        + " is no SMTP server: it closed the connection without an answer");
            }
            if (line.length() < 3 || !line.substring(0, 3).chars().allMatch(Character::isDigit)) {
                throw UserError.failed("target " + name + " is no SMTP server: it says '"
                        + line.substring(0, Math.min(60, line.length()))
                                .replaceAll("\\p{Cntrl}", "?")
                        + "'");
            }
            lines.add(line);
            if (line.length() == 3 || line.charAt(3) != '-') {
                return lines;
            }
        }
        throw UserError.failed("target " + name + " is no SMTP server: its answer doesn't end");
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
