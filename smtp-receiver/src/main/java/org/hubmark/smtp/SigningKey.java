package org.hubmark.smtp;

import io.netty.handler.ssl.OpenSslPrivateKeyMethod;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLEngine;

/**
 * A private key that signs for BoringSSL. With a key of its own BoringSSL would sign on the event
 * loop, and the signature is most of what a handshake costs; this is called on the threads of {@link
 * Tls}. Any thread may use it.
 */
final class SigningKey implements OpenSslPrivateKeyMethod {
    private static final Pattern PEM = Pattern.compile(
            "-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----([^-]*)-----END [A-Z0-9 ]*PRIVATE KEY-----");

    private static final int NONCE_BYTES = 32;

    private final PrivateKey key;

    SigningKey(PrivateKey key) {
        this.key = key;
    }

    /**
     * {@return the key in a PEM file: PKCS #8, not encrypted, of RSA, EC or EdDSA} By the JDK alone: what
     * Netty reads depends on the libraries beside it.
     *
     * @throws InvalidKeySpecException if it has another form; the message names it and converts it
     */
    static PrivateKey read(File file) throws IOException, GeneralSecurityException {
        Matcher pem = PEM.matcher(Files.readString(file.toPath(), StandardCharsets.ISO_8859_1));
        if (!pem.find()) {
            throw new InvalidKeySpecException("no line -----BEGIN PRIVATE KEY----- in " + file);
        }
        String form = switch (pem.group(1).strip()) {
            case "" -> "";
            case "ENCRYPTED" -> "is encrypted";
            case "RSA" -> "is an RSA PRIVATE KEY (PKCS #1)";
            case "EC" -> "is an EC PRIVATE KEY (SEC1)";
            case String other -> "is the private key of " + other;
        };
        if (!form.isEmpty()) {
            throw new InvalidKeySpecException(file + " " + form
                    + "; convert it with: openssl pkcs8 -topk8 -nocrypt -in " + file
                    + " -out NEW");
        }
        PKCS8EncodedKeySpec spec =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(2)));
        for (String algorithm : new String[] {"RSA", "EC", "EdDSA"}) {
            PrivateKey key = tryKey(algorithm, spec);
            if (key != null) {
                return key;
            }
        }
        throw new InvalidKeySpecException(file + " is not an RSA, EC or EdDSA key");
    }

    /**
     * {@return whether a key is that of a certificate} Neither the JDK nor BoringSSL compares them: each
     * handshake would fail, and senders fall back to plain text.
     */
    static boolean belongTogether(X509Certificate certificate, PrivateKey key)
            throws GeneralSecurityException {
        Signature signature = Signature.getInstance(
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> "EdDSA";
                });
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        try {
            signature.initSign(key);
            signature.update(nonce);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(nonce);
            return signature.verify(signed);
        } catch (InvalidKeyException | SignatureException e) {
            // Of another algorithm or length.
            return false;
        }
    }

    private static @Nullable PrivateKey tryKey(String algorithm, PKCS8EncodedKeySpec spec)
            throws GeneralSecurityException {
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(spec);
        } catch (InvalidKeySpecException e) {
            return null;
        }
    }

    @Override
    public byte[] sign(SSLEngine engine, int algorithm, byte[] input)
            throws GeneralSecurityException {
        Signature signature = signature(algorithm);
        signature.initSign(key);
        signature.update(input);
        return signature.sign();
    }

    /** Asked for in an RSA key exchange, which no cipher that is offered has. */
    @Override
    public byte[] decrypt(SSLEngine engine, byte[] input) throws SignatureException {
        throw new SignatureException("RSA key exchange is not offered");
    }

    private static Signature signature(int algorithm) throws GeneralSecurityException {
        if (algorithm == SSL_SIGN_RSA_PSS_RSAE_SHA256) {
            return pss("SHA-256", MGF1ParameterSpec.SHA256, 32);
        } else if (algorithm == SSL_SIGN_RSA_PSS_RSAE_SHA384) {
            return pss("SHA-384", MGF1ParameterSpec.SHA384, 48);
        } else if (algorithm == SSL_SIGN_RSA_PSS_RSAE_SHA512) {
            return pss("SHA-512", MGF1ParameterSpec.SHA512, 64);
        } else if (algorithm == SSL_SIGN_RSA_PKCS1_SHA256) {
            return Signature.getInstance("SHA256withRSA");
        } else if (algorithm == SSL_SIGN_RSA_PKCS1_SHA384) {
            return Signature.getInstance("SHA384withRSA");
        } else if (algorithm == SSL_SIGN_RSA_PKCS1_SHA512) {
            return Signature.getInstance("SHA512withRSA");
        } else if (algorithm == SSL_SIGN_ECDSA_SECP256R1_SHA256) {
            return Signature.getInstance("SHA256withECDSA");
        } else if (algorithm == SSL_SIGN_ECDSA_SECP384R1_SHA384) {
            return Signature.getInstance("SHA384withECDSA");
        } else if (algorithm == SSL_SIGN_ECDSA_SECP521R1_SHA512) {
            return Signature.getInstance("SHA512withECDSA");
        }
        // SHA-1 (RFC 9155).
        throw new SignatureException("signature algorithm " + algorithm + " is not offered");
    }

    /** As long a salt as the hash (RFC 8446 4.2.3). */
    private static Signature pss(String hash, MGF1ParameterSpec mask, int saltBytes)
            throws GeneralSecurityException {
        Signature signature = Signature.getInstance("RSASSA-PSS");
        signature.setParameter(new PSSParameterSpec(
                hash, "MGF1", mask, saltBytes, PSSParameterSpec.TRAILER_FIELD_BC));
        return signature;
    }
}
