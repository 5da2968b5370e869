package org.hubmark.smtp;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslX509KeyManagerFactory;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.EdECPrivateKey;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * TLS library: BoringSSL, which takes half of the CPU or less, or the JDK, which is always
 * available.
 */
enum TlsEngine {
    JDK,
    BORINGSSL;

    /** What RFC 9325 4.2 recommends: forward secrecy and authenticated encryption. */
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static final Pattern CERTIFICATE = Pattern.compile(
            "-----BEGIN (?:X509 )?CERTIFICATE-----([^-]*)-----END (?:X509 )?CERTIFICATE-----");

    static {
        // The JDK has no other switch for it than this property, which it reads once. BoringSSL
        // never renegotiates for a client.
        String renegotiation = "jdk.tls.rejectClientInitiatedRenegotiation";
        if (System.getProperty(renegotiation) == null) {
            System.setProperty(renegotiation, "true");
        }
    }

    /** {@return BoringSSL if it is available on this platform, else the JDK} */
    static TlsEngine best() {
        return OpenSsl.isAvailable() ? BORINGSSL : JDK;
    }

    /**
     * {@return a server's context}
     *
     * @param certificate PEM file of the chain
     * @param key PEM file of its private key
     * @throws IOException if they can't be used; the message names them
     */
    SslContext context(File certificate, File key) throws IOException {
        try {
            PrivateKey signing = SigningKey.read(key);
            X509Certificate[] chain = chain(certificate);
            if (!SigningKey.belongTogether(chain[0], signing)) {
                throw new CertificateException(
                        "the private key is not that of the first certificate");
            }
            // The JDK's in any case: it tells what is wrong with the files.
            SslContext jdk = build(SslContextBuilder.forServer(signing, chain), SslProvider.JDK);
            // BoringSSL offers no Ed25519 of its own accord; the JDK does.
            return this == JDK || signing instanceof EdECPrivateKey
                    ? jdk
                    : boringSsl(certificate, new SigningKey(signing));
        } catch (IOException | IllegalArgumentException | GeneralSecurityException e) {
            throw new IOException(
                    "TLS: " + certificate + " and " + key
                            + " are not a certificate chain and its private key in PEM (PKCS #8, not"
                            + " encrypted): " + e.getMessage(),
                    e);
        }
    }

    private static X509Certificate[] chain(File file) throws IOException, CertificateException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        Matcher pem =
                CERTIFICATE.matcher(Files.readString(file.toPath(), StandardCharsets.ISO_8859_1));
        List<X509Certificate> chain = new ArrayList<>();
        while (pem.find()) {
            byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
            chain.add((X509Certificate)
                    factory.generateCertificate(new ByteArrayInputStream(encoded)));
        }
        if (chain.isEmpty()) {
            throw new CertificateException("no line -----BEGIN CERTIFICATE----- in " + file);
        }
        return chain.toArray(X509Certificate[]::new);
    }

    private static SslContext boringSsl(File certificate, SigningKey signing)
            throws IOException, GeneralSecurityException {
        return build(
                SslContextBuilder.forServer(OpenSslX509KeyManagerFactory.newKeyless(certificate))
                        .option(OpenSslContextOption.PRIVATE_KEY_METHOD, signing),
                SslProvider.OPENSSL);
    }

    private static SslContext build(SslContextBuilder builder, SslProvider provider)
            throws IOException {
        return builder.sslProvider(provider)
                .protocols("TLSv1.3", "TLSv1.2")
                .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .build();
    }
}
