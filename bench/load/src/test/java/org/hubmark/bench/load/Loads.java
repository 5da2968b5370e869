package org.hubmark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;

/** Loads from a@x to b@x, as tests of this module make them. */
final class Loads {
    /** Time after which a test has failed, whatever it waits for. */
    static final Duration WAIT = Duration.ofSeconds(60);

    /** What a server announces that has all extensions. */
    static final TargetProbe.Announced ALL =
            new TargetProbe.Announced("", true, true, true, 0L, null, null);

    private Loads() {}

    /** Something done with a driver that has begun. */
    @FunctionalInterface
    interface Use<T> {
        T of(LoadDriver driver) throws Exception;
    }

    /** {@return a load of one recipient by DATA, in a closed loop where it has no rate; 0 messages: no limit} */
    static LoadPlan plan(
            InetSocketAddress target, int connections, @Nullable Double rate, long messages) {
        return LoadPlan.of(target, connections, pace(rate), Transfer.DATA, "a@x", "b@x")
                .limited(connections, messages)
                .on(2);
    }

    private static Pace pace(@Nullable Double rate) {
        return rate == null ? new Pace.ClosedLoop() : new Pace.OpenLoop(rate, Arrivals.FIXED, 1);
    }

    /** {@return a plan of another dialogue} */
    static LoadPlan plan(
            InetSocketAddress target,
            int connections,
            long perConnection,
            long messages,
            LoadPlan.Dialogue dialogue,
            int recipients) {
        return new LoadPlan(
                target,
                connections,
                2,
                new Pace.ClosedLoop(),
                perConnection,
                messages,
                dialogue,
                new LoadPlan.Addresses("a@x", "b@x", recipients));
    }

    /** {@return generated messages of so many octets} */
    static MessageSet messages(int octets, LoadPlan plan, TargetProbe.Announced announced) {
        return MessageSet.generate(
                octets, new MessageGenerator(1, Instant.EPOCH, "a@x", "b@x"), plan, announced);
    }

    /** {@return what is found while messages of so many octets are sent} */
    static <T> T run(LoadPlan plan, int octets, Use<T> use) throws Exception {
        TargetProbe.Announced announced = TargetProbe.ask(plan);
        try (MessageSet messages = messages(octets, plan, announced);
                LoadDriver driver = LoadDriver.start(plan, messages, announced)) {
            driver.begin();
            return use.of(driver);
        }
    }

    /** {@return the same when all is sent and answered} */
    static <T> T whole(LoadPlan plan, int octets, Use<T> use) throws Exception {
        return run(plan, octets, driver -> {
            assertThat(driver.awaitFinished(WAIT)).isTrue();
            return use.of(driver);
        });
    }

    /** {@return what a driver would send as the content of one message, as it travels} */
    static byte[] wire(MessageSet messages, long number) {
        WireMessage message = messages.get(number);
        ByteBuf head = message.head(UnpooledByteBufAllocator.DEFAULT, number);
        CompositeByteBuf all = Unpooled.compositeBuffer();
        Stream.of(head, message.cut(messages.random(number)), message.tail())
                .filter(Objects::nonNull)
                .forEach(part -> all.addComponent(true, part));
        byte[] octets = new byte[all.readableBytes()];
        all.readBytes(octets).release();
        return octets;
    }
}
