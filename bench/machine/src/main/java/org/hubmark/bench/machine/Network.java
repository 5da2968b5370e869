package org.hubmark.bench.machine;

import org.hubmark.bench.machine.volumes.SystemTool;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The way from the driver to the server. What isn't known is null.
 *
 * @param interfaceName that the mail leaves by
 * @param mtu octets
 * @param driver of the interface; null for one without hardware
 * @param speedMbps as the interface says
 * @param offloads that are on, as ethtool names them; null without ethtool
 * @param roundTripMs until a connection is made, the least of a few
 */
public record Network(
        @Nullable String interfaceName,
        @Nullable Integer mtu,
        @Nullable String driver,
        @Nullable Long speedMbps,
        @Nullable List<String> offloads,
        @Nullable Double roundTripMs) {
    private static final int CONNECTIONS = 3;
    private static final int CONNECT_TIMEOUT_MILLIS = 2_000;

    /** Copies the list. */
    public Network {
        offloads = offloads == null ? null : List.copyOf(offloads);
    }

    /** Makes a few connections to the server and closes them again. */
    static @Nullable Network to(InetSocketAddress server, HostFiles host) {
        Double least = null;
        NetworkInterface used = null;
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                try (Socket socket = new Socket()) {
                    long begun = System.nanoTime();
                    socket.connect(
                            new InetSocketAddress(server.getHostString(), server.getPort()),
                            CONNECT_TIMEOUT_MILLIS);
                    double millis = (System.nanoTime() - begun) / 1e6;
                    least = least == null ? millis : (Double) Math.min(least, millis);
                    used = NetworkInterface.getByInetAddress(socket.getLocalAddress());
                }
            }
            return used == null
                    ? new Network(null, null, null, null, null, least)
                    : of(host, used.getName(), used.getMTU(), least);
        } catch (IOException e) {
            // The load will say what is wrong with the server.
            return null;
        }
    }

    private static Network of(HostFiles host, String name, int mtu, @Nullable Double millis) {
        Long speed = host.number("sys/class/net/" + name + "/speed");
        return new Network(
                name,
                mtu,
                driver(Path.of("/sys/class/net", name, "device/driver")),
                // A virtual interface says -1.
                speed == null || speed < 0 ? null : speed,
                offloads(name),
                millis);
    }

    private static @Nullable String driver(Path link) {
        try {
            return Files.exists(link) ? String.valueOf(link.toRealPath().getFileName()) : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static @Nullable List<String> offloads(String name) {
        try {
            return SystemTool.exists("ethtool")
                    ? offloadsOf(SystemTool.run(List.of("ethtool", "-k", name)))
                    : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** {@return those that are on, of lines like "tx-checksumming: on" and "rx-gro-hw: off [fixed]"} */
    static List<String> offloadsOf(String features) {
        List<String> on = new ArrayList<>();
        for (String line : features.lines().toList()) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(colon + 1).strip().matches("on( .*)?")) {
                on.add(line.substring(0, colon).strip());
            }
        }
        return on;
    }
}
