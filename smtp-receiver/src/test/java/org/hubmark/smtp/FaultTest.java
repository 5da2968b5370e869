package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Whatever throws in the midst of a session: the connection ends with 421, and memory and budgets are given
 * back. Method: an intake, a policy and an allocator that throw; the end of each peer looks at the budgets.
 */
@Tag("faults")
final class FaultTest {
    private static final String FAULT = Reply.FAULT + "\n";
    private static final String LARGE = ("x".repeat(98) + "\r\n").repeat(12_000);

    @ParameterizedTest
    @ValueSource(strings = {"refusal", "pauseNanos", "nextId", "storeExtent", "enqueue"})
    void anIntakeThatThrows(String method) {
        for (String content : new String[] {
            "DATA\r\n" + LARGE + ".\r\n", "BDAT " + LARGE.length() + " LAST\r\n" + LARGE
        }) {
            try (Peer peer = new Peer()) {
                peer.send("HELO c.example\r\n");
                peer.intake.faultyMethod = method;
                String said = peer.send(Peer.TRANSACTION + content);
                assertThat(said).endsWith(FAULT).doesNotContain("queued");
                assertThat(peer.isOpen()).isFalse();
                assertThat(peer.intake.extentsKept()).isZero();
                assertThat(peer.service.budget().bytesUsed()).isZero();
            }
        }
    }

    /** The end of what came meanwhile is read by a task of the event loop. */
    @Test
    void anIntakeThatThrowsLater() throws InterruptedException {
        MemoryIntake intake = new MemoryIntake();
        intake.holdsAnswers = true;
        try (Peer peer = new Peer(intake, Map.of())) {
            peer.send(Peer.TRANSACTION + "DATA\r\n" + LARGE + ".\r\n");
            intake.faultyMethod = "enqueue";
            intake.answer();
            assertThat(peer.replies()).endsWith(FAULT);
            assertThat(peer.isOpen()).isFalse();
            assertThat(peer.service.budget().bytesUsed()).isZero();
            assertThat(peer.service.envelopeBudget().bytesUsed()).isZero();
            assertThat(intake.extentsKept()).isZero();
        }
    }

    @Test
    void aPauseThatEndsInAFault() {
        MemoryIntake intake = new MemoryIntake();
        intake.pauseNanos = 1;
        try (Peer peer = new Peer(intake, Map.of())) {
            peer.channel.freezeTime();
            peer.send("HELO c.example\r\nMAIL FROM:<a@b>\r\n");
            intake.faultyMethod = "refusal";
            peer.channel.advanceTimeBy(1, TimeUnit.SECONDS);
            assertThat(peer.replies()).endsWith(FAULT);
            assertThat(peer.isOpen()).isFalse();
        }
    }

    /** Not even the 421 can be written: the message is the intake's all the same, and what waits is not lost. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noMemoryForTheAnswer(boolean large) throws InterruptedException {
        MemoryIntake intake = new MemoryIntake();
        intake.holdsAnswers = true;
        try (Peer peer = new Peer(intake, Map.of())) {
            peer.send(Peer.TRANSACTION + "DATA\r\n" + (large ? LARGE : "x\r\n") + ".\r\n");
            peer.channel.config().setAllocator(noMemory());
            while (peer.isOpen()) {
                intake.answer();
                peer.replies();
            }
            assertThat(intake.messages()).hasSize(1);
            assertThat(peer.service.budget().bytesUsed()).isZero();
            assertThat(peer.service.envelopeBudget().bytesUsed()).isZero();
        }
    }

    /** What was read is the handler's, who has nowhere to put it. */
    @Test
    void noMemoryForTheRestOfACommand() {
        try (Peer peer = new Peer()) {
            peer.send("EHLO c.");
            peer.channel.config().setAllocator(noMemory());
            ByteBuf rest = Unpooled.copiedBuffer("example", StandardCharsets.US_ASCII);
            peer.channel.writeInbound(rest);
            assertThat(rest.refCnt()).isZero();
            assertThat(peer.isOpen()).isFalse();
        }
    }

    private static ByteBufAllocator noMemory() {
        return new AbstractByteBufAllocator(true) {
            @Override
            public boolean isDirectBufferPooled() {
                return false;
            }

            @Override
            protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
                throw new OutOfMemoryError("a test's allocator");
            }

            @Override
            protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
                throw new OutOfMemoryError("a test's allocator");
            }
        };
    }

    @Test
    void aPolicyThatThrows() {
        SmtpPolicy policy = new SmtpPolicy() {
            @Override
            public Verdict onContent(String peer, long octets) {
                throw new IllegalStateException("a test's policy");
            }
        };
        try (Peer peer = new Peer(new MemoryIntake(), Map.of(), policy)) {
            assertThat(peer.send(Peer.TRANSACTION + "DATA\r\nx\r\n.\r\n")).endsWith(FAULT);
            assertThat(peer.isOpen()).isFalse();
            assertThat(peer.intake.messages()).isEmpty();
        }
    }

    @Test
    void aCheckOfRecipientsThatThrows() {
        RecipientCheck faulty = (path, listener) -> {
            throw new IllegalStateException("a test's check");
        };
        try (Peer peer = new Peer(new MemoryIntake(), Map.of(), faulty)) {
            assertThat(peer.send(Peer.TRANSACTION + "DATA\r\n")).endsWith(FAULT);
            assertThat(peer.isOpen()).isFalse();
        }
    }
}
