package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.BodyType;
import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Lease;
import org.hubmark.hub.LogLines;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.TestCertificate;
import org.hubmark.hub.TestStore;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.hub.delivery.NextHopSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the hub sends to next hops, and what comes of messages by their answers: the dialogues of
 * {@code next-hops.txt}. A hop says nothing before it has read what stands beside its answer.
 */
final class NextHopDialogueTest {
    private static final Pattern REPEATED = Pattern.compile("\\{([^{}*]*)\\*([0-9]+)}");
    private static final Pattern RULE =
            Pattern.compile("answer (.*?)(?: over ([0-9]+))?(?: after ([0-9]+))? \\| (.*)");
    private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|\\S+");

    /** A content whose reading fails. */
    private static final String UNREADABLE = "unreadable";

    private static final Set<String> STEPS = Set.of(
            ("answer takes refuses deliver each retry leave ask asked connections answered hop"
                            + " transactions log left received")
                    .split(" ", -1));

    @TempDir
    private static Path folder;

    @TestFactory
    Stream<DynamicTest> dialogues() throws Exception {
        String all;
        try (InputStream file = NextHopDialogueTest.class.getResourceAsStream("next-hops.txt")) {
            all = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }
        TestCertificate certificate = TestCertificate.in(folder);
        return Stream.of(all.split("(?m)^== ", -1)).skip(1).flatMap(dialogue -> {
            String[] parts = dialogue.split("\n", 2);
            String[] name = parts[0].split(": ", 2);
            return Stream.of((name.length == 1 ? "" : name[1]).split(" / ", -1))
                    .map(each -> DynamicTest.dynamicTest(
                            name[0] + " " + each,
                            () -> run(parts[1].replace("$1", each), certificate)));
        });
    }

    private static void run(String text, TestCertificate certificate) throws Exception {
        try (Dialogue dialogue = new Dialogue()) {
            dialogue.run(text, certificate);
        }
    }

    /** A next hop of a dialogue; what it does not know is nothing. */
    private record Hop(
            NextHop address,
            Supplier<String> received,
            IntSupplier connections,
            Supplier<List<List<String>>> taken,
            AutoCloseable end) {}

    /** What the first open hop answers instead of the usual. */
    private record Rule(String command, int over, int after, String reply) {}

    private static final class Dialogue implements AutoCloseable {
        private final Map<String, String> given = new HashMap<>();
        private final List<Hop> hops = new ArrayList<>();
        private final LogLines log = new LogLines(NextHopTrouble.class);
        private final AtomicInteger answered = new AtomicInteger();
        private TestAgents.Patience patience = TestAgents.Patience.LONG;
        private DeliverySpec.Tls tls = DeliverySpec.Tls.OPPORTUNISTIC;
        private Optional<Duration> age = Optional.empty();
        private String host = "127.0.0.1";
        private String[] asking = {"6s", "1h", "100"};
        private volatile Rule rule = new Rule("", 0, 0, "");
        private volatile boolean refuses = true;
        private @Nullable DeliveryAgent agent;
        private @Nullable CallAhead recipients;
        private int hop;
        private int takenBefore;

        private void run(String dialogue, TestCertificate certificate) throws Exception {
            StringBuilder script = new StringBuilder();
            List<String> steps = new ArrayList<>();
            for (String line : dialogue.lines().toList()) {
                String[] words = line.split(" ", 2);
                switch (words[0]) {
                    case "", "#" -> {}
                    case "with" -> given.put(words[1].split("=", 2)[0], words[1].split("=", 2)[1]);
                    case "trusted" -> given.put("delivery.tls-trust", "" + certificate.file());
                    case "patience" -> patience = TestAgents.Patience.valueOf(words[1]);
                    case "tls" -> tls = DeliverySpec.Tls.valueOf(words[1]);
                    case "age" -> age = Optional.of(TestStore.time(words[1]));
                    case "host" -> host = words[1];
                    case "asking" -> asking = words[1].split(" ", -1);
                    default -> {
                        if (STEPS.contains(words[0])) {
                            steps.add(line);
                        } else {
                            script.append(repeated(line.translateEscapes())).append('\n');
                        }
                    }
                }
            }
            for (String one : script.toString().split("(?m)^===\n", -1)) {
                hops.add(hop(one, certificate));
            }
            NextHop[] addresses = hops.stream().map(Hop::address).toArray(NextHop[]::new);
            NextHopSettings settings =
                    age.map(TestAgents::aged).orElseGet(() -> TestAgents.settings(patience, given));
            Duration kept = TestStore.time(asking[1]);
            agent = TestAgents.agent(settings, tls, addresses);
            recipients = new CallAhead(
                    new DeliverySpec.NextHops(List.of(addresses), tls),
                    "",
                    settings,
                    new CallAhead.Limits(
                            TestStore.time(asking[0]),
                            kept,
                            kept,
                            Integer.parseInt(asking[2]),
                            4,
                            100));
            for (String step : steps) {
                step(agent, recipients, step, step.split(" ", 3));
            }
        }

