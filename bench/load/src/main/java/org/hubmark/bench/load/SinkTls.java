package org.hubmark.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

import javax.net.ssl.KeyManagerFactory;

/**
 * A certificate that the sink signs for itself, which nobody but our own driver takes. The JDK's keytool
 * makes it: there is no public interface for that, and a key in this repository would be no secret.
 */
final class SinkTls {
    private static final String PASSWORD = "public";

    private SinkTls() {}

    /** {@return what a server encrypts with} Takes about a second. */
    static SslContext selfSigned() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("hubmark-sink-");
        // In a folder of its own, since keytool makes the file itself.
        Path file = folder.resolve("sink.p12");
        try {
            keytool(file);
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                store.load(in, PASSWORD.toCharArray());
            }
            KeyManagerFactory keys =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, PASSWORD.toCharArray());
            return SslContextBuilder.forServer(keys).build();
        } catch (GeneralSecurityException e) {
            throw new IOException("the sink gets no certificate", e);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static void keytool(Path file) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "sink",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=sink.hubmark.example",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool makes no certificate for the sink: " + said.strip());
        }
    }
}
