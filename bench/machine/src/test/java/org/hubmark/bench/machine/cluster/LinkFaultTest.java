package org.hubmark.bench.machine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.machine.volumes.SystemTool;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which packets the rules match, how counters are read, and, where the kernel can do it, that what is lost
 * or late on links of real hosts is that and nothing else.
 */
class LinkFaultTest {
    private static final int PORT = 4711;

    @Test
    void aCutIsOfOneServersPackets() {
        assertThat(LinkPackets.toServer("198.18.0.2", PORT))
                .isEqualTo(new LinkPackets(
                        "ip saddr 198.18.0.2 tcp sport 4711",
                        "ip daddr 198.18.0.2 tcp dport 4711"));
        assertThat(LinkPackets.fromClient("198.18.0.1", PORT))
                .isEqualTo(new LinkPackets(
                        "ip saddr 198.18.0.1 tcp dport 4711",
                        "ip daddr 198.18.0.1 tcp sport 4711"));
        assertThat(LinkPackets.share(5).sent()).isEqualTo("numgen random mod 100 < 5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LinkPackets.share(0))
                .withMessage("0 % of the packets: 1 to 99");
    }

    @Test
    void eachRuleHasALineAndCounts() {
        assertThat(LinkFault.rules(
                        "hubmark",
                        "eth0",
                        "ingress",
                        List.of("ip saddr 1.2.3.4", "tcp dport 5"),
                        "drop"))
                .isEqualTo("""
                        table netdev hubmark {
                        counter struck { }
                        chain packets {
                        type filter hook ingress device "eth0" priority 0; policy accept;
                        ip saddr 1.2.3.4 counter name "struck" drop
                        tcp dport 5 counter name "struck" drop
                        }
                        }
                        """);
    }

    @Test
    void countersAreRead() throws IOException {
        assertThat(
                        LinkFault.packets(
                                "table netdev hubmark {\n\tcounter struck {\n\t\tpackets 17 bytes 900\n\t}\n}"))
                .isEqualTo(17);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> LinkFault.packets("nothing"))
                .withMessageContaining("nothing");
        assertThat(
                        LinkFault.segmentsOutOfOrder(
                                "TcpExt: SyncookiesSent TCPOFOQueue TCPOFODrop\nTcpExt: 1 23 4\nIpExt: A\nIpExt: 2\n"))
                .isEqualTo(23);
        for (String garbage :
                List.of("", "TcpExt: TCPOFOQueue\n", "TcpExt: A TCPOFOQueue\nTcpExt: 1\n")) {
            assertThatExceptionOfType(IOException.class)
                    .as(garbage)
                    .isThrownBy(() -> LinkFault.segmentsOutOfOrder(garbage));
        }
    }

    @Test
    void whatIsLostIsWhatWasToBe() throws Exception {
        assumePossible(false);
        try (Host host = new Host()) {
            assertThat(host.connects()).isTrue();
            LinkPackets toServer = LinkPackets.toServer(host.hosts.address(0), host.port());
            try (LinkFault fault = LinkFault.lose(host.hosts, Map.of(1, List.of(toServer)))) {
                assertThat(fault.packets()).isZero();
                assertThat(host.connects()).isFalse();
                assertThat(fault.packets()).isPositive();
            }
            assertThat(host.connects()).isTrue();
            // Only what matches.
            LinkPackets other = LinkPackets.toServer(host.hosts.address(0), host.port() ^ 1);
            try (LinkFault fault = LinkFault.lose(host.hosts, Map.of(1, List.of(other)))) {
                assertThat(host.connects()).isTrue();
                assertThat(fault.packets()).isZero();
            }
        }
    }

    @Test
    void whatIsLateArrives() throws Exception {
        assumePossible(true);
        try (Host host = new Host()) {
            try (LinkFault fault =
                    LinkFault.delay(host.hosts, Map.of(1, List.of(LinkPackets.share(99))))) {
                assertThat(host.connects()).isTrue();
                assertThat(fault.packets()).isGreaterThan(2);
            }
            assertThat(host.connects()).isTrue();
            assertThat(LinkFault.segmentsOutOfOrder(host.hosts, 1)).isZero();
        }
    }

    private static void assumePossible(boolean late) throws IOException {
        assumeTrue(ClusterHosts.obstacle().isEmpty(), ClusterHosts.obstacle());
        String obstacle = LinkFault.obstacle(late);
        assumeTrue(obstacle.isEmpty(), obstacle);
    }

    /** A host beside the machine, on which a server listens. */
    private static final class Host implements AutoCloseable {
        private final ClusterHosts hosts;
        private final ServerSocket server;

        Host() throws IOException {
            hosts = new ClusterHosts(ClusterHosts.freeSubnet(), 1, new ClusterNetwork(null, null));
            hosts.make();
            server = new ServerSocket(0, 50, InetAddress.getByName(hosts.address(0)));
        }

        int port() {
            return server.getLocalPort();
        }

        /** {@return whether the host reaches the server before it would try a second time, after 1 s} */
        boolean connects() {
            List<String> command = new ArrayList<>(hosts.on(1));
            String connect = "exec 3<>/dev/tcp/" + hosts.address(0) + "/" + port();
            command.addAll(List.of("timeout", "0.9", "bash", "-c", connect));
            try {
                var unused = SystemTool.run(command);
                return true;
            } catch (IOException e) {
                return false;
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
            hosts.remove();
        }
    }
}
