package org.hubmark.bench.machine.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a cluster's processes listen, all on loopback. A bookie is known by its port, so they stay as
 * they are for the life of the cluster.
 *
 * @param ports of ZooKeeper, then of the bookies, then two of each broker
 */
record ClusterPorts(int bookies, List<Integer> ports) {
    ClusterPorts {
        ports = List.copyOf(ports);
    }

    /** {@return ports that were free a moment ago} */
    static ClusterPorts pick(ClusterLayout layout) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            int count = 1 + layout.bookies() + 2 * layout.brokers();
            for (int i = 0; i < count; i++) {
                held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return new ClusterPorts(
                    layout.bookies(),
                    held.stream().map(ServerSocket::getLocalPort).toList());
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    int zooKeeper() {
        return ports.getFirst();
    }

    int bookie(int bookie) {
        return ports.get(bookie);
    }

    int broker(int broker) {
        return ports.get(bookies + 2 * broker - 1);
    }

    int web(int broker) {
        return ports.get(bookies + 2 * broker);
    }
}
