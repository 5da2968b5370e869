package org.hubmark.bench.durability.unsynced;

import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A message that was sent, with the times of its conversation by nanoTime of this machine.
 *
 * @param number from 1
 * @param token what its first field carries
 * @param beganNanos when MAIL was sent
 * @param askedNanos when the 354 was read
 * @param answeredNanos when the reply to its content was read
 * @param code of that reply
 * @param queueId what the server calls it; null where it doesn't say
 */
public record SentMessage(
        int number,
        long token,
        long beganNanos,
        long askedNanos,
        long answeredNanos,
        int code,
        @Nullable String queueId) {
    private static final String HEADER = "number,token,began,asked,answered,code,queue_id";

    /** {@return whether the server has taken it} */
    public boolean isAcknowledged() {
        return code / 100 == 2;
    }

    /** {@return whether it is meant by a number, a token, or what the server calls it} */
    boolean isCalled(String id) {
        return id.equals(Integer.toString(number))
                || id.equals(Long.toString(token))
                || id.equals(queueId);
    }

    /** Writes messages into a file, a line each. */
    public static void write(List<SentMessage> sent, Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        for (SentMessage one : sent) {
            lines.add(one.number + "," + one.token + "," + one.beganNanos + "," + one.askedNanos
                    + "," + one.answeredNanos + "," + one.code + ","
                    + (one.queueId == null ? "" : one.queueId));
        }
        OutputFile.write(file, String.join("\n", lines) + "\n");
    }

    /** {@return what such a file holds} */
    public static List<SentMessage> read(Path file) throws IOException {
        List<SentMessage> sent = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.equals(HEADER)) {
                // The last value may hold commas.
                String[] values = line.split(",", 7);
                sent.add(new SentMessage(
                        Integer.parseInt(values[0]),
                        Long.parseLong(values[1]),
                        Long.parseLong(values[2]),
                        Long.parseLong(values[3]),
                        Long.parseLong(values[4]),
                        Integer.parseInt(values[5]),
                        values[6].isEmpty() ? null : values[6]));
            }
        }
        return sent;
    }
}
