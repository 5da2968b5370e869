package org.hubmark.hub;

import org.hubmark.core.DeliveryAgent;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where queued mail goes. */
public sealed interface DeliverySpec {
    /** Each message is delivered by throwing it away. */
    record Discard() implements DeliverySpec {
        @Override
        public String toString() {
            return "discard";
        }
    }

    /** Nothing is tried: every message stays in the queue. */
    record Hold() implements DeliverySpec {
        @Override
        public String toString() {
            return "hold";
        }
    }

    /**
     * Each message becomes two files in a folder.
     *
     * @param folder made if absent
     */
    record Directory(Path folder) implements DeliverySpec {
        @Override
        public String toString() {
            return "directory:" + folder;
        }
    }

    /**
     * Each message goes to another server.
     *
     * @param protocol what it speaks
     * @param host its name or address
     * @param port its port
     */
    record NextHop(Protocol protocol, String host, int port) implements DeliverySpec {
        private static final Pattern ADDRESS =
                Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([0-9A-Za-z.-]+))(?::([0-9]{1,5}))?");
        private static final int PORT_MAX = 65_535;

        /** What a next hop speaks. */
        public enum Protocol {
            /** SMTP (RFC 5321); port 25 unless another is given. */
            SMTP(25),
            /** LMTP (RFC 2033); port 24 unless another is given. */
            LMTP(24);

            private final int port;

            Protocol(int port) {
                this.port = port;
            }
        }

        @Override
        public String toString() {
            String name = host.indexOf(':') < 0 ? host : "[" + host + "]";
            return protocol.name().toLowerCase(Locale.ROOT) + "://" + name + ":" + port;
        }

        private static @Nullable NextHop read(Protocol protocol, String address) {
            Matcher parts = ADDRESS.matcher(address);
            if (!parts.matches()) {
                return null;
            }
            int port = parts.group(3) == null ? protocol.port : Integer.parseInt(parts.group(3));
            String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
            return port < 1 || port > PORT_MAX ? null : new NextHop(protocol, host, port);
        }
    }

    /**
     * Each message goes to an agent of the embedder's.
     *
     * @param agent called on delivery threads, several at once; closed with the hub
     */
    record Own(DeliveryAgent agent) implements DeliverySpec {
        @Override
        public String toString() {
            return "own:" + agent.getClass().getName();
        }
    }

    /**
     * Reads {@code discard}, {@code hold}, {@code directory:DIR}, {@code smtp://HOST:PORT} or {@code
     * lmtp://HOST:PORT}.
     *
     * @throws IllegalArgumentException naming what is allowed
     */
    static DeliverySpec parse(String text) {
        return switch (text) {
            case "discard" -> new Discard();
            case "hold" -> new Hold();
            default -> {
                NextHop hop = null;
                if (text.startsWith("smtp://")) {
                    hop = NextHop.read(NextHop.Protocol.SMTP, text.substring("smtp://".length()));
                } else if (text.startsWith("lmtp://")) {
                    hop = NextHop.read(NextHop.Protocol.LMTP, text.substring("lmtp://".length()));
                }
                if (hop != null) {
                    yield hop;
                }
                if (text.startsWith("directory:") && text.length() > "directory:".length()) {
                    yield new Directory(Path.of(text.substring("directory:".length())));
                }
                throw new IllegalArgumentException("'" + text
                        + "' is not a delivery (discard, hold, directory:DIR, smtp://HOST:PORT,"
                        + " lmtp://HOST:PORT)");
            }
        };
    }
}
