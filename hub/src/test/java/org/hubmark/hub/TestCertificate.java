package org.hubmark.hub;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import javax.net.ssl.SSLContext;

/** A certificate for localhost that vouches for itself, and its key, in files too. */
public record TestCertificate(X509Bundle bundle, Path file, Path key) {
    public static TestCertificate in(Path folder, InetAddress... addresses) throws Exception {
        CertificateBuilder builder = new CertificateBuilder()
                .subject("CN=localhost")
                .addSanDnsName("localhost")
                .setIsCertificateAuthority(true);
        for (InetAddress address : addresses) {
            builder.addSanIpAddress(address);
        }
        X509Bundle bundle = builder.buildSelfSigned();
        return new TestCertificate(
                bundle,
                Files.writeString(
                        folder.resolve("certificate.pem"), bundle.getCertificatePathPEM()),
                Files.writeString(folder.resolve("key.pem"), bundle.getPrivateKeyPEM()));
    }

    /** {@return what a server speaks TLS 1.3 with, and asks clients for the same certificate} */
    public SSLContext context() throws Exception {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(
                bundle.toKeyManagerFactory().getKeyManagers(),
                bundle.toTrustManagerFactory().getTrustManagers(),
                null);
        return context;
    }

    /** {@return settings of a hub that has it} */
    public Map<String, String> settings() {
        return Map.of("smtp.tls-certificate", file.toString(), "smtp.tls-key", key.toString());
    }

    /** {@return the same, with a port for TLS from the first octet} */
    public Map<String, String> settings(String listen) {
        Map<String, String> settings = new HashMap<>(settings());
        settings.put("smtp.tls-listen", listen);
        return settings;
    }
}
