package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What keeps a hub from starting is told before anything is made: the volumes' folders are absent, and
 * have to be absent afterwards.
 */
final class StartCheckTest {
    private static final DeliverySpec HOLD = new DeliverySpec.Hold();

    @TempDir
    private Path folder;

    /** Else a setting that is there would be refused as unknown, or one that isn't possible found late. */
    @ParameterizedTest
    @EnumSource(IntakeKind.class)
    void readsAllSettingsThatAHubReads(IntakeKind intake) throws IOException {
        HubConfiguration checked = TestHubs.on(volumes(), intake, HOLD, Map.of());
        Hub.check(checked);
        assertThat(volumes()).doesNotExist();
        HubConfiguration started = TestHubs.on(volumes(), intake, HOLD, Map.of());
        Hub.start(started).close();
        assertThat(checked.settings().entries())
                .containsExactlyElementsOf(started.settings().entries());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "refused-settings.csv")
    void aSettingThatWontDoLeavesNothing(String key, String value, String words) {
        HubConfiguration configuration =
                TestHubs.on(volumes(), IntakeKind.STORE, HOLD, Map.of(key, value));
        assertThatThrownBy(() -> Hub.start(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(words);
        assertThat(volumes()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mail", "metrics", "tls"})
    void aPortInUseLeavesNothing(String what) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket taken = new ServerSocket(0, 1, loopback)) {
            InetSocketAddress busy = new InetSocketAddress(loopback, taken.getLocalPort());
            InetSocketAddress free = new InetSocketAddress(loopback, 0);
            HubConfiguration configuration = TestHubs.on(
                    what.equals("mail") ? busy : free,
                    what.equals("metrics") ? busy : free,
                    volumes(),
                    IntakeKind.STORE,
                    HOLD,
                    what.equals("tls")
                            ? TestCertificate.in(folder).settings("127.0.0.1:" + busy.getPort())
                            : Map.of());
            assertThatThrownBy(() -> Hub.start(configuration))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + busy.getPort())
                    .hasMessageContaining("in use");
            assertThat(volumes()).doesNotExist();
        }
    }

    @Test
    void aCertificateThatCantBeReadLeavesNothing() {
        Map<String, String> absent =
                Map.of("smtp.tls-certificate", "absent.pem", "smtp.tls-key", "absent.pem");
        assertThatThrownBy(() -> TestHubs.start(volumes(), HOLD, absent))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("absent.pem");
        assertThat(volumes()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0"})
    void doesNotPassMailOnToItself(String listen) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        String hop = "smtp://127.0.0.1:" + port;
        HubConfiguration itself = TestHubs.on(
                new InetSocketAddress(listen, port),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                volumes(),
                IntakeKind.STORE,
                DeliverySpec.parse(hop),
                Map.of());
        assertThatThrownBy(() -> Hub.start(itself))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(hop + " is where this hub listens");
    }

    @Test
    void aVolumeIsOneHubsAlone() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> TestHubs.start(file.resolve("x"), HOLD, Map.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
        try (Hub hub = TestHubs.start(volumes(), HOLD, Map.of())) {
            assertThat(hub.address().getPort()).isPositive();
            assertThatThrownBy(() -> TestHubs.start(volumes(), HOLD, Map.of()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use");
        }
        // What was begun was undone: the same folders can be used.
        TestHubs.start(volumes(), HOLD, Map.of()).close();
    }

    private Path volumes() {
        return folder.resolve("hub");
    }
}
