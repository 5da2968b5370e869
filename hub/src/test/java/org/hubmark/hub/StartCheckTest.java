package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import org.hubmark.core.Durability;
import org.hubmark.core.Settings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * What keeps a hub from starting is told before anything is made: the volumes' folders are absent, and
 * have to be absent afterwards.
 */
final class StartCheckTest {
    @TempDir
    private Path folder;

    /** Else a setting that is there would be refused as unknown, or one that isn't possible found late. */
    @ParameterizedTest
    @EnumSource(IntakeKind.class)
    void readsAllSettingsThatAHubReads(IntakeKind intake) throws IOException {
        HubConfiguration checked =
                HubConfigurations.on(volumes(), intake, new DeliverySpec.Hold(), Map.of());
        Hub.check(checked);
        assertThat(volumes()).doesNotExist();
        HubConfiguration started =
                HubConfigurations.on(volumes(), intake, new DeliverySpec.Hold(), Map.of());
        Hub.start(started).close();
        assertThat(checked.settings().entries())
                .containsExactlyElementsOf(started.settings().entries());
    }

    @ParameterizedTest
    @CsvSource({
        "smtp.nonsense, 1",
        "store.log.direct, perhaps",
        "delivery.retry-min, 5",
        "delivery.pipeline-max, none",
        "smtp.relay-from, everywhere",
    })
    void aSettingThatWontDoLeavesNothing(String key, String value) {
        HubConfiguration configuration = HubConfigurations.on(
                volumes(), IntakeKind.STORE, new DeliverySpec.Hold(), Map.of(key, value));
        assertThatThrownBy(() -> Hub.start(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key);
        assertThat(volumes()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "back-pressure.memory.high, leave it out",
        "back-pressure.queue-length.high, docs/smtp.md",
        "admin.host-names, ask by address",
        "delivery.host-name, set smtp.host-name",
        "delivery.dead-letter-max-count, delivery.dead-letter-max-bytes",
        "smtp.verify-recipients.answers-max, docs/smtp.md",
    })
    void aSettingThatIsGoneIsRefusedWithWhatToDo(String key, String instead) {
        HubConfiguration configuration = HubConfigurations.on(
                volumes(), IntakeKind.STORE, new DeliverySpec.Hold(), Map.of(key, "1"));
        assertThatThrownBy(() -> Hub.check(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("setting " + key + " is gone: ")
                .hasMessageContaining(instead);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mail", "metrics", "tls"})
    void aPortInUseLeavesNothing(String what) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket taken = new ServerSocket(0, 1, loopback)) {
            InetSocketAddress busy = new InetSocketAddress(loopback, taken.getLocalPort());
            InetSocketAddress free = new InetSocketAddress(loopback, 0);
            Map<String, String> settings =
                    what.equals("tls") ? tls("127.0.0.1:" + busy.getPort()) : Map.of();
            HubConfiguration configuration = new HubConfiguration(
                    what.equals("mail") ? busy : free,
                    what.equals("metrics") ? busy : free,
                    VolumeFolders.below(volumes()),
                    new Durability.Synced(),
                    512L << 20,
                    IntakeKind.STORE,
                    new DeliverySpec.Hold(),
                    new Settings(settings),
                    InstantSource.system());
            assertThatThrownBy(() -> Hub.start(configuration))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + busy.getPort())
                    .hasMessageContaining("in use");
            assertThat(volumes()).doesNotExist();
        }
    }

    @Test
    void aCertificateThatCantBeReadLeavesNothing() {
        HubConfiguration configuration = HubConfigurations.on(
                volumes(),
                IntakeKind.STORE,
                new DeliverySpec.Hold(),
                Map.of("smtp.tls-certificate", "absent.pem", "smtp.tls-key", "absent.pem"));
        assertThatThrownBy(() -> Hub.start(configuration))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("absent.pem");
        assertThat(volumes()).doesNotExist();
    }

    private Map<String, String> tls(String listen) throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .subject("CN=localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Path certificate = Files.writeString(
                folder.resolve("certificate.pem"), bundle.getCertificatePathPEM());
        Path key = Files.writeString(folder.resolve("key.pem"), bundle.getPrivateKeyPEM());
        return Map.of(
                "smtp.tls-certificate",
                certificate.toString(),
                "smtp.tls-key",
                key.toString(),
                "smtp.tls-listen",
                listen);
    }

    private Path volumes() {
        return folder.resolve("hub");
    }
}
