package org.hubmark.smtp;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;

import org.hubmark.core.Settings;
import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The certificate with which a receiver offers STARTTLS (RFC 3207): TLS 1.2 and 1.3, by the JDK's
 * provider, which needs no native library. Any thread may use it.
 */
final class Tls {
    private final SslContext context;
    private final Duration handshakeTimeout;

    private Tls(SslContext context, Duration handshakeTimeout) {
        this.context = context;
        this.handshakeTimeout = handshakeTimeout;
    }

    /**
     * Reads certificate and key.
     *
     * @return null when none are set
     * @throws IOException if they can't be read; the message says which and what is wrong
     * @throws IllegalArgumentException if only one of them is set
     */
    static @Nullable Tls read(Settings settings) throws IOException {
        String certificate = settings.text(
                "smtp.tls-certificate",
                "",
                "PEM file with the certificate chain, the receiver's own first: then STARTTLS (RFC"
                        + " 3207) is offered; empty for no TLS.");
        String key = settings.text(
                "smtp.tls-key", "", "PEM file with the private key of it: PKCS #8, not encrypted.");
        Duration timeout = settings.duration(
                "smtp.timeout.tls-handshake",
                Duration.ofSeconds(10),
                "How long the TLS handshake after STARTTLS may take; then the connection is closed.");
        if (timeout.isZero()) {
            throw new IllegalArgumentException(
                    "setting smtp.timeout.tls-handshake: has to be more than zero");
        }
        if (certificate.isEmpty() != key.isEmpty()) {
            throw new IllegalArgumentException(
                    "setting smtp.tls-certificate and smtp.tls-key: give both or none of them");
        }
        return certificate.isEmpty() ? null : new Tls(context(certificate, key), timeout);
    }

    private static SslContext context(String certificate, String key) throws IOException {
        for (String name : new String[] {certificate, key}) {
            if (!new File(name).isFile() || !new File(name).canRead()) {
                throw new IOException("TLS: " + name + " is not a file that can be read");
            }
        }
        try {
            return SslContextBuilder.forServer(new File(certificate), new File(key))
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .build();
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(
                    "TLS: " + certificate + " and " + key
                            + " are not a certificate chain and its private key in PEM (PKCS #8, not"
                            + " encrypted): " + e.getMessage(),
                    e);
        }
    }

    /** {@return a handler that begins a handshake when it is added to a pipeline} */
    SslHandler handler(ByteBufAllocator allocator) {
        SslHandler handler = context.newHandler(allocator);
        handler.setHandshakeTimeout(handshakeTimeout.toNanos(), TimeUnit.NANOSECONDS);
        return handler;
    }
}
