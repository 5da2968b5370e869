package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** A hub with a certificate, and a driver that sends by TLS and says when it can't. */
final class TlsCommandTest {
    @TempDir
    private Path folder;

    @Test
    void sendsByTls() throws Exception {
        String certificate = certificate("hub");
        String other = certificate("other");
        try (CommandProcess hub = CommandProcess.start(
                folder,
                "serve",
                "--listen=127.0.0.1:0",
                "--intake=discard",
                "--tls-certificate=" + certificate,
                "--tls-key=" + folder.resolve("hub.key"))) {
            String target = "127.0.0.1:" + hub.listening().getPort();
            Ended sent = load(target, "--tls", "--messages-per-connection=5");
            assertThat(sent.exitCode()).as("%s", sent).isZero();
            assertThat(sent.out().toString())
                    .contains(": 20 sent, 20 accepted, 0 refused, 0 failed");
            Ended trusted = load(target, "--tls-trust=" + certificate, "--transfer=bdat");
            assertThat(trusted.exitCode()).as("%s", trusted).isZero();
            Ended distrusted = load(target, "--tls-trust=" + other);
            assertThat(distrusted.exitCode()).isEqualTo(1);
            assertThat(distrusted.errors()).hasSize(1);
            assertThat(distrusted.errors().getFirst()).contains("TLS fails (");
            hub.terminate();
            assertThat(hub.end().exitCode()).isZero();
        }
        Ended half = CommandInJvm.run(
                "serve", CommandInJvm.volumes(folder), "--tls-certificate=" + certificate);
        assertThat(half.exitCode()).isEqualTo(2);
        assertThat(half.errors())
                .containsExactly("hubmark: settings smtp.tls-certificate and smtp.tls-key: give"
                        + " both or neither");
    }

    private Ended load(String target, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "load",
                // Beside other builds.
                "--shared-machine",
                "--target=" + target,
                "--sizes=57KB",
                "--count=20",
                "--driver-warmup=0s",
                "--repeat=1",
                "--connections=2"));
        arguments.addAll(List.of(more));
        return CommandInJvm.run(arguments.toArray(String[]::new));
    }

    private String certificate(String name) throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .subject("cn=" + name)
                .addSanIpAddress("127.0.0.1")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Path key = Files.writeString(folder.resolve(name + ".key"), bundle.getPrivateKeyPEM());
        // A hub warns of one that others may read.
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        return Files.writeString(folder.resolve(name + ".pem"), bundle.getCertificatePathPEM())
                .toString();
    }
}
