package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Durability;
import org.hubmark.core.QueueId;
import org.hubmark.core.Settings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.pressure.PressureSettings;
import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** Hubs on free ports and in one folder, and what a client does with them. */
public final class TestHubs {
    private static final InetSocketAddress ANY_PORT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private TestHubs() {}

    public static HubConfiguration on(
            Path folder, IntakeKind intake, DeliverySpec delivery, Map<String, String> settings) {
        return on(ANY_PORT, ANY_PORT, folder, intake, delivery, settings);
    }

    public static HubConfiguration on(
            InetSocketAddress mail,
            InetSocketAddress metrics,
            Path folder,
            IntakeKind intake,
            DeliverySpec delivery,
            Map<String, String> settings) {
        return new HubConfiguration(
                mail,
                metrics,
                VolumeFolders.below(folder),
                new Durability.Synced(),
                512L << 20,
                intake,
                delivery,
                new Settings(settings),
                InstantSource.system());
    }

    /** Starts one with a queue. */
    public static Hub start(Path folder, DeliverySpec delivery, Map<String, String> settings)
            throws IOException {
        return Hub.start(on(folder, IntakeKind.STORE, delivery, settings));
    }

    /** Starts one that slows and refuses mail at levels of one's choice, and delivers nothing. */
    public static Hub hold(Path folder, PressureSettings levels) throws IOException {
        HubConfiguration configuration =
                on(folder, IntakeKind.STORE, new DeliverySpec.Hold(), Map.of());
        return Hub.start(configuration, HubParts.own(), levels);
    }

    public static SmtpClient client(Hub hub) throws IOException {
        return SmtpClient.open(hub.address(), Duration.ofSeconds(60), "client.example");
    }

    /** Sends a message, which the hub has to take. */
    public static QueueId send(Hub hub, String... recipients) throws IOException {
        try (SmtpClient client = client(hub)) {
            byte[] content = "Subject: x\r\n\r\ntext\r\n".getBytes(StandardCharsets.US_ASCII);
            SmtpReply reply = client.send("s@x.example", List.of(recipients), content);
            assertThat(reply.toString()).startsWith("250 2.0.0 queued as ");
            return QueueId.parse(reply.text().substring(reply.text().lastIndexOf(' ') + 1));
        }
    }

    public static double metric(Hub hub, String name) {
        return hub.metrics()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + name));
    }
}
