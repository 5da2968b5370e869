package org.hubmark.testkit;

import io.netty.util.Version;

import org.hubmark.core.Content;
import org.hubmark.core.Envelope;
import org.hubmark.core.Intake;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.hubmark.smtp.SmtpReceiver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Loads a receiver's classes and native code on a thread of its own, once a JVM, while the first hub
 * opens its queue: the two take about 300 ms each, and most machines have two cores.
 */
final class Preload {
    private static final Logger LOG = LoggerFactory.getLogger(Preload.class);
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private Preload() {}

    /**
     * Begins, if nobody has.
     *
     * @throws IllegalStateException with a Netty that the hub can't run on
     */
    static void begin() {
        requireNetty();
        if (BEGUN.compareAndSet(false, true)) {
            Thread thread = new Thread(Preload::run, "testkit-warmup");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** The parent of a project may manage another version than that of the artifacts it uses. */
    private static void requireNetty() {
        try {
            Class.forName("io.netty.channel.MultiThreadIoEventLoopGroup");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "Hubmark needs Netty 4.2, and on the class path is "
                            + Version.identify().values().stream()
                                    .map(Version::artifactVersion)
                                    .distinct()
                                    .toList()
                            + "; where a parent such as Spring Boot's sets it, set the property"
                            + " netty.version (docs/embedding.md)",
                    e);
        }
    }

    private static void run() {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Settings settings = new Settings(Map.of("smtp.event-loops", "1"));
        try (SmtpReceiver receiver = SmtpReceiver.start(anyPort, new Closed(), settings);
                SmtpDialogue client = SmtpDialogue.open(receiver.address())) {
            client.command("EHLO client.test");
            client.command("MAIL FROM:<>");
            client.command("QUIT");
        } catch (IOException | RuntimeException e) {
            LOG.debug("whatever it is, the hub that a test has asked for meets it too", e);
        }
    }

    /** Takes nothing. Any thread. */
    private record Closed() implements Intake {
        private static final Receipt.Refused REFUSED =
                new Receipt.Refused(Receipt.Reason.CLOSING, "only warming up");

        @Override
        public Receipt.@Nullable Refused refusal() {
            return REFUSED;
        }

        @Override
        public QueueId nextId() {
            return new QueueId(0);
        }

        @Override
        public void storeExtent(Content content, Consumer<Optional<Receipt.Refused>> listener) {
            listener.accept(Optional.of(REFUSED));
        }

        @Override
        public void enqueue(Envelope envelope, Content content, Consumer<Receipt> listener) {
            content.close();
            listener.accept(REFUSED);
        }

        @Override
        public void abandon(Content content) {
            content.close();
        }
    }
}
