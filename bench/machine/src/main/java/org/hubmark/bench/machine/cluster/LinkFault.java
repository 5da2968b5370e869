package org.hubmark.bench.machine.cluster;

import org.hubmark.bench.machine.volumes.SystemTool;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Packets that get lost or late on the links of hosts, by rules of nftables at the two ends of each link. Who
 * sends a packet does not learn of it: a packet is dropped where it arrives. All passes as before when
 * it is closed. Takes root. One thread.
 */
public final class LinkFault implements AutoCloseable {
    private static final String HOST_DEVICE = "eth0";
    private static final String TABLE = "hubmark";
    private static final String COUNTER = "struck";
    private static final Pattern PACKETS = Pattern.compile("packets ([0-9]+)");

    /** A full frame takes 6 ms, in which a link here carries hundreds of others. */
    private static final String LATE_RATE = "2mbit";

    /** A packet is late by 120 ms at most; what does not fit is lost. */
    private static final String LATE_PACKETS_MAX = "20";

    private static final String LATE_CLASS = "1:2";

    /** Its reason alone, which stands before the rule and a line of arrows. */
    private static final String NFT = "said=$(nft \"$1\" 2>&1) && exit 0;"
            + " printf '%s\\n' \"$said\" | grep -m 1 Error; exit 1";

    /** What the kernel makes them before anybody changes it. */
    private static final String SEGMENTS_MAX = "65535";

    /** What becomes of the packets. */
    private enum Kind {
        LOST("ingress", "drop"),
        LATE("egress", "meta priority set " + LATE_CLASS);

        private final String hook;
        private final String verdict;

        Kind(String hook, String verdict) {
            this.hook = hook;
            this.verdict = verdict;
        }
    }

    /**
     * One end of a link.
     *
     * @param namespace of the device; empty for that of the machine
     */
    private record End(String namespace, String device) {
        String table() {
            return namespace.isEmpty() ? TABLE + "-" + device : TABLE;
        }

        List<String> command(String program, String... words) {
            List<String> command = new ArrayList<>();
            if (!namespace.isEmpty()) {
                command.addAll(List.of("ip", "netns", "exec", namespace));
            }
            command.add(program);
            command.addAll(List.of(words));
            return command;
        }

        void run(String program, String... words) throws IOException {
            var unused = SystemTool.run(command(program, words));
        }
    }

    private final Kind kind;
    private final List<End> struck = new ArrayList<>();

    private LinkFault(Kind kind) {
        this.kind = kind;
    }

    /**
     * {@return why no packets can be lost or late here, or nothing} Asks the kernel, in a namespace of its
     * own.
     *
     * @param late whether packets are to be late, which takes more
     */
    public static String obstacle(boolean late) throws IOException {
        if (!SystemTool.exists("nft")) {
            return "packets on a link take the program nft; install nftables";
        }
        String scratch = "hubmark-try-" + ProcessHandle.current().pid();
        SystemTool.run(List.of("ip", "netns", "add", scratch));
        try {
            LinkFault trial = new LinkFault(late ? Kind.LATE : Kind.LOST);
            End end = new End(scratch, "lo");
            end.run(
                    "sh",
                    "-c",
                    NFT,
                    "sh",
                    trial.rules(end, List.of(LinkPackets.share(1).sent())));
            if (late) {
                trial.makeLateLane(end);
            }
            return "";
        } catch (IOException e) {
            return "this kernel can't " + (late ? "delay" : "drop")
                    + " some of the packets on a link ("
                    + reason(e) + "); it takes "
                    + (late ? "nft_numgen, sch_htb" : "nft_numgen")
                    + " and hooks of the family netdev";
        } finally {
            SystemTool.run(List.of("ip", "netns", "delete", scratch));
        }
    }

    private static String reason(IOException failure) {
        String said = String.valueOf(failure.getMessage());
        return said.substring(said.lastIndexOf(" failed: ") + 1);
    }

    /** From now on these packets are lost, by the number of the host. */
    public static LinkFault lose(ClusterHosts hosts, Map<Integer, List<LinkPackets>> packets)
            throws IOException {
        return strike(new LinkFault(Kind.LOST), hosts, packets);
    }

    /** From now on these packets are late, and others overtake them, by the number of the host. */
    public static LinkFault delay(ClusterHosts hosts, Map<Integer, List<LinkPackets>> packets)
            throws IOException {
        return strike(new LinkFault(Kind.LATE), hosts, packets);
    }

    /** {@return how many packets were lost or late so far} */
    public long packets() throws IOException {
        long sum = 0;
        for (End end : struck) {
            sum += packets(SystemTool.run(
                    end.command("nft", "list", "counter", "netdev", end.table(), COUNTER)));
        }
        return sum;
    }

