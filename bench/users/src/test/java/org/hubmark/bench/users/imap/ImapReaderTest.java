package org.hubmark.bench.users.imap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Proves that responses are read alike however the network cuts them, and that what is none ends in an
 * error and in nothing else.
 */
class ImapReaderTest {
    private static final String SAID = """
            * OK [CAPABILITY IMAP4rev1] hello (world
            * CAPABILITY IMAP4rev1 MOVE AUTH=PLAIN
            * 23 EXISTS
            * FLAGS (\\Seen \\Deleted $x)
            * LIST (\\HasNoChildren) "/" "a \\"b\\\\"
            * LIST () NIL {5}
            INBOX
            * 2 FETCH (UID 7 FLAGS (\\Seen) RFC822.SIZE 12 BODY[HEADER.FIELDS (TO X)]<0> {6}
            a)
            {9 ENVELOPE (NIL (("a" NIL "b" "c"))))
            * SEARCH
            + go on
            H12 NO [TRYCREATE] no such folder
            """.replace("\n", "\r\n");

    @RepeatedTest(50)
    void readsAlikeHoweverItIsCut(RepetitionInfo repetition) throws IOException {
        long seed = Long.getLong("hubmark.seed", repetition.getCurrentRepetition());
        List<ImapResponse> whole = read(new ByteArrayInputStream(bytes(SAID)));
        List<ImapResponse> torn = read(new TornStream(bytes(SAID), new SplittableRandom(seed)));
        assertThat(torn).as("seed %s", seed).isEqualTo(whole);
        assertThat(whole).hasSize(10);
        assertThat(whole.get(2)).isEqualTo(new ImapResponse("*", 23, "EXISTS", "", List.of()));
        assertThat(whole.get(4).values().get(2).text()).isEqualTo("a \"b\\");
        assertThat(whole.get(5).values().get(1)).isEqualTo(new ImapValue("", List.of()));
        Fetched fetched = Fetched.of(whole.get(6));
        assertThat(fetched.uid()).isEqualTo(7);
        assertThat(fetched.seen()).isTrue();
        assertThat(fetched.sizeBytes()).isEqualTo(12);
        assertThat(fetched.section()).isEqualTo("a)\r\n{9");
        assertThat(whole.get(8).tag()).isEqualTo(ImapResponse.CONTINUE);
        assertThat(whole.get(9).code()).isEqualTo("TRYCREATE");
    }

    @RepeatedTest(200)
    void garbageEndsInAnErrorOfTheProtocol(RepetitionInfo repetition) {
        long seed = Long.getLong("hubmark.seed", repetition.getCurrentRepetition());
        SplittableRandom random = new SplittableRandom(seed);
        byte[] spoilt = bytes(SAID);
        for (int i = random.nextInt(1, 20); i > 0; i--) {
            spoilt[random.nextInt(spoilt.length)] = (byte) random.nextInt();
        }
        assertThatThrownBy(() -> {
                    ImapReader reader = new ImapReader(new TornStream(spoilt, random));
                    while (true) {
                        reader.read();
                    }
                })
                .as("seed %s", seed)
                .isInstanceOfAny(ProtocolException.class, EOFException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "* 1 FETCH (BODY[] {999999999999}\r\n",
                "* 1 FETCH (BODY[] {12x}\r\n",
                "* 1 FETCH (UID 1\r\n",
                "* 1 FETCH UID 1)\r\n",
                "* LIST () \"/\" \"a\r\n",
                "HTTP/1.1\r\n",
                " \r\n",
                "* \r\n",
            })
    void whatIsNoResponseIsAnError(String said) {
        ImapReader reader = new ImapReader(new ByteArrayInputStream(bytes(said)));
        assertThatThrownBy(reader::read).isInstanceOf(ProtocolException.class);
    }

    @Test
    void nothingIsReadWithoutEnd() {
        for (String endless :
                new String[] {"* OK aaaaaaa", "* X ((((((((", "* X \"aaa", "* X a a "}) {
            ImapReader reader = new ImapReader(new EndlessStream(endless));
            assertThatThrownBy(reader::read).as(endless).isInstanceOf(ProtocolException.class);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static List<ImapResponse> read(InputStream in) throws IOException {
        ImapReader reader = new ImapReader(in);
        List<ImapResponse> all = new ArrayList<>();
        do {
            all.add(reader.read());
        } while (!all.getLast().tag().equals("H12"));
        return all;
    }

    /** Gives few octets at a time. */
    private static final class TornStream extends InputStream {
        private final ByteArrayInputStream whole;
        private final SplittableRandom random;

        TornStream(byte[] octets, SplittableRandom random) {
            this.whole = new ByteArrayInputStream(octets);
            this.random = random;
        }

        @Override
        public int read() {
            return whole.read();
        }

        @Override
        public int read(byte[] into, int from, int length) {
            return whole.read(into, from, Math.min(length, random.nextInt(1, 8)));
        }
    }

    /** Says a begin, and then its second half again and again. */
    private static final class EndlessStream extends InputStream {
        private final byte[] said;
        private int at;

        EndlessStream(String text) {
            this.said = bytes(text);
        }

        @Override
        public int read() {
            if (at == said.length) {
                at = said.length / 2 + 1;
            }
            return said[at++];
        }

        @Override
        public int read(byte[] into, int from, int length) {
            into[from] = (byte) read();
            return 1;
        }
    }
}
