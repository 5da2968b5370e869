package org.hubmark.hub.relay;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;

import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;

import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * TLS to next hops, by the JDK: 1.2 and 1.3 only. Where it is required, the certificate has to be
 * trusted and to name the host; where it isn't, nothing is checked, since without the certificate the
 * mail would go in plain text (RFC 7435). Any thread.
 */
final class NextHopTls {
    /** How long mail goes in plain text to a next hop whose handshake came to no end. */
    static final Duration STALL_KEPT = Duration.ofHours(1);

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private final DeliverySpec.Tls mode;
    private final SSLContext context;

    /** Next hops whose handshake came to no end, and when. */
    private final Map<NextHop, Long> stalls = new ConcurrentHashMap<>();

    private NextHopTls(DeliverySpec.Tls mode, SSLContext context) {
        this.mode = mode;
        this.context = context;
    }

    /**
     * Makes ready for one mode.
     *
     * @param trust PEM file of the authorities, or empty for Java's
     * @throws IOException if the file can't be had; the message names it
     */
    static NextHopTls open(DeliverySpec.Tls mode, String trust) throws IOException {
        SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
        if (mode != DeliverySpec.Tls.REQUIRED) {
            builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
        } else if (!trust.isEmpty()) {
            String setting = "setting delivery.tls-trust: " + trust;
            if (!Files.isReadable(Path.of(trust))) {
                throw new IOException(setting + " can't be read");
            }
            try {
                builder.trustManager(new File(trust));
            } catch (IllegalArgumentException e) {
                throw new IOException(setting + " holds no certificate in PEM form", e);
            }
        }
        try {
            return new NextHopTls(mode, ((JdkSslContext) builder.build()).context());
        } catch (SSLException e) {
            throw new IOException("TLS to the next hop is not possible: " + e.getMessage(), e);
        }
    }

    DeliverySpec.Tls mode() {
        return mode;
    }

    /** A handshake with it came to no end, which costs each connection its time. */
    void stalled(NextHop hop, long nowNanos) {
        stalls.put(hop, nowNanos);
    }

    /** {@return whether a handshake with it came to no end lately} */
    boolean stalls(NextHop hop, long nowNanos) {
        Long sinceNanos = stalls.get(hop);
        return sinceNanos != null && nowNanos - sinceNanos < STALL_KEPT.toNanos();
    }

    /** It is of no use in plain text either. */
    void tryAgain(NextHop hop) {
        stalls.remove(hop);
    }

    /** Does the handshake over a connected socket; the caller bounds its time. */
    SSLSocket handshake(Socket socket, NextHop hop) throws IOException {
        SSLSocket secured = (SSLSocket)
                context.getSocketFactory().createSocket(socket, hop.host(), hop.port(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        if (mode == DeliverySpec.Tls.REQUIRED) {
            // RFC 6125 and RFC 7817 compare names as HTTPS does.
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }
}
