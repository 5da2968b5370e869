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
import java.util.List;

/** A hub with a certificate, and a driver that sends by TLS and says when it can't. */
final class TlsCommandTest {
    @TempDir
    private Path folder;

    @Test
    void sendsByTls() throws Exception {
        String certificate = certificate("hub");
        String other = certificate("other");
        try (CommandProcess hub = CommandProcess.serve(
                folder,
                "--intake=discard",
                "--tls-certificate=" + certificate,
                "--tls-key=" + folder.resolve("hub.key"))) {
            String target = "127.0.0.1:" + hub.listening().getPort();
            assertThat(load(0, target, "--tls", "--messages-per-connection=5").printed())
                    .contains(": 20 sent, 20 accepted, 0 refused, 0 failed");
            load(0, target, "--tls-trust=" + certificate, "--transfer=bdat");
            assertThat(load(1, target, "--tls-trust=" + other).errors())
                    .singleElement()
                    .asString()
                    .contains("TLS fails (");
            hub.stop();
        }
    }

    private static Ended load(int exitCode, String target, String... more) throws Exception {
        // Beside other builds.
        String load = "load --shared-machine --sizes=57KB --count=20 --driver-warmup=0s --repeat=1"
                + " --connections=2";
        Ended ended = CommandInJvm.run(load, List.of("--target=" + target), more);
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        return ended;
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
