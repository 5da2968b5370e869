package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.BodyType;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nothing leaves that another server could read as a second message, whatever the queue holds: what
 * isn't lines of text goes to nobody. Each test gives an agent content, and looks at the octets that a
 * scripted next hop has read.
 */
final class NextHopContentTest {
    /** The first message on a connection is followed by a look whether answers are in step. */
    private static final String CONFIRM = "EHLO a.example\r\n";

    private static final String MAIL = "Subject: x\r\n\r\n";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\r.\rb\r\n",
                "a\n.\nb\r\n",
                "a\n.\r\nMAIL FROM:<evil@x.example>\r\n",
                "a\r\n.\nb\r\n",
                "a\r.\r\nb\r\n",
                "a\0b\r\n",
                "ends in a bare LF\n",
                "ends in a bare CR\r"
            })
    void whatIsNotLinesIsNotSentByData(String text) throws Exception {
        String[] script = TestAgents.script(
                TestAgents.greeting("8BITMIME"),
                "MAIL",
                "250 ok",
                "RCPT",
                "250 ok",
                "DATA",
                "354 go");
        try (ScriptedHop hop = ScriptedHop.start(script, TestAgents.greeting());
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            Outcome outcome = agent.deliver(TestAgents.lease(MAIL + text, "b@y.example"));
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Outcome.Undeliverable.class,
                            never -> assertThat(never.reason())
                                    .containsPattern(": 5\\.6\\.3 the content has a (bare|NUL)"));
            assertThat(hop.received()).doesNotContain("\r\n.\r\n").doesNotContain("evil");
        }
    }

    @Test
    void declaredBinaryComesBack() throws Exception {
        try (ScriptedHop hop = ScriptedHop.start(TestAgents.greeting("CHUNKING", "BINARYMIME"));
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            Lease lease = TestAgents.lease(BodyType.BINARY_MIME, MAIL, "b@y.example");
            assertThat(agent.deliver(lease))
                    .isInstanceOfSatisfying(
                            Outcome.Undeliverable.class,
                            never -> assertThat(never.reason()).contains("5.6.3 "));
            assertThat(hop.received()).doesNotContain("MAIL");
        }
    }

    @Test
    void octetsAbove127NeedANextHopThatTakesThem() throws Exception {
        String[] dialogue = {"MAIL", "250 ok", "RCPT", "250 ok", "DATA", "354 go"};
        String[] takes =
                TestAgents.script(TestAgents.greeting("8BITMIME"), dialogue, ".", "250 taken");
        String[] doesNot = TestAgents.script(TestAgents.greeting(), dialogue);
        for (BodyType declared : new BodyType[] {BodyType.EIGHT_BIT_MIME, BodyType.SEVEN_BIT}) {
            Lease lease = TestAgents.lease(declared, MAIL + "\u00fc\r\n", "b@y.example");
            try (ScriptedHop hop = ScriptedHop.start(takes);
                    NextHopAgent agent = TestAgents.agent(hop.smtp())) {
                assertThat(agent.deliver(lease)).isEqualTo(new Outcome.Delivered());
                assertThat(hop.received().contains("BODY=8BITMIME"))
                        .isEqualTo(declared == BodyType.EIGHT_BIT_MIME);
            }
            try (ScriptedHop hop = ScriptedHop.start(doesNot, TestAgents.greeting());
                    NextHopAgent agent = TestAgents.agent(hop.smtp())) {
                assertThat(agent.deliver(lease))
                        .isInstanceOfSatisfying(
                                Outcome.Undeliverable.class,
                                never -> assertThat(never.reason())
                                        .contains(": 5.6.3 the content has an octet above 127"));
            }
        }
    }

    @Test
    void whatWasDeclaredEightBitAndIsNotGoesAnywhere() throws Exception {
        String[] script = TestAgents.script(
                TestAgents.greeting(),
                "MAIL",
                "250 ok",
                "RCPT",
                "250 ok",
                "DATA",
                "354 go",
                ".",
                "250 taken");
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            Lease lease = TestAgents.lease(BodyType.EIGHT_BIT_MIME, MAIL, "b@y.example");
            assertThat(agent.deliver(lease)).isEqualTo(new Outcome.Delivered());
            assertThat(hop.received()).doesNotContain("BODY=");
        }
    }

    /** RFC 5321 4.5.2, and 4.1.1.4 for the line without an end. */
    @Test
    void dotsAreStuffedAndALastLineIsEnded() throws Exception {
        String[] script = TestAgents.script(
                TestAgents.greeting(),
                "MAIL",
                "250 ok",
                "RCPT",
                "250 ok",
                "DATA",
                "354 go",
                ".",
                "250 taken");
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            Lease lease = TestAgents.lease(".\r\n..two\r\n.x\r\na.\r\n.no end", "b@y.example");
            assertThat(agent.deliver(lease)).isEqualTo(new Outcome.Delivered());
            assertThat(hop.received())
                    .endsWith("DATA\r\n..\r\n...two\r\n..x\r\na.\r\n..no end\r\n.\r\n");
        }
    }

    /** What is found in a later block ends the transfer there: nobody has a part of it. */
    @Test
    void aLargeMessageIsCutWhereItIsNoTextAnyMore() throws Exception {
        String[] script = TestAgents.script(
                TestAgents.greeting("CHUNKING"),
                "MAIL",
                "250 ok",
                "RCPT",
                "250 ok",
                "BDAT",
                "250 next");
        String lines = (MAIL + "x".repeat(498) + "\r\n").repeat(600);
        try (ScriptedHop hop = ScriptedHop.start(script, TestAgents.greeting("CHUNKING"));
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(agent.deliver(TestAgents.lease(lines + "a\n", "b@y.example")))
                    .isInstanceOf(Outcome.Undeliverable.class);
            assertThat(hop.received()).contains("BDAT 262144\r\n").doesNotContain("LAST");
        }
    }

    @Test
    void aLargeMessageGoesInChunks() throws Exception {
        String content = ("x".repeat(998) + "\r\n").repeat(600);
        for (String pipelining : new String[] {"PIPELINING", "X-NONE"}) {
            String[] script = TestAgents.script(
                    TestAgents.greeting("CHUNKING", pipelining),
                    "MAIL",
                    "250 ok",
                    "RCPT",
                    "250 ok",
                    "BDAT",
                    "250 one",
                    "BDAT",
                    "250 two",
                    "BDAT",
                    "250 taken");
            try (ScriptedHop hop = ScriptedHop.start(script);
                    NextHopAgent agent = TestAgents.agent(hop.smtp())) {
                assertThat(agent.deliver(TestAgents.lease(content, "b@y.example")))
                        .isEqualTo(new Outcome.Delivered());
                assertThat(hop.received().replaceAll("BDAT [0-9]+( LAST)?\r\n", ""))
                        .endsWith(content + CONFIRM);
            }
        }
    }

    @Test
    void aRefusedChunkIsTheAnswerToTheMessage() throws Exception {
        String[] script = TestAgents.script(
                TestAgents.greeting("CHUNKING"),
                "MAIL",
                "250 ok",
                "RCPT",
                "250 ok",
                "BDAT",
                "552 5.3.4 too large");
        try (ScriptedHop hop = ScriptedHop.start(script);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(agent.deliver(TestAgents.lease("x".repeat(1 << 20), "b@y.example")))
                    .isInstanceOfSatisfying(
                            Outcome.Undeliverable.class,
                            never -> assertThat(never.reason()).endsWith("552 5.3.4 too large"));
        }
    }
}
