package org.hubmark.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.hubmark.core.Receipt;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Every command is answered as RFC 5321 and the RFCs of the offered extensions say; each limit, each refusal
 * and each attack has its reply and its counter, whatever follows an attack is not executed, and nothing of
 * what is refused is kept. Method: the dialogues of dialogues.txt are held line by line, then with all lines
 * of the client in one packet, octet by octet, and in two packets for each octet between them; replies and
 * messages have to be the same.
 */
final class DialogueTest {
    private static final int OCTETS_AT_EVERY_CUT_MAX = 600;
    private static final int OCTETS_ONE_BY_ONE_MAX = 100_000;
    private static final Pattern REPEATED = Pattern.compile("\\{([^{}]*)\\*([0-9]+)}");
    private static final Pattern REPLY = Pattern.compile(
            "(220 |354 |214|250[- ]|501 a name).*|[245]\\d\\d ([245])\\.\\d\\.\\d .*");

    private static final String TRANSACTION = """
            C: HELO client.example
            S: 250 mx.example
            C: MAIL FROM:<a@b.example> $0
            S: 250 2.1.0
            C: RCPT TO:<c@d.example>
            S: 250 2.1.5
            """;

    /** Something happens, then octets are sent, and by then replies have come. */
    private record Step(String action, List<String> sent, List<String> expected) {
        Step(String action) {
            this(action, new ArrayList<>(), new ArrayList<>());
        }

        String octets() {
            return String.join("", sent);
        }
    }

