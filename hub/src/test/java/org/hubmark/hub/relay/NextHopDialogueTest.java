package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Lease;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.TestStore;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.hub.delivery.NextHopSettings;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the hub sends to a next hop, and what comes of messages by its answers: the dialogues of
 * {@code next-hops.txt}. A hop says nothing before it has read what stands beside its answer.
 */
final class NextHopDialogueTest {
    @TestFactory
    Stream<DynamicTest> dialogues() throws IOException {
        String all;
        try (InputStream file = NextHopDialogueTest.class.getResourceAsStream("next-hops.txt")) {
            all = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }
        return Stream.of(all.split("(?m)^== ", -1)).skip(1).flatMap(dialogue -> {
            String[] parts = dialogue.split("\n", 2);
            String[] name = parts[0].split(": ", 2);
            return Stream.of((name.length == 1 ? "" : name[1]).split(" / ", -1))
                    .map(each -> DynamicTest.dynamicTest(
                            name[0] + " " + each, () -> run(parts[1].replace("$1", each))));
        });
    }

    private static void run(String dialogue) throws Exception {
        Map<String, String> given = new HashMap<>();
        TestAgents.Patience patience = TestAgents.Patience.LONG;
        DeliverySpec.Tls tls = DeliverySpec.Tls.OPPORTUNISTIC;
        String[] asking = {"6s", "1h", "100"};
        StringBuilder script = new StringBuilder();
        List<String> steps = new ArrayList<>();
        for (String line : dialogue.lines().toList()) {
            String[] words = line.split(" ", 2);
            switch (words[0]) {
                case "", "#" -> {}
                case "with" -> given.put(words[1].split("=", 2)[0], words[1].split("=", 2)[1]);
                case "patience" -> patience = TestAgents.Patience.valueOf(words[1]);
                case "tls" -> tls = DeliverySpec.Tls.valueOf(words[1]);
                case "asking" -> asking = words[1].split(" ", -1);
                case "deliver", "retry", "ask", "asked", "connections", "received" ->
                    steps.add(line);
                default -> script.append(line.translateEscapes()).append('\n');
            }
        }
        NextHopSettings settings = TestAgents.settings(patience, given);
        Duration kept = TestStore.time(asking[1]);
        CallAhead.Limits limits = new CallAhead.Limits(
                TestStore.time(asking[0]), kept, kept, Integer.parseInt(asking[2]), 4, 100);
        try (ScriptedHop hop = ScriptedHop.start(script.toString())) {
            NextHop address = script.indexOf("lhlo") == 0 ? hop.lmtp() : hop.smtp();
            DeliverySpec.NextHops hops = new DeliverySpec.NextHops(List.of(address), tls);
            try (NextHopAgent agent = TestAgents.agent(settings, tls, address);
                    CallAhead recipients = new CallAhead(hops, "", settings, limits)) {
                for (String step : steps) {
                    step(step.split(" ", 3), hop, agent, recipients);
                }
            }
        }
    }

    private static void step(
            String[] words, ScriptedHop hop, NextHopAgent agent, CallAhead recipients) {
        switch (words[0]) {
            case "deliver" -> deliver(agent, String.join(" ", words));
            case "retry" -> agent.retryNow();
            case "ask" -> {
                CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
                recipients.check(words[1], answer::complete);
                String said = answer.join().map(text -> "refused " + text).orElse("taken");
                assertThat("=> " + said).matches(glob(words[2]));
            }
            case "asked" ->
                assertThat(recipients.count(CallAhead.Result.valueOf(words[1])).sum())
                        .isEqualTo(Long.parseLong(words[2]));
            case "connections" ->
                assertThat(hop.connections()).isEqualTo(Integer.parseInt(words[1]));
            default -> received(hop, words[1], unquoted(words[2]));
        }
    }

    private static void received(ScriptedHop hop, String how, String text) {
        switch (how) {
            case "has" -> assertThat(hop.received()).contains(text);
            case "lacks" -> assertThat(hop.received()).doesNotContain(text);
            case "ends" -> assertThat(hop.received()).endsWith(text);
            case "once" -> assertThat(hop.received()).containsOnlyOnce(text);
            default -> throw new IllegalArgumentException(how);
        }
    }

    private static void deliver(NextHopAgent agent, String step) {
        String[] sides = step.split(" => ", 2);
        int count = 1;
        BodyType bodyType = BodyType.SEVEN_BIT;
        List<String> recipients = new ArrayList<>();
        List<String> contents = new ArrayList<>();
        Matcher word = Pattern.compile("\"[^\"]*\"|\\S+").matcher(sides[0].substring(7));
        while (word.find()) {
            String text = word.group();
            if (text.startsWith("\"")) {
                contents.add(unquoted(text));
            } else if (text.contains("@")) {
                recipients.add(text);
            } else if (Character.isDigit(text.charAt(0))) {
                count = Integer.parseInt(text);
            } else {
                bodyType = BodyType.valueOf(text);
            }
        }
        if (recipients.isEmpty()) {
            recipients.add("b@y.example");
        }
        if (contents.isEmpty()) {
            contents.addAll(Collections.nCopies(count, TestAgents.CONTENT));
        }
        List<Lease> messages = new ArrayList<>();
        for (String content : contents) {
            messages.add(TestAgents.lease(
                    messages.size() + 1,
                    bodyType,
                    "s@x.example",
                    content,
                    recipients.toArray(String[]::new)));
        }
        ListedDeliveries deliveries = ListedDeliveries.deliver(agent, messages);
        assertThat(deliveries.broken()).isEmpty();
        String outcomes = messages.stream()
                .map(message -> TestAgents.words(deliveries.outcomes().get(message.id())))
                .collect(Collectors.joining("; "));
        assertThat(outcomes).matches(glob(sides[1]));
    }

    private static String glob(String text) {
        return ("\\Q" + text + "\\E").replace("*", "\\E.*\\Q");
    }

    private static String unquoted(String text) {
        return text.substring(1, text.length() - 1).translateEscapes();
    }
}
