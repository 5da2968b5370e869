import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.inject.Inject;
import javax.mail.MessagingException;
import javax.mail.internet.MimeMessage;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.sun.net.httpserver.HttpServer;
import org.apache.activemq.store.PersistenceAdapter;
import org.apache.activemq.store.kahadb.KahaDBPersistenceAdapter;
import org.apache.james.GuiceJamesServer;
import org.apache.james.MemoryJamesConfiguration;
import org.apache.james.MemoryJamesServerMain;
import org.apache.james.metrics.api.GaugeRegistry;
import org.apache.james.metrics.api.MetricFactory;
import org.apache.james.modules.data.MemoryUsersRepositoryModule;
import org.apache.james.queue.activemq.ActiveMQMailQueueFactory;
import org.apache.james.queue.activemq.EmbeddedActiveMQ;
import org.apache.james.queue.activemq.metric.ActiveMQMetricCollectorNoop;
import org.apache.james.queue.api.MailQueue;
import org.apache.james.queue.api.MailQueueFactory;
import org.apache.james.queue.api.MailQueueItemDecoratorFactory;
import org.apache.james.queue.api.MailQueueName;
import org.apache.james.queue.api.ManageableMailQueue;
import reactor.core.publisher.Flux;

/**
 * The smallest Apache James that keeps mail: its SMTP server before its queue on ActiveMQ, put together as its
 * own JPA server does it. Nothing takes mail out of the queue. GET /FOLDER on the port in DATA/reader writes each
 * message of the queue as a file into FOLDER.
 */
final class James {
    private James() {}

    public static void main(String[] arguments) throws Exception {
        Path data = Path.of(arguments[0]);
        GuiceJamesServer server = GuiceJamesServer.forConfiguration(MemoryJamesConfiguration.builder()
                        .workingDirectory(data.toFile())
                        .build())
                .combineWith(MemoryJamesServerMain.SMTP_ONLY_MODULE, new MemoryUsersRepositoryModule())
                .overrideWith(new Queues());
        HttpServer reader = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        reader.createContext("/", exchange -> {
            int code = 200;
            try {
                read(HeldQueues.spool, Path.of(exchange.getRequestURI().getPath()));
            } catch (Exception e) {
                e.printStackTrace();
                code = 500;
            }
            exchange.sendResponseHeaders(code, -1);
            exchange.close();
        });
        reader.start();
        Files.writeString(data.resolve("reader"), Integer.toString(reader.getAddress().getPort()));
        server.start();
        Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
    }

    private static void read(ManageableMailQueue queue, Path to) throws Exception {
        ManageableMailQueue.MailQueueIterator items = queue.browse();
        for (int i = 0; items.hasNext(); i++) {
            // The file of its content may have gone, or have less in it.
            try {
                MimeMessage message = items.next().getMail().getMessage();
                if (message != null) {
                    ByteArrayOutputStream octets = new ByteArrayOutputStream();
                    message.writeTo(octets);
                    Files.write(to.resolve(String.format("%09d", i)), octets.toByteArray());
                }
            } catch (MessagingException | IOException | RuntimeException e) {
                e.printStackTrace();
            }
        }
        items.close();
    }

    /** A factory whose queues give nothing to who would process their mail. */
    static final class HeldQueues extends ActiveMQMailQueueFactory {
        static volatile ManageableMailQueue spool;

        @Inject
        HeldQueues(
                EmbeddedActiveMQ broker,
                MailQueueItemDecoratorFactory decorators,
                MetricFactory metrics,
                GaugeRegistry gauges) {
            super(broker, decorators, metrics, gauges, new ActiveMQMetricCollectorNoop());
            setUseJMX(false);
        }

        @Override
        protected ManageableMailQueue createCacheableMailQueue(MailQueueName name) {
            ManageableMailQueue queue = super.createCacheableMailQueue(name);
            if (name.equals(MailQueueFactory.SPOOL)) {
                spool = queue;
            }
            return (ManageableMailQueue) Proxy.newProxyInstance(
                    James.class.getClassLoader(), new Class<?>[] {ManageableMailQueue.class}, (proxy, method, with) -> {
                        try {
                            return method.getName().equals("deQueue") ? Flux.never() : method.invoke(queue, with);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    static final class Queues extends AbstractModule {
        @Override
        protected void configure() {
            bind(PersistenceAdapter.class).toInstance(new KahaDBPersistenceAdapter());
            bind(EmbeddedActiveMQ.class).in(Singleton.class);
            bind(HeldQueues.class).in(Singleton.class);
        }

        @Provides
        @Singleton
        MailQueueFactory<? extends ManageableMailQueue> manageable(HeldQueues queues) {
            return queues;
        }

        @Provides
        @Singleton
        MailQueueFactory<?> any(HeldQueues queues) {
            return queues;
        }

        @Provides
        @Singleton
        MailQueueFactory<? extends MailQueue> queues(HeldQueues queues) {
            return queues;
        }
    }
}
