package org.hubmark.smtp;

import io.netty.handler.ssl.OpenSslPrivateKeyMethod;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.util.Base64;

import javax.net.ssl.SSLEngine;

/**
 * A private key that signs for BoringSSL. With a key of its own BoringSSL would sign on the event
 * loop, and the signature is most of what a handshake costs; this is called on the threads of {@link
 * Tls}. Any thread may use it.
 */
final class SigningKey implements OpenSslPrivateKeyMethod {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    private final PrivateKey key;

    private SigningKey(PrivateKey key) {
        this.key = key;
    }

    /**
     * {@return the key in a PEM file (PKCS #8, not encrypted); null if it is neither of RSA nor of EC}
     */
    static @Nullable SigningKey read(File file) throws IOException, GeneralSecurityException {
        String text = Files.readString(file.toPath());
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new InvalidKeySpecException("no line " + BEGIN);
        }
        byte[] encoded =
                Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(encoded);
        for (String algorithm : new String[] {"RSA", "EC"}) {
            PrivateKey key = tryKey(algorithm, spec);
            if (key != null) {
                return new SigningKey(key);
            }
        }
        return null;
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
