package org.hubmark.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.hub.IntakeKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Proves that whoever installs a server installs no laboratory: its class path is these libraries. That of
 * a test has its own beside them, which are left out by their names. A library that is new here is new on
 * each production machine.
 */
class ServerClassPathTest {
    private static final List<String> OF_TESTS = List.of(
            "junit-", "opentest4j", "apiguardian-api", "assertj-core", "byte-buddy", "surefire");

    /** By openssl: genpkey -algorithm ED25519, and req -x509 -days 36500 -subj /CN=mx.example. */
    private static final String KEY = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIBmnivAIb42l50L+numq0OvU7YdPLC6VMaHk4Ia1Q3T4
            -----END PRIVATE KEY-----
            """;

    private static final String CERTIFICATE = """
            -----BEGIN CERTIFICATE-----
            MIIBQDCB86ADAgECAhQgMDA1Qk6DUmVQkJbR7fvcmYSV2TAFBgMrZXAwFTETMBEG
            A1UEAwwKbXguZXhhbXBsZTAgFw0yNjExMjgxNDU3MjlaGA8yMTI2MTEwNDE0NTcy
            OVowFTETMBEGA1UEAwwKbXguZXhhbXBsZTAqMAUGAytlcAMhAL0OFQ74QIaoE60E
            jPzxMhRFQGt7tyDOW2zzp9onOJhbo1MwUTAdBgNVHQ4EFgQUbUKjOmyahuCb3Xn4
            6hhhpnOg0+UwHwYDVR0jBBgwFoAUbUKjOmyahuCb3Xn46hhhpnOg0+UwDwYDVR0T
            AQH/BAUwAwEB/zAFBgMrZXADQQCqnWxoURLjuBiIMOMZCXX3q7CTxX+HIn67x6KQ
            EN6QEE1nbT3ZQXrkX1J4GPSQMNZPuAWef5SHZTNVdNAezNUO
            -----END CERTIFICATE-----
            """;

    @Test
    void holdsWhatAHubNeeds() {
        assertThat(libraries())
                .containsExactlyInAnyOrder(
                        "HdrHistogram",
                        "hub",
                        "jackson-annotations",
                        "jackson-core",
                        "jackson-databind",
                        "jspecify",
                        "logback-classic",
                        "logback-core",
                        "micrometer-commons",
                        "micrometer-core",
                        "micrometer-observation",
                        "micrometer-registry-prometheus",
                        "netty-buffer",
                        "netty-codec-base",
                        "netty-codec-compression",
                        "netty-codec-http",
                        "netty-common",
                        "netty-handler",
                        "netty-resolver",
                        "netty-tcnative-boringssl-static",
                        "netty-tcnative-classes",
                        "netty-transport",
                        "netty-transport-classes-epoll",
                        "netty-transport-native-epoll",
                        "netty-transport-native-unix-common",
                        "picocli",
                        "prometheus-metrics-config",
                        "prometheus-metrics-core",
                        "prometheus-metrics-exposition-textformats",
                        "prometheus-metrics-model",
                        "prometheus-metrics-tracer-common",
                        "queue-store",
                        "rocksdbjni",
                        "slf4j-api",
                        "smtp-receiver",
                        "transport-core");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bench",
                "jmh",
                "greenmail",
                "jakarta.mail",
                "angus",
                "hipparchus",
                "snakeyaml"
            })
    void holdsNothingThatMeasures(String library) {
        assertThat(libraries()).noneMatch(name -> name.startsWith(library));
    }

    @Test
    void holdsNoClassOfTheBench() {
        ClassLoader classes = ServerClassPathTest.class.getClassLoader();
        assertThat(classes.getResource("org/hubmark/bench")).isNull();
        assertThat(classes.getResource("org/hubmark/bench/mail/report/Report.class"))
                .isNull();
    }

    /** Tests of the receiver have a library beside it that reads such keys. */
    @Test
    void readsAKeyOfEd25519WithTheseLibrariesAlone(@TempDir Path folder) throws IOException {
        Path certificate = Files.writeString(folder.resolve("certificate.pem"), CERTIFICATE);
        Path key = Files.writeString(folder.resolve("key.pem"), KEY);
        ServeCommand.checkSettings(
                Map.of(
                        "smtp.tls-certificate", certificate.toString(),
                        "smtp.tls-key", key.toString()),
                IntakeKind.STORE);
    }

    /** {@return the names of the jars, without their versions} A module of ours may be a folder. */
    private static Set<String> libraries() {
        Set<String> names = new TreeSet<>();
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(ServerClassPathTest::name)
                .filter(name -> OF_TESTS.stream().noneMatch(name::startsWith))
                .forEach(names::add);
        names.removeAll(Set.of("server", ""));
        return names;
    }

    private static String name(String entry) {
        return entry.endsWith("/target/classes") || entry.endsWith("/target/test-classes")
                ? entry.replaceFirst("/target/[a-z-]+$", "").replaceFirst(".*/", "")
                : entry.replaceFirst(".*/", "").replaceFirst("-\\d.*$", "");
    }
}
