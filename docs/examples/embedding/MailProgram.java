import org.hubmark.core.Durability;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.Settings;
import org.hubmark.hub.Hub;
import org.hubmark.hub.HubConfiguration;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.delivery.DeliverySpec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;

final class MailProgram {
    /** Port 0 picks a free one. */
    static Hub start(Path volumes, int port, Consumer<String> receiver) throws IOException {
        return Hub.start(new HubConfiguration(
                new InetSocketAddress("127.0.0.1", port),
                null, // no metrics
                VolumeFolders.below(volumes), // log, queue and tracking; better on disks of their own
                Durability.parse("synced"),
                512L << 20, // size of the log at which its oldest part moves to the queue volume
                IntakeKind.STORE,
                new DeliverySpec.Own(lease -> deliver(lease, receiver)),
                new Settings(Map.of("smtp.message-size-max", "25MB")),
                InstantSource.system()));
    }

    /** On delivery threads, several at once. The message is durable by now, and may come again after a crash. */
    private static Outcome deliver(Lease lease, Consumer<String> receiver) {
        try (InputStream content = lease.openContent()) {
            receiver.accept(new String(content.readAllBytes(), StandardCharsets.ISO_8859_1));
            return new Outcome.Delivered();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // can't be read: the message is set aside
        } catch (RuntimeException e) {
            return new Outcome.Deferred("the program could not take it: " + e); // tried again later
        }
    }

    public static void main(String[] arguments) throws Exception {
        Hub hub = start(Path.of(arguments[0]), 2525, System.out::println);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                hub.close(); // ends what is under way; the rest stays in the queue
            } catch (IOException e) {
                e.printStackTrace();
            }
        }));
        // Only when a disk or the hub itself has failed: then no mail is taken any more.
        throw new IOException("the hub has stopped", hub.failure().join());
    }
}