        private Hop hop(String script, TestCertificate certificate) throws Exception {
            if (script.matches("(absent|unknown)\n")) {
                // Bound, so that nobody else gets the port, and not listening.
                Socket bound = new Socket();
                bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                NextHop address = script.startsWith("absent")
                        ? smtp(bound.getLocalPort())
                        : new NextHop(NextHop.Protocol.SMTP, "[", 25);
                return new Hop(address, () -> "", () -> 0, List::of, bound);
            }
            if (script.startsWith("open")) {
                boolean isFirst = hops.isEmpty();
                OpenHop open = new OpenHop(
                        List.of(script.substring(5).strip().split(", ", -1)),
                        (command, accepted, carried) ->
                                isFirst ? answer(command, accepted, carried) : null);
                return new Hop(
                        smtp(open.smtp().port()),
                        () -> String.join("\r\n", open.commands()),
                        () -> 0,
                        open::taken,
                        open);
            }
            ScriptedHop scripted = ScriptedHop.start(certificate.context(), script);
            return new Hop(
                    script.startsWith("lhlo")
                            ? scripted.lmtp()
                            : smtp(scripted.smtp().port()),
                    scripted::received,
                    scripted::connections,
                    List::of,
                    scripted);
        }

        private NextHop smtp(int port) {
            return new NextHop(NextHop.Protocol.SMTP, host, port);
        }

        private @Nullable String answer(String command, int accepted, int carried) {
            Rule now = rule;
            int reached = accepted + (now.command.equals("RCPT") ? 1 : 0);
            if (!refuses
                    || now.reply.isEmpty()
                    || !command.startsWith(now.command)
                    || reached <= now.over
                    || carried < now.after) {
                return null;
            }
            answered.incrementAndGet();
            return now.reply;
        }

        private void step(DeliveryAgent agent, CallAhead recipients, String step, String... words) {
            switch (words[0]) {
                case "answer" -> {
                    Matcher said = RULE.matcher(step);
                    assertThat(said.matches()).isTrue();
                    rule = new Rule(
                            said.group(1),
                            said.group(2) == null ? -1 : Integer.parseInt(said.group(2)),
                            said.group(3) == null ? 0 : Integer.parseInt(said.group(3)),
                            repeated(said.group(4)).replace(", ", "\r\n"));
                    refuses = true;
                }
                case "takes", "refuses" -> refuses = step.equals("refuses");
                case "deliver" -> deliver(agent, step);
                case "each" -> each(agent, words[1], words[2].substring(3));
                case "retry" -> agent.retryNow();
                case "leave" -> agent.close();
                case "ask" -> {
                    CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
                    recipients.check(words[1], answer::complete);
                    String said = answer.join().map(text -> "refused " + text).orElse("taken");
                    assertThat("=> " + said).matches(glob(words[2]));
                }
                case "asked" ->
                    assertThat(recipients
                                    .count(CallAhead.Result.valueOf(words[1]))
                                    .sum())
                            .isEqualTo(Long.parseLong(words[2]));
                case "connections" ->
                    assertThat(hops.get(hop).connections().getAsInt())
                            .isEqualTo(Integer.parseInt(words[1]));
                case "answered" -> assertThat(answered).hasValue(Integer.parseInt(words[1]));
                case "hop" -> hop = Integer.parseInt(words[1]) - 1;
                case "transactions" -> transactions(words[1], words[2]);
                case "log" -> {
                    assertThat(log.lines()).hasSize(Integer.parseInt(words[1]));
                    assertThat(log.lines().getFirst()).matches(glob(words[2]));
                }
                case "left" ->
                    await().until(() -> ((ScriptedHop) hops.get(hop).end()).wasLeftCleanly());
                default -> received(words[1], repeated(unquoted(words[2])));
            }
        }

        /** Each recipient got it in one of so many transactions since the last look. */
        private void transactions(String count, String recipients) {
            List<List<String>> all = hops.get(hop).taken().get();
            List<List<String>> taken = all.subList(takenBefore, all.size());
            takenBefore = all.size();
            assertThat(taken).hasSize(Integer.parseInt(count));
            assertThat(taken.stream().flatMap(List::stream))
                    .containsExactlyInAnyOrderElementsOf(recipients(repeated(recipients)));
        }

