package org.hubmark.bench.users.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Proves that what others do waits for the thread of a connection to wait for its client, and comes in order. */
@Timeout(30)
final class TurnTest {
    private final List<String> done = new ArrayList<>();

    @Test
    void whatOthersDoWaitsUntilTheOwnerWaits() throws Exception {
        Turn turn = new Turn();
        PipedOutputStream client = new PipedOutputStream();
        InputStream in = turn.reading(new PipedInputStream(client));
        byte[] octets = new byte[8];
        Thread first = Thread.ofPlatform().start(() -> {
            turn.take(() -> done.add("other"));
            turn.take(() -> done.add("and another"));
        });
        first.join();
        assertThat(done).as("while the owner works").isEmpty();
        turn.take(() -> done.add("own"));
        assertThat(done).containsExactly("own");

        CountDownLatch waits = new CountDownLatch(1);
        Thread second = Thread.ofPlatform().start(() -> {
            turn.take(waits::countDown);
            try {
                waits.await();
                turn.take(() -> {
                    done.add("at once");
                    say(client);
                });
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(in.read(octets, 0, octets.length)).isEqualTo(1);
        second.join();
        assertThat(done).containsExactly("own", "other", "and another", "at once");
    }

    private static void say(PipedOutputStream client) {
        try {
            client.write('x');
            client.flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
