package org.hubmark.smtp;

import io.netty.handler.ssl.OpenSsl;
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
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
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

    private static final Pattern KEY = Pattern.compile(
            "-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----([^-]*)-----END [A-Z0-9 ]*PRIVATE KEY-----");

    static {
        // The JDK has no other switch for it than this property, which it reads once. BoringSSL
        // never renegotiates for a client.
        String renegotiation = "jdk.tls.rejectClientInitiatedRenegotiation";
        if (System.getProperty(renegotiation) == null) {
            System.setProperty(renegotiation, "true");
        }
    }

    /**
     * {@return the engine of a setting: auto, jdk or boringssl}
     *
     * @throws IllegalArgumentException if it is none of these, or can't be had here
     */
    static TlsEngine of(String setting) {
        return switch (setting) {
            case "auto" -> OpenSsl.isAvailable() ? BORINGSSL : JDK;
            case "jdk" -> JDK;
            case "boringssl" -> {
                if (!OpenSsl.isAvailable()) {
                    throw new IllegalArgumentException(
                            "setting smtp.tls-engine: there is no BoringSSL for this platform; auto"
                                    + " takes the JDK here");
                }
                yield BORINGSSL;
            }
            default ->
                throw new IllegalArgumentException(
                        "setting smtp.tls-engine: '" + setting + "' is not auto, jdk or boringssl");
        };
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
            PrivateKey signing = key(key);
            X509Certificate[] chain = chain(certificate);
            if (!belongTogether(chain[0], signing)) {
                throw new CertificateException(
                        "the private key is not that of the first certificate");
            }
            // BoringSSL offers no Ed25519 of its own accord; the JDK does.
            boolean byJdk = this == JDK || signing instanceof EdECPrivateKey;
            return SslContextBuilder.forServer(signing, chain)
                    .sslProvider(byJdk ? SslProvider.JDK : SslProvider.OPENSSL)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                    .build();
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
        Matcher pem = CERTIFICATE.matcher(text(file));
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

    /**
     * {@return the key in a PEM file: PKCS #8, not encrypted, of RSA, EC or EdDSA} By the JDK alone: what
     * Netty reads depends on the libraries beside it.
     *
     * @throws InvalidKeySpecException if it has another form; the message names it and converts it
     */
    private static PrivateKey key(File file) throws IOException, GeneralSecurityException {
        Matcher pem = KEY.matcher(text(file));
        if (!pem.find()) {
            throw new InvalidKeySpecException("no line -----BEGIN PRIVATE KEY----- in " + file);
        }
        if (!pem.group(1).isEmpty()) {
            throw new InvalidKeySpecException(file + " has the form " + pem.group(1)
                    + "PRIVATE KEY; it is converted by: openssl pkcs8 -topk8 -nocrypt -in " + file
                    + " -out NEW");
        }
        PKCS8EncodedKeySpec spec =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(2)));
        for (String algorithm : new String[] {"RSA", "EC", "EdDSA"}) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                // Perhaps it is one of the next.
            }
        }
        throw new InvalidKeySpecException(file + " is a key neither of RSA nor of EC nor of EdDSA");
    }

    private static String text(File file) throws IOException {
        return Files.readString(file.toPath(), StandardCharsets.ISO_8859_1);
    }

    /**
     * {@return whether a key is that of a certificate} Neither the JDK nor BoringSSL compares them: each
     * handshake would fail, and senders fall back to plain text.
     */
    private static boolean belongTogether(X509Certificate certificate, PrivateKey key)
            throws GeneralSecurityException {
        Signature signature = Signature.getInstance(
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> "EdDSA";
                });
        try {
            signature.initSign(key);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            return signature.verify(signed);
        } catch (InvalidKeyException | SignatureException e) {
            // Of another algorithm or length.
            return false;
        }
    }
}
