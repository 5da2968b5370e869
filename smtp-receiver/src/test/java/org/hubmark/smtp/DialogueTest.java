package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Every command is answered as RFC 5321 and the RFCs of the offered extensions say. Method: the
 * dialogues of dialogues.txt are held line by line, then again with all lines of the client in one
 * packet, then octet by octet; the replies have to be the same.
 */
final class DialogueTest {
    private record Dialogue(String name, List<String> sent, List<String> expected) {}

    @TestFactory
    List<DynamicTest> dialogues() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Dialogue dialogue : read()) {
            tests.add(DynamicTest.dynamicTest(dialogue.name, () -> byLines(dialogue)));
            tests.add(DynamicTest.dynamicTest(
                    dialogue.name + ", at once",
                    () -> hold(dialogue, List.of(String.join("", dialogue.sent)))));
            tests.add(DynamicTest.dynamicTest(
                    dialogue.name + ", by octets",
                    () -> hold(
                            dialogue,
                            List.of(String.join("", dialogue.sent).split("(?s)(?<=.)")))));
        }
        return tests;
    }

    private static void byLines(Dialogue dialogue) {
        hold(dialogue, dialogue.sent);
    }

    private static void hold(Dialogue dialogue, List<String> reads) {
        try (Peer peer = new Peer()) {
            StringBuilder replies = new StringBuilder(peer.replies());
            for (String read : reads) {
                replies.append(peer.send(read));
            }
            List<String> lines = replies.toString().lines().toList();
            assertThat(lines).hasSameSizeAs(dialogue.expected);
            for (int i = 0; i < lines.size(); i++) {
                assertThat(lines.get(i))
                        .as("reply line %d", i + 1)
                        .startsWith(dialogue.expected.get(i));
                assertThat(lines.get(i))
                        .as("reply line %d", i + 1)
                        .matches(
                                "(220 |354 |214|250[- ]|501 a name).*|[245]\\d\\d ([245])\\.\\d\\.\\d .*");
            }
            long accepted = dialogue.expected.stream()
                    .filter(l -> l.contains("queued as"))
                    .count();
            assertThat(peer.intake.messages()).hasSize((int) accepted);
        }
    }

    private static List<Dialogue> read() throws IOException {
        List<Dialogue> dialogues = new ArrayList<>();
        try (InputStream in = DialogueTest.class.getResourceAsStream("dialogues.txt")) {
            if (in == null) {
                throw new IOException("dialogues.txt is missing");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().toList()) {
                if (line.startsWith("== ")) {
                    Dialogue next =
                            new Dialogue(line.substring(3), new ArrayList<>(), new ArrayList<>());
                    next.expected.add("220 mx.example ESMTP Hubmark");
                    dialogues.add(next);
                } else if (line.startsWith("C: ") || line.equals("C:")) {
                    dialogues
                            .get(dialogues.size() - 1)
                            .sent
                            .add(octets(line.substring(Math.min(3, line.length()))) + "\r\n");
                } else if (line.startsWith("R: ")) {
                    dialogues.get(dialogues.size() - 1).sent.add(octets(line.substring(3)));
                } else if (line.startsWith("S: ")) {
                    dialogues.get(dialogues.size() - 1).expected.add(line.substring(3));
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    throw new IOException(
                            "dialogues.txt: '" + line + "' is not a line of a dialogue");
                }
            }
        }
        assertThat(dialogues.stream().map(d -> d.name.toLowerCase(Locale.ROOT)))
                .doesNotHaveDuplicates();
        return dialogues;
    }

    private static String octets(String text) {
        return text.replace("\\r", "\r")
                .replace("\\n", "\n")
                .replace("\\0", "\0")
                .replace("\\t", "\t");
    }
}
