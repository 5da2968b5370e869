package org.hubmark.bench.load;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;

import org.hubmark.core.UserError;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;

/**
 * How the driver speaks TLS after STARTTLS (RFC 3207): with any certificate, or only with one that a
 * given authority vouches for and that names the target. Load is encrypted by BoringSSL where that is to
 * be had, since it takes half of the CPU, or less, that the JDK takes from the server beside it. Any
 * thread.
 */
public final class ClientTls {
    private static final int HANDSHAKE_SECONDS = 10;

    private final JdkSslContext blocking;
    private final SslContext loading;
    /** How a certificate has to name the target: RFC 2818, or not at all where it is empty. */
    private final String naming;

    private ClientTls(SslContextBuilder builder, String naming) throws SSLException {
        this.naming = naming;
        builder.endpointIdentificationAlgorithm(naming);
        this.blocking = (JdkSslContext) builder.sslProvider(SslProvider.JDK).build();
        this.loading =
                OpenSsl.isAvailable() ? builder.sslProvider(SslProvider.OPENSSL).build() : blocking;
    }

    /** {@return what load is encrypted by} */
    static String means() {
        return OpenSsl.isAvailable() ? "BoringSSL" : "the JDK's TLS";
    }

    /** {@return takes every certificate: a load test measures and protects nothing} */
    public static ClientTls trustingAll() {
        try {
            return new ClientTls(
                    SslContextBuilder.forClient()
                            .trustManager(InsecureTrustManagerFactory.INSTANCE),
                    "");
        } catch (SSLException e) {
            throw new IllegalStateException("the JDK has no TLS", e);
        }
    }

    /**
     * {@return takes certificates that one of the file's vouches for and that name the target}
     *
     * @param authorities PEM
     * @throws UserError when the file holds no certificate
     */
    public static ClientTls trusting(Path authorities) {
        if (!Files.isReadable(authorities)) {
            throw UserError.usage("--tls-trust " + authorities + " can't be read");
        }
        try {
            return new ClientTls(
                    SslContextBuilder.forClient().trustManager(authorities.toFile()), "HTTPS");
        } catch (SSLException | IllegalArgumentException e) {
            throw UserError.usage("--tls-trust " + authorities + " holds no certificate in PEM ("
                    + e.getMessage() + ")");
        }
    }

    /** {@return a handler that begins a handshake when it is added to a pipeline} */
    SslHandler handler(ByteBufAllocator allocator, InetSocketAddress target) {
        SslHandler handler =
                loading.newHandler(allocator, target.getHostString(), target.getPort());
        handler.setHandshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS);
        // Content is encrypted from where it lies, not copied into pieces of a record's size first.
        handler.setWrapDataSize(0);
        return handler;
    }

    /** {@return what makes sockets of the same kind} */
    public SSLSocketFactory factory() {
        return blocking.context().getSocketFactory();
    }

    /** {@return what such a socket asks of the target} */
    public SSLParameters parameters() {
        SSLParameters parameters = blocking.context().getDefaultSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(naming);
        return parameters;
    }
}
