package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import org.hubmark.bench.hub.Program;
import org.hubmark.bench.hub.ServerProcess;
import org.hubmark.server.PipedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Proves that a hub leaves nothing in its temporary folder when it is killed, by looking there, and
 * that it has its native libraries from where the build has put them, by the map of its memory.
 */
class HubJvmTest {
    private static final Path NATIVE = Path.of(System.getProperty("hubmark.root"), "target/native");

    @TempDir
    Path folder;

    @Test
    void aKilledHubLeavesNothingInItsTemporaryFolder() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        X509Bundle tls = new CertificateBuilder()
                .subject("cn=hub")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        List<String> arguments = List.of(
                "serve",
                "--listen=127.0.0.1:0",
                "--tls-certificate="
                        + Files.writeString(folder.resolve("tls.pem"), tls.getCertificatePathPEM()),
                "--tls-key=" + Files.writeString(folder.resolve("tls.key"), tls.getPrivateKeyPEM()),
                "--log-volume=" + folder.resolve("log"),
                "--queue-volume=" + folder.resolve("queue"),
                "--tracking-volume=" + folder.resolve("tracking"));
        List<String> command = new Program("", PipedServer.class)
                .command(List.of("-Djava.io.tmpdir=" + temporary), arguments);
        try (ServerProcess hub = ServerProcess.launch(
                "the hub", command, Map.of(), folder.resolve("server.log"), () -> {})) {
            assertThat(Files.readAllLines(Path.of("/proc/" + hub.processId() + "/maps")))
                    .anyMatch(line -> line.contains(NATIVE + "/librocksdbjni-"))
                    .anyMatch(line -> line.contains(NATIVE + "/libnetty_transport_native_epoll_"))
                    .anyMatch(line -> line.contains(NATIVE + "/libnetty_tcnative_"))
                    .noneMatch(line -> line.contains(temporary.toString()));
        }
        assertThat(temporary).isEmptyDirectory();
    }
}