        private void received(String how, String text) {
            Supplier<String> received = hops.get(hop).received();
            switch (how) {
                case "has" -> assertThat(received.get()).contains(text);
                case "soon" -> await().until(() -> received.get().contains(text));
                case "lacks" -> assertThat(received.get()).doesNotContain(text);
                case "ends" -> assertThat(received.get()).endsWith(text);
                case "chunks" ->
                    assertThat(received.get().replaceAll("BDAT [0-9]+( LAST)?\r\n", ""))
                            .endsWith(text);
                case "once" -> assertThat(received.get()).containsOnlyOnce(text);
                default ->
                    assertThat(received.get().split(Pattern.quote(text), -1))
                            .hasSize(1 + Integer.parseInt(how));
            }
        }

        /** One message after the other, of these senders to these recipients. */
        private void each(DeliveryAgent agent, String numbers, String expected) {
            String[] sides = numbers.split(":", -1);
            List<String> senders = numbers(sides[0]);
            List<String> recipients = numbers(sides[sides.length - 1]);
            for (int i = 0; i < Math.max(senders.size(), recipients.size()); i++) {
                String sender = senders.get(Math.min(i, senders.size() - 1));
                String recipient = recipients.get(Math.min(i, recipients.size() - 1));
                assertThat(TestAgents.words(agent.deliver(TestAgents.lease(
                                1000L * Integer.parseInt(sender) + Integer.parseInt(recipient),
                                BodyType.SEVEN_BIT,
                                "s" + sender + "@x.example",
                                TestAgents.CONTENT,
                                "r" + recipient + "@y.example"))))
                        .matches(glob(expected));
            }
        }

        private void deliver(DeliveryAgent agent, String step) {
            String[] sides = step.split(" => ", 2);
            int count = 1;
            BodyType bodyType = BodyType.SEVEN_BIT;
            List<String> recipients = new ArrayList<>();
            List<String> contents = new ArrayList<>();
            Matcher word = WORD.matcher(sides[0].substring(7));
            while (word.find()) {
                String text = word.group();
                if (text.startsWith("\"")) {
                    contents.add(repeated(unquoted(text)));
                } else if (text.equals(UNREADABLE)) {
                    contents.add(text);
                } else if (text.contains("@")) {
                    recipients.addAll(recipients(text));
                } else if (Character.isDigit(text.charAt(0))) {
                    count = Integer.parseInt(text);
                } else {
                    bodyType = BodyType.valueOf(text);
                }
            }
            if (contents.isEmpty()) {
                contents.addAll(Collections.nCopies(count, TestAgents.CONTENT));
            }
            List<Lease> messages = new ArrayList<>();
            for (String content : contents) {
                Lease message = TestAgents.lease(
                        messages.size() + 1,
                        bodyType,
                        "s@x.example",
                        content,
                        recipients.isEmpty()
                                ? new String[] {"b@y.example"}
                                : recipients.toArray(String[]::new));
                messages.add(content.equals(UNREADABLE) ? TestAgents.unreadable(message) : message);
            }
            ListedDeliveries deliveries = ListedDeliveries.deliver(agent, messages);
            assertThat(messages.stream().map(deliveries::words).collect(Collectors.joining("; ")))
                    .matches(glob(repeated(sides[1])));
        }

        private String glob(String text) {
            return ("\\Q" + text.replace("REPLY", rule.reply) + "\\E").replace("*", "\\E.*\\Q");
        }

        @Override
        public void close() throws Exception {
            if (agent != null) {
                agent.close();
            }
            if (recipients != null) {
                recipients.close();
            }
            for (Hop one : hops) {
                one.end().close();
            }
            log.close();
        }
    }

    /** {@return paths as written, or r0@y.example and so on for a number before the at sign} */
    private static List<String> recipients(String text) {
        if (text.contains(" ")) {
            return List.of(text.strip().split(" ", -1));
        }
        return text.matches("[0-9].*")
                ? IntStream.range(0, Integer.parseInt(text.split("@", 2)[0]))
                        .mapToObj(i -> "r" + i + "@y.example")
                        .toList()
                : List.of(text);
    }

    private static List<String> numbers(String range) {
        String[] ends = range.split("-", -1);
        return IntStream.rangeClosed(
                        Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                .mapToObj(Integer::toString)
                .toList();
    }

    private static String repeated(String text) {
        String before = "";
        String after = text;
        while (!after.equals(before)) {
            before = after;
            after = REPEATED.matcher(before)
                    .replaceAll(found -> Matcher.quoteReplacement(
                            found.group(1).repeat(Integer.parseInt(found.group(2)))));
        }
        return after;
    }

    private static String unquoted(String text) {
        return text.substring(1, text.length() - 1).translateEscapes();
    }
}
