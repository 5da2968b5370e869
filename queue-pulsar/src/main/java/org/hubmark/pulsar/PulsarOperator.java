package org.hubmark.pulsar;

import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.RecipientResult;
import org.hubmark.queue.OperatorAction;
import org.hubmark.queue.OperatorResult;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Does what an operator asks for dead letters and for what was set aside. It takes the messages of
 * their topic as a hub takes mail, so that two operators don't do it twice; what it does nothing with
 * goes back. No hub takes from this topic. One thread.
 */
final class PulsarOperator {
    /** Nothing for so long means that another one has what is left, or that there is nothing. */
    private static final Duration QUIET_MAX = Duration.ofSeconds(5);

    private final PulsarAddress address;
    private final PulsarSettings settings;

    PulsarOperator(PulsarAddress address, PulsarSettings settings) {
        this.address = address;
        this.settings = settings;
    }

    /** {@return what became of each} Those of the topic of mail are left as they are. */
    Map<QueueId, OperatorResult> operate(OperatorAction action, Collection<QueueId> ids)
            throws IOException {
        if (action == OperatorAction.DEAD_LETTER) {
            throw new IOException(
                    "mail in a cluster can't be made a dead letter by hand, since a hub may be"
                            + " delivering it; only dead letters and messages that were set aside"
                            + " can be changed");
        }
        Map<QueueId, OperatorResult> results = new LinkedHashMap<>();
        Set<QueueId> wanted = new HashSet<>(ids);
        // Opened first: it says what is missing before anything is changed.
        try (PulsarView view = PulsarView.open(address, settings)) {
            change(action, wanted, results);
            if (!results.keySet().containsAll(wanted)) {
                view.forEach(message -> {
                    if (wanted.contains(message.id())) {
                        results.putIfAbsent(message.id(), OperatorResult.UNFIT);
                    }
                });
            }
        }
        ids.forEach(id -> results.putIfAbsent(id, OperatorResult.ABSENT));
        return results;
    }

    private void change(
            OperatorAction action, Set<QueueId> wanted, Map<QueueId, OperatorResult> results)
            throws IOException {
        try (PulsarClient client = PulsarTopics.client(address, settings);
                Consumer<byte[]> dead =
                        PulsarTopics.subscribe(client, address.topic(PulsarTopics.DEAD), settings);
                Producer<byte[]> mail =
                        PulsarTopics.producer(client, address.topic(PulsarTopics.MAIL), settings)) {
            MessageIdAdv last = (MessageIdAdv) dead.getLastMessageIds().getFirst();
            dead.resume();
            while (!results.keySet().containsAll(wanted)) {
                Message<byte[]> message =
                        dead.receive((int) QUIET_MAX.toMillis(), TimeUnit.MILLISECONDS);
                if (message == null) {
                    return;
                }
                change(action, message, dead, mail, wanted, results);
                if (message.getMessageId().compareTo(last) >= 0) {
                    return;
                }
            }
        } catch (PulsarClientException e) {
            throw new IOException(
                    "the queue " + address + " can't be changed: " + PulsarTopics.words(e), e);
        }
    }

    private static void change(
            OperatorAction action,
            Message<byte[]> message,
            Consumer<byte[]> dead,
            Producer<byte[]> mail,
            Set<QueueId> wanted,
            Map<QueueId, OperatorResult> results)
            throws PulsarClientException {
        StoredMessage.Parsed parsed;
        try {
            parsed = StoredMessage.parse(message.getData());
        } catch (StoredMessage.UnreadableException e) {
            // It has no id by which it could be asked for.
            return;
        }
        QueueId id = parsed.message().id();
        if (!wanted.contains(id)) {
            return;
        }
        QueuedMessage.State state = PulsarView.queued(message, parsed).state();
        boolean fit = switch (action) {
            case RETRY -> state == QueuedMessage.State.DEAD;
            case RELEASE -> state == QueuedMessage.State.DAMAGED;
            case DELETE -> true;
            case DEAD_LETTER -> false;
        };
        if (!fit) {
            results.putIfAbsent(id, OperatorResult.UNFIT);
            return;
        }
        if (action != OperatorAction.DELETE) {
            var unused = mail.send(anew(message, parsed, state));
        }
        dead.acknowledge(message);
        results.put(id, OperatorResult.DONE);
    }

    /** A dead letter is tried for those too who had refused it. */
    private static byte[] anew(
            Message<byte[]> message, StoredMessage.Parsed parsed, QueuedMessage.State state) {
        StoredMessage before = parsed.message();
        List<RecipientResult> results = state == QueuedMessage.State.DEAD
                ? before.results().stream()
                        .map(result -> result.state() == RecipientResult.State.FAILED
                                ? RecipientResult.pending(result.reply())
                                : result)
                        .toList()
                : before.results();
        byte[] octets = message.getData();
        return new StoredMessage(before.id(), before.envelope(), before.attempts(), results)
                .with(octets, parsed.contentOffset());
    }
}