    @TestFactory
    List<DynamicTest> dialogues() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        List<String> rows = List.of();
        for (String block : text().split("\n== ", -1)) {
            List<String> lines = block.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .flatMap(DialogueTest::withTransaction)
                    .toList();
            List<String> own = lines.stream()
                    .filter(line -> line.startsWith("X: "))
                    .map(line -> line.substring(3))
                    .toList();
            rows = own.equals(List.of("as above")) ? rows : own;
            for (String row : own.isEmpty() && !lines.isEmpty() ? List.of("") : rows) {
                Dialogue dialogue = new Dialogue(lines.subList(1, lines.size()), row);
                tests.add(DynamicTest.dynamicTest(lines.get(0) + " " + row, dialogue::hold));
            }
        }
        return tests;
    }

    private static String text() throws IOException {
        try (InputStream in = DialogueTest.class.getResourceAsStream("dialogues.txt")) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Stream<String> withTransaction(String line) {
        return line.startsWith("T:")
                ? TRANSACTION.replace("$0", line.substring(2).strip()).lines()
                : Stream.of(line);
    }

    /** {@return the octets that an escaped text stands for, as Latin-1} */
    static String octets(String escaped) {
        String text = escaped;
        for (Matcher matcher = REPEATED.matcher(text);
                matcher.find();
                matcher = REPEATED.matcher(text)) {
            text = matcher.replaceAll(repeated -> Matcher.quoteReplacement(
                    repeated.group(1).repeat(Integer.parseInt(repeated.group(2)))));
        }
        return text.translateEscapes();
    }

    private static final class Dialogue {
        private final Map<String, String> settings = new TreeMap<>();
        private final Map<String, String> absent = new TreeMap<>();
        private final Map<String, List<String>> outcome = new TreeMap<>();
        private final List<Step> steps = new ArrayList<>(List.of(new Step("")));

        Dialogue(List<String> lines, String row) {
            steps.getLast().expected.add("220 mx.example ESMTP Hubmark");
            String[] columns = row.split(" \\| ", -1);
            for (String line : lines) {
                String filled = line;
                for (int i = 0; i < columns.length; i++) {
                    filled = filled.replace("$" + (i + 1), columns[i]);
                }
                String kind = filled.substring(0, 2);
                String text = filled.substring(Math.min(3, filled.length()));
                switch (kind) {
                    case "C:" -> steps.getLast().sent.add(octets(text) + "\r\n");
                    case "R:" -> steps.getLast().sent.add(octets(text));
                    case "S:" ->
                        steps.getLast().expected.addAll(octets(text).lines().toList());
                    case "A:" -> steps.add(new Step(octets(text)));
                    case "W:" ->
                        settings.put(text.split(" ", 2)[0], text.replaceFirst("\\S+ ", ""));
                    case "K:" -> absent.put(text.split(" ", 2)[0], octets(text));
                    case "F:" -> outcome(kind).add(text);
                    case "M:", "V:", "E:", "N:" -> outcome(kind).add(octets(text));
                    case "X:" -> {}
                    default -> throw new IllegalArgumentException("'" + line + "' is no line");
                }
            }
        }

        private List<String> outcome(String kind) {
            return outcome.computeIfAbsent(kind, k -> new ArrayList<>());
        }

        void hold() throws ReflectiveOperationException {
            int longest = steps.stream()
                    .mapToInt(step -> step.octets().length())
                    .max()
                    .orElseThrow();
            hold("line by line", step -> step.sent);
            hold("at once", step -> List.of(step.octets()));
            if (longest <= OCTETS_ONE_BY_ONE_MAX) {
                hold("octet by octet", step -> List.of(step.octets().split("", -1)));
            }
            for (int cut = 1; cut < longest && longest <= OCTETS_AT_EVERY_CUT_MAX; cut++) {
                int at = cut;
                hold("cut at " + cut, step -> {
                    String octets = step.octets();
                    int end = Math.min(at, octets.length());
                    return List.of(octets.substring(0, end), octets.substring(end));
                });
            }
        }

        private void hold(String way, Function<Step, List<String>> reads)
                throws ReflectiveOperationException {
            MemoryIntake intake = new MemoryIntake();
            RecipientCheck check = (path, listener) -> intake.answerNowOrLater(
                    () -> listener.accept(Optional.ofNullable(absent.get(path))));
            try (Peer peer = new Peer(intake, settings, absent.isEmpty() ? null : check)) {
                peer.channel.freezeTime();
                for (Step step : steps) {
                    act(step.action, peer);
                    StringBuilder replies = new StringBuilder(peer.replies());
                    for (String read : reads.apply(step)) {
                        replies.append(read.isEmpty() ? "" : peer.send(read));
                    }
                    answers(way, step, replies.toString().lines().toList());
                }
                peer.channel.checkException();
                assertThat(peer.endings()).as(way).isEqualTo(outcome("E:").size());
                for (String ending : outcome("E:")) {
                    assertThat(peer.isOpen()).as(way).isFalse();
                    assertThat(peer.service
                                    .counters()
                                    .ended(Ending.valueOf(ending))
                                    .sum())
                            .as(way)
                            .isOne();
                }
                for (String expected : outcome("N:")) {
                    String name = expected.split(" ", 2)[0];
                    assertThat(name + " " + counter(peer.service.counters(), name))
                            .as(way)
                            .isEqualTo(expected);
                }
                messages(way, intake.messages());
            }
        }

        private static void answers(String way, Step step, List<String> lines) {
            for (int i = 0; i < Math.max(lines.size(), step.expected.size()); i++) {
                String line = i < lines.size() ? lines.get(i) : "nothing";
                String start = i < step.expected.size() ? step.expected.get(i) : "nothing";
                if (!line.startsWith(start) || !REPLY.matcher(line).matches()) {
                    fail(
                            "%s, after '%s': %s in place of %s, behind %s",
                            way, step.action, line, start, lines.subList(0, i));
                }
            }
        }

        private void messages(String way, List<MemoryIntake.Message> messages) {
            long queued = steps.stream()
                    .flatMap(step -> step.expected.stream())
                    .filter(line -> line.startsWith("250 2.0.0 queued"))
                    .count();
            assertThat(messages).as(way).hasSize((int) queued);
            Map<String, Function<MemoryIntake.Message, String>> shown = Map.of(
                    "M:", MemoryIntake.Message::text,
                    "V:", DialogueTest::envelope,
                    "F:", MemoryIntake.Message::traceField);
            shown.forEach((kind, text) -> {
                if (!outcome(kind).isEmpty()) {
                    assertThat(messages.stream().map(text))
                            .as(way)
                            .zipSatisfy(outcome(kind), (found, expected) -> {
                                if (!kind.equals("F:") || !found.matches(expected)) {
                                    assertThat(found).isEqualTo(expected);
                                }
                            });
                }
            });
        }
    }

    static long counter(SmtpCounters counters, String name) throws ReflectiveOperationException {
        Object counter = SmtpCounters.class.getField(name).get(counters);
        return ((LongAdder) Objects.requireNonNull(counter)).sum();
    }

    private static String envelope(MemoryIntake.Message message) {
        return message.envelope().reversePath() + " -> "
                + String.join(",", message.envelope().forwardPaths()) + " "
                + message.envelope().bodyType();
    }

    private static void act(String action, Peer peer) {
        String[] words = action.split(" ", 3);
        MemoryIntake intake = peer.intake;
        switch (words[0]) {
            case "" -> {}
            case "holds" -> intake.holdsAnswers = true;
            case "answers" -> intake.held.remove().run();
            case "refuses" -> intake.refusal = refused(words);
            case "refuses-content" -> intake.commitRefusal = refused(words);
            case "refuses-extents" -> intake.extentRefusal = refused(words);
            case "pauses" ->
                intake.pauseNanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[1]));
            case "passes" ->
                peer.channel.advanceTimeBy(Long.parseLong(words[1]), TimeUnit.MILLISECONDS);
            case "reads" ->
                assertThat(peer.channel.config().isAutoRead())
                        .isEqualTo(Boolean.parseBoolean(words[1]));
            case "frees" ->
                assertThat((words[1].equals("content")
                                        ? peer.service.budget()
                                        : peer.service.envelopeBudget())
                                .bytesUsed())
                        .isZero();
            case "stops" -> peer.channel.pipeline().get(Connection.class).stop();
            case "leaves" -> {
                var unused = peer.channel.close();
            }
            default -> throw new IllegalArgumentException("'" + action + "' is nothing to do");
        }
    }

    private static Receipt.Refused refused(String[] words) {
        return new Receipt.Refused(Receipt.Reason.valueOf(words[1]), words[2]);
    }
}
