package org.hubmark.queue.table;

import org.hubmark.core.Coded;
import org.hubmark.core.RecipientResult;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The form of what came of each recipient, within what changes of a message.
 *
 * <p>Big-endian: number of replies (2 octets), each one's length (2) and its octets in UTF-8; number of
 * recipients (4), for each one its state (1) and the number of its reply (2). Most recipients have the
 * reply of their neighbour, so each reply stands there once.
 */
public final class RecipientResults {
    /** Longest text of all replies of a message; replies beyond it are dropped, the states stay. */
    private static final int REPLIES_CHARACTERS_MAX = 16 << 10;

    /** The object, and the reference to it. */
    private static final int RESULT_MEMORY_BYTES = 32;

    private static final int RECIPIENT_BYTES = 1 + Short.BYTES;

    private RecipientResults() {}

    /** {@return the results with some replies dropped, so that a message with many has a bound} */
    static List<RecipientResult> bounded(List<RecipientResult> results) {
        List<RecipientResult> bounded = new ArrayList<>(results.size());
        Map<String, String> replies = new LinkedHashMap<>();
        int characters = 0;
        for (RecipientResult result : results) {
            String reply = result.reply();
            String same = replies.get(reply);
            if (same == null && characters + reply.length() <= REPLIES_CHARACTERS_MAX) {
                characters += reply.length();
                replies.put(reply, reply);
                same = reply;
            }
            bounded.add(new RecipientResult(result.state(), same == null ? "" : same));
        }
        return List.copyOf(bounded);
    }

    /** {@return at least the octets that {@link #encode} puts} */
    static int bytesMax(List<RecipientResult> results) {
        int bytes = Short.BYTES + Integer.BYTES + results.size() * RECIPIENT_BYTES;
        for (String reply : numbered(results).keySet()) {
            bytes += Short.BYTES + 3 * reply.length();
        }
        return bytes;
    }

    /** {@return about how much heap results that are {@link #bounded} take} */
    static long memoryBytes(List<RecipientResult> results) {
        long characters = 0;
        for (RecipientResult result : results) {
            characters += result.reply().length();
        }
        return (long) RESULT_MEMORY_BYTES * results.size()
                + Math.min(characters, REPLIES_CHARACTERS_MAX);
    }

    static void encode(List<RecipientResult> results, ByteBuffer out) {
        Map<String, Integer> replies = numbered(results);
        out.putShort((short) replies.size());
        for (String reply : replies.keySet()) {
            byte[] octets = reply.getBytes(StandardCharsets.UTF_8);
            out.putShort((short) octets.length).put(octets);
        }
        out.putInt(results.size());
        for (RecipientResult result : results) {
            out.put((byte) result.state().code());
            out.putShort(replies.getOrDefault(result.reply(), 0).shortValue());
        }
    }

    /** Reads them; fails with an IllegalArgumentException or BufferUnderflowException. */
    static List<RecipientResult> decode(ByteBuffer in) {
        List<String> replies = new ArrayList<>();
        int replyCount = Short.toUnsignedInt(in.getShort());
        for (int i = 0; i < replyCount; i++) {
            int length = Short.toUnsignedInt(in.getShort());
            if (length > in.remaining()) {
                throw new IllegalArgumentException("a reply of " + length + " octets");
            }
            byte[] octets = new byte[length];
            in.get(octets);
            replies.add(new String(octets, StandardCharsets.UTF_8));
        }
        int recipientCount = in.getInt();
        if (recipientCount < 0 || recipientCount > in.remaining() / RECIPIENT_BYTES) {
            throw new IllegalArgumentException(recipientCount + " results");
        }
        List<RecipientResult> results = new ArrayList<>(recipientCount);
        for (int i = 0; i < recipientCount; i++) {
            RecipientResult.State state = Coded.of(RecipientResult.State.class, in.get());
            int reply = Short.toUnsignedInt(in.getShort());
            if (reply >= replies.size()) {
                throw new IllegalArgumentException("reply " + reply + " of " + replies.size());
            }
            results.add(new RecipientResult(state, replies.get(reply)));
        }
        return results;
    }

    private static Map<String, Integer> numbered(List<RecipientResult> results) {
        Map<String, Integer> replies = new LinkedHashMap<>();
        for (RecipientResult result : results) {
            replies.putIfAbsent(result.reply(), replies.size());
        }
        return replies;
    }
}
