package org.hubmark.bench.machine.cluster;

import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Network namespaces that play the hosts of a cluster: one for each number, and the machine itself as
 * number 0, on one bridge. They are made by root and last until they are removed or the machine
 * restarts. Their addresses are of the block for benchmarks (RFC 2544, 198.18.0.0/15), which no network
 * routes.
 */
public final class ClusterHosts {
    private static final String BLOCK = "198.18.";
    private static final int SUBNETS = 250;

    private final int subnet;
    private final int hosts;

    ClusterHosts(int subnet, int hosts) {
        this.subnet = subnet;
        this.hosts = hosts;
    }

    /** {@return a subnet that no cluster on this machine uses} */
    static int freeSubnet() throws IOException {
        for (int subnet = 0; subnet < SUBNETS; subnet++) {
            if (!Files.exists(Path.of("/sys/class/net", bridge(subnet)))) {
                return subnet;
            }
        }
        throw new IOException("this machine has " + SUBNETS + " clusters with networks already");
    }

    /** {@return why there can be none, or nothing} */
    public static String obstacle() throws IOException {
        if (!SystemTool.root()) {
            return "network namespaces need root; run the command as root";
        }
        if (!SystemTool.exists("ip")) {
            return "network namespaces need the program ip; install iproute2";
        }
        return "";
    }

    /** Makes what isn't there. */
    void make() throws IOException {
        String obstacle = obstacle();
        if (!obstacle.isEmpty()) {
            throw UserError.failed(obstacle);
        }
        if (!Files.exists(Path.of("/sys/class/net", bridge(subnet)))) {
            ip("link", "add", bridge(subnet), "type", "bridge");
            ip("address", "add", address(0) + "/24", "dev", bridge(subnet));
            ip("link", "set", bridge(subnet), "up");
        }
        for (int host = 1; host <= hosts; host++) {
            if (!Files.exists(Path.of("/run/netns", name(host)))) {
                make(host);
            }
        }
    }

    /** Removes what is there. The processes in it have ended. */
    void remove() throws IOException {
        for (int host = 1; host <= hosts; host++) {
            if (Files.exists(Path.of("/run/netns", name(host)))) {
                // With it goes its end of the link, and with that the other one.
                ip("netns", "delete", name(host));
            }
        }
        if (Files.exists(Path.of("/sys/class/net", bridge(subnet)))) {
            ip("link", "delete", bridge(subnet));
        }
    }

    /** {@return the address of a host; of the machine itself with 0} */
    public String address(int host) {
        return BLOCK + subnet + "." + (host + 1);
    }

    /** {@return the addresses of all of them and of the machine itself, as a CIDR} */
    public String network() {
        return BLOCK + subnet + ".0/24";
    }

    /** {@return what a command is put behind so that it runs on a host} */
    public List<String> prefix(int host) {
        return host == 0 ? List.of() : List.of("ip", "netns", "exec", name(host));
    }

    private String link(int host) {
        return bridge(subnet) + "h" + host;
    }

    private void make(int host) throws IOException {
        String name = name(host);
        ip("netns", "add", name);
        ip("link", "add", link(host), "type", "veth", "peer", "name", "eth0", "netns", name);
        ip("link", "set", link(host), "master", bridge(subnet), "up");
        ip("-n", name, "address", "add", address(host) + "/24", "dev", "eth0");
        ip("-n", name, "link", "set", "eth0", "up");
        ip("-n", name, "link", "set", "lo", "up");
    }

    private static String bridge(int subnet) {
        return "hubmark" + subnet;
    }

    private String name(int host) {
        return bridge(subnet) + "-" + host;
    }

    private static void ip(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(words));
        SystemTool.run(command);
    }
}