    static long packets(String counter) throws IOException {
        Matcher number = PACKETS.matcher(counter);
        if (!number.find()) {
            throw new IOException("nft shows no counter: " + counter);
        }
        return Long.parseLong(number.group(1));
    }

    /** {@return how many TCP segments have overtaken others on their way to a host, since it was made} */
    public static long segmentsOutOfOrder(ClusterHosts hosts, int host) throws IOException {
        List<String> command = new ArrayList<>(hosts.on(host));
        command.addAll(List.of("cat", "/proc/net/netstat"));
        return segmentsOutOfOrder(SystemTool.run(command));
    }

    /** The kernel's TCPOFOQueue: segments put into the queue of those that came before their turn. */
    static long segmentsOutOfOrder(String netstat) throws IOException {
        List<String> lines =
                netstat.lines().filter(line -> line.startsWith("TcpExt:")).toList();
        if (lines.size() == 2) {
            List<String> names = List.of(lines.get(0).split(" ", -1));
            List<String> values = List.of(lines.get(1).split(" ", -1));
            int at = names.indexOf("TCPOFOQueue");
            if (at >= 0 && at < values.size()) {
                return Long.parseLong(values.get(at));
            }
        }
        throw new IOException("/proc/net/netstat has no TCPOFOQueue");
    }

    /** All of it is taken away, whatever of it fails. */
    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (End end : struck) {
            try {
                end.run("nft", "delete", "table", "netdev", end.table());
                if (kind == Kind.LATE) {
                    end.run("tc", "qdisc", "delete", "dev", end.device(), "root");
                    end.run("ip", "link", "set", "dev", end.device(), "gso_max_segs", SEGMENTS_MAX);
                }
            } catch (IOException e) {
                failure = e;
            }
        }
        struck.clear();
        if (failure != null) {
            throw failure;
        }
    }

    private static LinkFault strike(
            LinkFault fault, ClusterHosts hosts, Map<Integer, List<LinkPackets>> packets)
            throws IOException {
        boolean done = false;
        try {
            for (Map.Entry<Integer, List<LinkPackets>> host : packets.entrySet()) {
                fault.strike(hosts, host.getKey(), host.getValue());
            }
            done = true;
            return fault;
        } finally {
            if (!done) {
                fault.close();
            }
        }
    }

    /**
     * What arrives at the host's own end was sent to it, and what arrives at the other one was sent by it;
     * what leaves an end is the opposite.
     */
    private void strike(ClusterHosts hosts, int host, List<LinkPackets> packets)
            throws IOException {
        List<String> received = packets.stream().map(LinkPackets::received).toList();
        List<String> sent = packets.stream().map(LinkPackets::sent).toList();
        Map<End, List<String>> ends = new LinkedHashMap<>();
        ends.put(new End(hosts.name(host), HOST_DEVICE), kind == Kind.LOST ? received : sent);
        ends.put(new End("", hosts.link(host)), kind == Kind.LOST ? sent : received);
        for (Map.Entry<End, List<String>> entry : ends.entrySet()) {
            End end = entry.getKey();
            if (kind == Kind.LATE) {
                makeLateLane(end);
            }
            end.run("sh", "-c", NFT, "sh", rules(end, entry.getValue()));
            struck.add(end);
        }
    }

    /** Segments that leave as one packet would all be late together, by seconds. */
    private void makeLateLane(End end) throws IOException {
        String device = end.device();
        end.run("ip", "link", "set", "dev", device, "gso_max_segs", "1");
        end.run("tc", "qdisc", "add", "dev", device, "root", "handle", "1:", "htb");
        end.run(
                "tc",
                "class",
                "add",
                "dev",
                device,
                "parent",
                "1:",
                "classid",
                LATE_CLASS,
                "htb",
                "rate",
                LATE_RATE,
                "burst",
                "1600",
                "cburst",
                "1600",
                "quantum",
                "1514");
        end.run(
                "tc",
                "qdisc",
                "add",
                "dev",
                device,
                "parent",
                LATE_CLASS,
                "pfifo",
                "limit",
                LATE_PACKETS_MAX);
    }

    private String rules(End end, List<String> matches) {
        return rules(end.table(), end.device(), kind.hook, matches, kind.verdict);
    }

    /** {@return a table whose chain does something with each packet that matches, and counts it} */
    static String rules(
            String table, String device, String hook, List<String> matches, String verdict) {
        // A line each: nft takes no other form of what stands behind a counter of that name.
        StringBuilder text =
                new StringBuilder(String.format(Locale.ROOT, """
                table netdev %s {
                counter %s { }
                chain packets {
                type filter hook %s device "%s" priority 0; policy accept;
                """, table, COUNTER, hook, device));
        for (String match : matches) {
            text.append(match + " counter name \"" + COUNTER + "\" " + verdict + "\n");
        }
        return text.append("}\n}\n").toString();
    }
}
