package org.hubmark.hub.delivery;

import org.hubmark.core.DeliveryAgent;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Destination of queued mail. */
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

    /** Encryption of mail to a next hop (STARTTLS, RFC 3207). */
    enum Tls {
        /** Never. */
        NONE,
        /** When the next hop offers it, whoever it is; in plain text when that fails. */
        OPPORTUNISTIC,
        /** Always, and to nobody whose certificate isn't trusted or names another host. */
        REQUIRED
    }

    /**
     * Each message goes to another server: to the first of them that can be reached, in their order.
     *
     * @param hops one or more that speak the same protocol
     * @param tls whether they are talked to in plain text
     */
    record NextHops(List<NextHop> hops, Tls tls) implements DeliverySpec {
        private static final Pattern FORM =
                Pattern.compile("(smtp|lmtp)://([^?]*)(?:\\?tls=(none|opportunistic|required))?");

        /** Copies the list. */
        public NextHops {
            hops = List.copyOf(hops);
            if (hops.isEmpty()) {
                throw new IllegalArgumentException("a delivery needs at least one next hop");
            }
        }

        @Override
        public String toString() {
            return hops.getFirst().protocol().prefix()
                    + hops.stream().map(NextHop::address).collect(Collectors.joining(","))
                    + (tls == Tls.OPPORTUNISTIC
                            ? ""
                            : "?tls=" + tls.name().toLowerCase(Locale.ROOT));
        }

        private static @Nullable NextHops read(String text) {
            Matcher parts = FORM.matcher(text);
            if (!parts.matches()) {
                return null;
            }
            NextHop.Protocol protocol =
                    NextHop.Protocol.valueOf(parts.group(1).toUpperCase(Locale.ROOT));
            List<NextHop> hops = new ArrayList<>();
            for (String address : parts.group(2).split(",", -1)) {
                NextHop hop = NextHop.read(protocol, address);
                if (hop == null) {
                    return null;
                }
                hops.add(hop);
            }
            Tls tls = parts.group(3) == null
                    ? Tls.OPPORTUNISTIC
                    : Tls.valueOf(parts.group(3).toUpperCase(Locale.ROOT));
            return new NextHops(hops, tls);
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
     * Reads {@code discard}, {@code hold}, {@code directory:DIR}, {@code
     * smtp://HOST[:PORT][,HOST[:PORT]...][?tls=none|opportunistic|required]} or the same with {@code
     * lmtp}.
     *
     * @throws IllegalArgumentException naming what is allowed
     */
    static DeliverySpec parse(String text) {
        return switch (text) {
            case "discard" -> new Discard();
            case "hold" -> new Hold();
            default -> {
                NextHops hops = NextHops.read(text);
                if (hops != null) {
                    yield hops;
                }
                if (text.startsWith("directory:") && text.length() > "directory:".length()) {
                    yield new Directory(Path.of(text.substring("directory:".length())));
                }
                throw new IllegalArgumentException("'" + text
                        + "' is not a delivery (discard, hold, directory:DIR,"
                        + " smtp://HOST[:PORT][,HOST[:PORT]...], the same with lmtp://, and behind them"
                        + " ?tls=none|opportunistic|required)");
            }
        };
    }
}
