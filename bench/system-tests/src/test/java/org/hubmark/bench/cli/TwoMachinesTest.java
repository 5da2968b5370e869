package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Proves over a wire that a server elsewhere has all its figures: a hub in one network namespace, in which
 * the driver in another one starts a watch, an Ethernet of MTU 1500 between them that delays each way by a
 * millisecond where the kernel has netem. Takes root and iproute2; is skipped with the reason where they
 * are missing.
 */
class TwoMachinesTest {
    private static final String ID = Long.toString(ProcessHandle.current().pid());
    private static final String SERVER = "hubmark-server-" + ID;
    private static final String DRIVER = "hubmark-driver-" + ID;
    /** TEST-NET-1, RFC 5737: nobody has it. */
    private static final String SERVER_ADDRESS = "192.0.2.1";

    private static final String WIRE = "wire";
    private static final String DRIVER_ADDRESS = "192.0.2.2";

    @TempDir
    private Path folder;

    @AfterEach
    void removeTheMachines() throws IOException {
        for (String name : List.of(SERVER, DRIVER)) {
            if (Files.exists(Path.of("/run/netns", name))) {
                // With it goes its end of the wire.
                ip("netns", "del", name);
            }
        }
    }

    @Test
    @Tag("long")
    @Timeout(300)
    void aServerElsewhereHasAllItsFigures() throws Exception {
        assumeTrue(SystemTool.root(), "network namespaces take root");
        assumeTrue(SystemTool.exists("ip") && SystemTool.exists("tc"), "no ip or no tc (iproute2)");
        assumeTrue(
                VolumeStack.of(folder).deviceName() != null,
                "the temporary folder is on no block device");
        makeTheMachines();
        boolean delayed = delayEachWay();
        String watch = "ip netns exec " + SERVER + " "
                + CommandProcess.line(
                        "watch", "--stdio", "--processes=java", "--volume=log=" + folder);
        try (CommandProcess hub = on(
                SERVER,
                "serve",
                "--listen=" + SERVER_ADDRESS + ":0",
                "--relay-from=" + DRIVER_ADDRESS + "/32",
                "--deliver=discard")) {
            String target = "--target=" + SERVER_ADDRESS + ":"
                    + hub.listeningOn(SERVER_ADDRESS.replace(".", "\\."));
            try (CommandProcess driver = on(
                    DRIVER,
                    "run",
                    target,
                    "--target-watch=" + watch,
                    "--shared-machine",
                    "--sizes=57KB",
                    "--connections=16",
                    "--duration=5s",
                    "--warmup=2s",
                    "--warmup-max=6s",
                    "--driver-warmup=4s",
                    "--repeat=2",
                    "--no-ceilings",
                    "--output=" + folder.resolve("out"))) {
                Ended ended = driver.end(Duration.ofMinutes(4));
                assertThat(ended.exitCode()).as("%s", ended).isZero();
            }
        }
        JsonNode results =
                new ObjectMapper().readTree(folder.resolve("out/results.json").toFile());
        for (JsonNode repeat : results.at("/scenarios/0/repeats")) {
            for (String figure : WatchCommandTest.FILLED) {
                assertThat(repeat.path(figure).isNumber()).as(figure).isTrue();
            }
        }
        assertThat(results.at("/target_watch/lost").isNull()).isTrue();
        // There and back, at the least.
        assertThat(results.at("/scenarios/0/accept_latency_ms/p50").asDouble())
                .isGreaterThan(delayed ? 2 : 0);
    }

    private CommandProcess on(String machine, String... arguments) throws IOException {
        return CommandProcess.startUnder(
                List.of("ip", "netns", "exec", machine), folder, arguments);
    }

    private static void makeTheMachines() throws IOException {
        ip("netns", "add", SERVER);
        ip("netns", "add", DRIVER);
        ip(
                "-n", SERVER, "link", "add", WIRE, "mtu", "1500", "type", "veth", "peer", "name",
                WIRE, "mtu", "1500", "netns", DRIVER);
        ip("-n", SERVER, "address", "add", SERVER_ADDRESS + "/24", "dev", WIRE);
        ip("-n", DRIVER, "address", "add", DRIVER_ADDRESS + "/24", "dev", WIRE);
        for (String machine : List.of(SERVER, DRIVER)) {
            ip("-n", machine, "link", "set", "lo", "up");
            ip("-n", machine, "link", "set", WIRE, "up");
        }
    }

    /** {@return whether the kernel can} */
    private static boolean delayEachWay() {
        try {
            for (String machine : List.of(SERVER, DRIVER)) {
                SystemTool.run(List.of(
                        "tc", "-n", machine, "qdisc", "add", "dev", WIRE, "root", "netem", "delay",
                        "1ms"));
            }
            return true;
        } catch (IOException e) {
            System.out.println("no delay: " + e.getMessage());
            return false;
        }
    }

    private static void ip(String... arguments) throws IOException {
        SystemTool.run(Stream.concat(Stream.of("ip"), Stream.of(arguments)).toList());
    }
}
