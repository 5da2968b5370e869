package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Proves over a wire what a server on another machine does: it takes mail for whom it was told to, and else for
 * nobody, and says so; and by a watch the driver has all its figures. Takes root and iproute2.
 */
final class TwoMachinesTest {
    private static final String DENIED = "550 5.7.1 ";
    private static final String TAKEN = "250 2.1.5 ";

    /** All addresses, with those of IPv6 where the kernel has it. */
    private static final String EVERYWHERE = "(0\\.0\\.0\\.0|\\[0:0:0:0:0:0:0:0])";

    @TempDir
    private Path folder;

    private Machines machines;

    @BeforeEach
    void connect() throws IOException {
        machines = Machines.make(folder);
    }

    @AfterEach
    void disconnect() throws IOException {
        if (machines != null) {
            machines.close();
        }
    }

    @Test
    void takesMailForNobodyUnlessToldAndSaysSo() throws Exception {
        assertThat(warnings(DENIED, DENIED))
                .singleElement()
                .asString()
                .matches("hubmark: accepts no mail: " + EVERYWHERE
                        + ":25 is not a loopback address; set --relay-from or --accept-domains");
    }

    @Test
    @Tag("long")
    void takesMailFromTheNetworksItWasTold() throws Exception {
        assertThat(warnings(TAKEN, TAKEN, "--relay-from", "198.51.100.0/24,192.0.2.0/30"))
                .isEmpty();
        assertThat(warnings(DENIED, DENIED, "--relay-from", "198.51.100.0/24")).isEmpty();
    }

    @Test
    @Tag("long")
    void takesMailForTheDomainsItWasTold() throws Exception {
        assertThat(warnings(TAKEN, DENIED, "--accept-domains", "y.example")).isEmpty();
    }

    /**
     * {@return what a hub says of itself}
     *
     * @param first what a client elsewhere has to hear about a recipient in y.example
     * @param second about one in z.example
     */
    private List<String> warnings(String first, String second, String... options) throws Exception {
        String[] serve = {"serve", "--listen=0.0.0.0:25", "--deliver=smtp://192.0.2.2:25?tls=none"};
        try (CommandProcess hub = machines.on(
                Machines.SERVER,
                Stream.of(serve, options).flatMap(Stream::of).toArray(String[]::new))) {
            assertThat(hub.listeningOn(EVERYWHERE)).isEqualTo(25);
            assertThat(replies().subList(3, 5))
                    .satisfiesExactly(
                            reply -> assertThat(reply).startsWith(first),
                            reply -> assertThat(reply).startsWith(second));
            return hub.stop().errors().stream()
                    .filter(line -> line.startsWith("hubmark: "))
                    .toList();
        }
    }

    private static List<String> replies() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Machines.under(Machines.CLIENT));
        command.addAll(List.of("bash", "-c", """
            exec 3<>/dev/tcp/192.0.2.1/25
            head -n 1 <&3
            printf '%s\\r\\n' 'HELO client.example' 'MAIL FROM:<a@x.example>' \\
                'RCPT TO:<b@y.example>' 'RCPT TO:<c@z.example>' QUIT >&3
            cat <&3
            """));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.lines()).hasSize(6);
        return said.lines().toList();
    }

    @Test
    @Tag("long")
    void aServerElsewhereHasAllItsFigures() throws Exception {
        WatchProcessTest.assumeDevice(folder);
        boolean delayed = machines.delay();
        RunFolder runs = new RunFolder(folder);
        String watch = String.join(" ", Machines.under(Machines.SERVER)) + " "
                + CommandProcess.line(
                        "watch", "--stdio", "--processes=java", "--volume=log=" + folder);
        try (CommandProcess hub = machines.on(
                        Machines.SERVER,
                        "serve",
                        "--listen=" + Machines.SERVER_ADDRESS + ":0",
                        "--relay-from=" + Machines.CLIENT_ADDRESS + "/32",
                        "--deliver=discard");
                CommandProcess driver = machines.on(
                        Machines.CLIENT,
                        runs.arguments(
                                "run",
                                "--target=" + Machines.SERVER_ADDRESS + ":"
                                        + hub.listeningOn(
                                                Machines.SERVER_ADDRESS.replace(".", "\\.")),
                                "--target-watch=" + watch,
                                "--rate=max",
                                "--sizes=57KB",
                                "--connections=16",
                                "--duration=5s",
                                "--repeat=2",
                                "--no-ceilings"))) {
            runs.measured(driver);
        }
        JsonNode results = runs.json("results.json");
        WatchProcessTest.requireWatched(results);
        // There and back, at the least.
        assertThat(results.at("/scenarios/0/accept_latency_ms/p50").asDouble())
                .isGreaterThan(delayed ? 2 : 0);
    }
}
