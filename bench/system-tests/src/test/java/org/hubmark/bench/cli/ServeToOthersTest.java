package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A hub that listens on all addresses and passes mail on, and a client on another machine: that is,
 * two network namespaces with a cable between. The hub takes mail for whom it was told to, and else for
 * nobody, and says so. Takes root and iproute2.
 */
final class ServeToOthersTest {
    private static final Path IP = Path.of("/usr/sbin/ip");
    private static final String NAMES = "hubmark-" + ProcessHandle.current().pid();
    private static final String HUB = NAMES + "-hub";
    private static final String CLIENT = NAMES + "-client";
    private static final String DENIED = "550 5.7.1 ";
    private static final String TAKEN = "250 2.1.5 ";

    /** All addresses, with those of IPv6 where the kernel has it. */
    private static final String EVERYWHERE = "(0\\.0\\.0\\.0|\\[0:0:0:0:0:0:0:0])";

    @TempDir
    private Path folder;

    @BeforeEach
    void connect() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "network namespaces take root");
        assumeTrue(Files.isExecutable(IP), () -> "there is no " + IP);
        ip("netns", "add", HUB);
        ip("netns", "add", CLIENT);
        ip("-n", HUB, "link", "add", "cable", "type", "veth", "peer", "cable", "netns", CLIENT);
        ip("-n", HUB, "address", "add", "192.0.2.1/24", "dev", "cable");
        ip("-n", CLIENT, "address", "add", "192.0.2.2/24", "dev", "cable");
        ip("-n", HUB, "link", "set", "lo", "up");
        ip("-n", HUB, "link", "set", "cable", "up");
        ip("-n", CLIENT, "link", "set", "cable", "up");
    }

    @AfterEach
    void disconnect() throws Exception {
        for (String name : List.of(HUB, CLIENT)) {
            if (Files.exists(Path.of("/run/netns", name))) {
                ip("netns", "delete", name);
            }
        }
    }

    @Test
    void takesMailForNobodyUnlessToldAndSaysSo() throws Exception {
        try (CommandProcess hub = start()) {
            assertThat(answers(hub)).containsExactly(DENIED, DENIED);
            assertThat(warnings(hub))
                    .singleElement(STRING)
                    .matches(
                            "hubmark: accepts no mail: " + EVERYWHERE
                                    + ":25 is not a loopback address; set --relay-from or --accept-domains");
        }
    }

    @Test
    @Tag("long")
    void takesMailFromTheNetworksItWasTold() throws Exception {
        try (CommandProcess hub = start("--relay-from", "198.51.100.0/24,192.0.2.0/30")) {
            assertThat(answers(hub)).containsExactly(TAKEN, TAKEN);
            assertThat(warnings(hub)).isEmpty();
        }
        try (CommandProcess hub = start("--relay-from", "198.51.100.0/24")) {
            assertThat(answers(hub)).containsExactly(DENIED, DENIED);
            assertThat(warnings(hub)).isEmpty();
        }
    }

    @Test
    @Tag("long")
    void takesMailForTheDomainsItWasTold() throws Exception {
        try (CommandProcess hub = start("--accept-domains", "y.example")) {
            assertThat(answers(hub)).containsExactly(TAKEN, DENIED);
            assertThat(warnings(hub)).isEmpty();
        }
    }

    private CommandProcess start(String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "serve", "--listen", "0.0.0.0:25", "--deliver", "smtp://192.0.2.2:25?tls=none"));
        arguments.addAll(List.of(options));
        return CommandProcess.startUnder(
                List.of(IP.toString(), "netns", "exec", HUB),
                folder,
                arguments.toArray(String[]::new));
    }

    /** {@return what the hub said of itself} Ends it. */
    private static List<String> warnings(CommandProcess hub) throws Exception {
        hub.terminate();
        return hub.end().errors().stream()
                .filter(line -> line.startsWith("hubmark: "))
                .toList();
    }

    /** {@return what a client elsewhere hears about a recipient in y.example, one in z.example} */
    private static List<String> answers(CommandProcess hub) throws Exception {
        assertThat(hub.listeningOn(EVERYWHERE)).isEqualTo(25);
        String script = """
                exec 3<>/dev/tcp/192.0.2.1/25
                head -n 1 <&3
                printf '%s\\r\\n' 'HELO client.example' 'MAIL FROM:<a@x.example>' \\
                    'RCPT TO:<b@y.example>' 'RCPT TO:<c@z.example>' QUIT >&3
                cat <&3
                """;
        List<String> replies = output(IP.toString(), "netns", "exec", CLIENT, "bash", "-c", script)
                .lines()
                .toList();
        assertThat(replies).hasSize(6);
        return replies.subList(3, 5).stream()
                .map(reply -> reply.substring(0, DENIED.length()))
                .toList();
    }

    private static void ip(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(IP.toString()));
        command.addAll(List.of(arguments));
        output(command.toArray(String[]::new));
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
