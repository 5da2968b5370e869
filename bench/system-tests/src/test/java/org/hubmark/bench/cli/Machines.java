package org.hubmark.bench.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.machine.volumes.SystemTool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Two machines with a wire of Ethernet between them: that is, two network namespaces. Takes root and iproute2;
 * the test is skipped without.
 */
record Machines(Path folder) implements AutoCloseable {
    private static final String ID = Long.toString(ProcessHandle.current().pid());

    static final String SERVER = "hubmark-server-" + ID;
    static final String CLIENT = "hubmark-client-" + ID;

    /** Of TEST-NET-1, RFC 5737: nobody else has it. */
    static final String SERVER_ADDRESS = "192.0.2.1";

    static final String CLIENT_ADDRESS = "192.0.2.2";

    /** Makes them; programs that are started on them have the folder as working directory. */
    static Machines make(Path folder) throws IOException {
        assumeTrue(SystemTool.root(), "network namespaces take root");
        assumeTrue(SystemTool.exists("ip"), "no ip (iproute2)");
        Machines machines = new Machines(folder);
        ip("netns add " + SERVER);
        ip("netns add " + CLIENT);
        ip("-n " + SERVER + " link add wire mtu 1500 type veth peer name wire mtu 1500 netns "
                + CLIENT);
        start(SERVER, SERVER_ADDRESS);
        start(CLIENT, CLIENT_ADDRESS);
        return machines;
    }

    private static void start(String machine, String address) throws IOException {
        ip("-n " + machine + " address add " + address + "/24 dev wire");
        ip("-n " + machine + " link set lo up");
        ip("-n " + machine + " link set wire up");
    }

    /** Delays each way by a millisecond. {@return whether the kernel can} */
    boolean delay() {
        try {
            for (String machine : List.of(SERVER, CLIENT)) {
                String delay = "tc -n " + machine + " qdisc add dev wire root netem delay 1ms";
                SystemTool.run(List.of(delay.split(" ", -1)));
            }
            return true;
        } catch (IOException e) {
            System.out.println("no delay: " + e.getMessage());
            return false;
        }
    }

    CommandProcess on(String machine, String... arguments) throws IOException {
        return CommandProcess.startUnder(under(machine), folder, arguments);
    }

    /** {@return the words by which a program is started on a machine} */
    static List<String> under(String machine) {
        return List.of("ip", "netns", "exec", machine);
    }

    @Override
    public void close() throws IOException {
        for (String name : List.of(SERVER, CLIENT)) {
            if (Files.exists(Path.of("/run/netns", name))) {
                // With it goes its end of the wire.
                ip("netns delete " + name);
            }
        }
    }

    private static void ip(String arguments) throws IOException {
        SystemTool.run(List.of(("ip " + arguments).split(" ", -1)));
    }
}
