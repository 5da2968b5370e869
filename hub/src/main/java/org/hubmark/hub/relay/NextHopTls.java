package org.hubmark.hub.relay;

import org.hubmark.core.FileErrors;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

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
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManager[] trusted = switch (mode) {
                case NONE, OPPORTUNISTIC -> new TrustManager[] {new Anybody()};
                case REQUIRED -> authorities(trust);
            };
            context.init(null, trusted, null);
            return new NextHopTls(mode, context);
        } catch (GeneralSecurityException e) {
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

    private static TrustManager @Nullable [] authorities(String trust)
            throws GeneralSecurityException, IOException {
        if (trust.isEmpty()) {
            return null;
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(Path.of(trust))) {
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority-" + number++, certificate);
            }
            if (number == 0) {
                throw new IOException("it holds no certificate");
            }
        } catch (IOException | GeneralSecurityException e) {
            String why = e instanceof IOException unreadable
                    ? FileErrors.text(unreadable)
                    : "it is" + " not in PEM form";
            throw new IOException("setting delivery.tls-trust: " + trust + ": " + why, e);
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    /** Trusts whoever answers. */
    private static final class Anybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
