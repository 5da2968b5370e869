package org.hubmark.bench.durability.unsynced;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Proves which messages the judge takes for synced, by records of files that are made as a server would
 * make them, call by call. Each test has one message, unless it says otherwise.
 */
class UnsyncedJudgeTest {
    private static final int FOLDER_MODE = RecordedFiles.FOLDER | 0755;
    private static final int FILE_MODE = RecordedFiles.FILE | 0600;
    private static final long TOKEN = 1_000_000_000_001L;
    private static final byte[] CONTENT = content(TOKEN, 40);

    @TempDir
    private Path folder;

    private Path file;
    private FileRecord record;
    private RecordedFiles files;
    private RecordedFiles.Node spool;
    private long beganNanos;

    @BeforeEach
    void beginAMessage() throws Exception {
        file = folder.resolve("files.bin");
        record = new FileRecord(file);
        files = new RecordedFiles(record);
        spool = files.make(FileEvent.ROOT, "spool", FOLDER_MODE, 0, 0, 0);
        flush(FileEvent.ROOT, FileEvent.Call.FSYNC_FOLDER);
        beganNanos = System.nanoTime();
    }

    @Test
    void octetsAndNameThatWereFlushedAreSynced() throws Exception {
        RecordedFiles.Node node = make("1");
        files.write(node, 0, CONTENT);
        flush(node.id, FileEvent.Call.FDATASYNC);
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        Judged judged = judge();
        assertThat(judged.state()).isEqualTo(Judged.State.SYNCED);
        assertThat(judged.files()).containsExactly("spool/1");
    }

    @Test
    void whatIsWrittenDuringAFlushIsNotCoveredByIt() throws Exception {
        RecordedFiles.Node node = make("1");
        files.write(node, 0, Arrays.copyOf(CONTENT, 1000));
        int flush = files.flush(node.id, FileEvent.Call.FSYNC, 0, Long.MAX_VALUE);
        files.write(node, 1000, Arrays.copyOfRange(CONTENT, 1000, CONTENT.length));
        files.flushed(flush);
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        Judged judged = judge();
        assertThat(judged.state()).isEqualTo(Judged.State.OCTETS_UNSYNCED);
        assertThat(judged.reason()).contains("written to spool/1 and not flushed before the 250");
    }

    @Test
    void aFlushThatIsNotDoneAtThe250CoversNothing() throws Exception {
        RecordedFiles.Node node = make("1");
        files.write(node, 0, CONTENT);
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        int flush = files.flush(node.id, FileEvent.Call.FSYNC, 0, Long.MAX_VALUE);
        SentMessage sent = answered();
        files.flushed(flush);
        assertThat(judge(sent).state()).isEqualTo(Judged.State.OCTETS_UNSYNCED);
    }

    @Test
    void aPageThatIsWrittenAgainWithTheSameOctetsStaysSynced() throws Exception {
        RecordedFiles.Node node = make("log");
        byte[] page = Arrays.copyOf(CONTENT, 4096);
        files.write(node, 0, page);
        flush(node.id, FileEvent.Call.FDATASYNC);
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        page[4090] = 'x';
        files.write(node, 0, page);
        assertThat(judge().state()).isEqualTo(Judged.State.SYNCED);
    }

    @Test
    void aPlaceThatIsUsedForOthersHoldsNothingMore() throws Exception {
        RecordedFiles.Node node = make("log");
        files.write(node, 0, CONTENT);
        flush(node.id, FileEvent.Call.FDATASYNC);
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        files.write(node, 0, content(7, 40));
        assertThat(judge().state()).isEqualTo(Judged.State.UNKNOWN);
    }

    @Test
    void linesInRecordsAndPagesWithHeadersAreFound() throws Exception {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (String line : new String(CONTENT, StandardCharsets.US_ASCII).split("\r\n", -1)) {
            records.writeBytes(
                    ("N" + (char) line.length() + line).getBytes(StandardCharsets.ISO_8859_1));
        }
        byte[] all = records.toByteArray();
        RecordedFiles.Node node = make("database");
        for (int from = 0, page = 0; from < all.length; from += 1000, page++) {
            byte[] part = Arrays.copyOfRange(all, from, Math.min(all.length, from + 1000));
            files.write(
                    node,
                    page * 1024L,
                    "page header of 24 octets".getBytes(StandardCharsets.US_ASCII));
            files.write(node, page * 1024L + 24, part);
        }
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        int begun = files.flush(node.id, FileEvent.Call.FSYNC, 0, Long.MAX_VALUE);
        SentMessage early = answered();
        files.flushed(begun);
        SentMessage late = answered();
        record.close();
        assertThat(judgeAll(early).getFirst().state()).isEqualTo(Judged.State.OCTETS_UNSYNCED);
        assertThat(judgeAll(late).getFirst().state()).isEqualTo(Judged.State.SYNCED);
    }

    @Test
    void writesOfAFewOctetsAreFoundWhoeverIsAnsweredMeanwhile() throws Exception {
        RecordedFiles.Node node = make("1");
        long other = TOKEN + 1;
        SentMessage[] others = new SentMessage[CONTENT.length / 7 + 1];
        for (int from = 0, i = 0; from < CONTENT.length; from += 7, i++) {
            byte[] part = Arrays.copyOfRange(CONTENT, from, Math.min(CONTENT.length, from + 7));
            files.write(node, from, part);
            others[i] = new SentMessage(
                    i + 2, other + i, beganNanos, beganNanos, System.nanoTime(), 250, null);
        }
        flush(node.id, FileEvent.Call.FSYNC);
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        SentMessage sent = answered();
        record.close();
        SentMessage[] all = Arrays.copyOf(others, others.length + 1);
        all[others.length] = sent;
        assertThat(judgeAll(all).getLast().state()).isEqualTo(Judged.State.SYNCED);
    }

    @Test
    void aSyncedWriteCoversWhatItWrites() throws Exception {
        RecordedFiles.Node node = make("1");
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        byte[] first = Arrays.copyOf(CONTENT, 1000);
        byte[] rest = Arrays.copyOfRange(CONTENT, 1000, CONTENT.length);
        files.write(node, 0, first);
        files.write(node, 1000, rest);
        files.flushed(files.flush(node.id, FileEvent.Call.SYNCED_WRITE, 1000, 1000 + rest.length));
        SentMessage half = answered();
        files.flushed(files.flush(node.id, FileEvent.Call.SYNCED_WRITE, 0, 1000));
        SentMessage whole = answered();
        record.close();
        assertThat(judgeAll(half).getFirst().state()).isEqualTo(Judged.State.OCTETS_UNSYNCED);
        assertThat(judgeAll(whole).getFirst().state()).isEqualTo(Judged.State.SYNCED);
    }

    @Test
    void partsInTwoFilesHaveToBeFlushedBoth() throws Exception {
        int body = CONTENT.length - 40 * 78;
        RecordedFiles.Node header = make("1-H");
        RecordedFiles.Node data = make("1-D");
        files.write(header, 0, Arrays.copyOf(CONTENT, body));
        files.write(data, 19, Arrays.copyOfRange(CONTENT, body, CONTENT.length));
        flush(data.id, FileEvent.Call.FSYNC);
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        SentMessage half = answered();
        flush(header.id, FileEvent.Call.FSYNC);
        SentMessage whole = answered();
        record.close();
        assertThat(judgeAll(half).getFirst().state()).isEqualTo(Judged.State.OCTETS_UNSYNCED);
        assertThat(judgeAll(whole).getFirst().state()).isEqualTo(Judged.State.SYNCED);
    }

    @Test
    void aNameNeedsAFlushOfEachFolderAboveIt() throws Exception {
        RecordedFiles.Node day = files.make(spool.id, "today", FOLDER_MODE, 0, 0, 0);
        RecordedFiles.Node node = files.make(day.id, "1", FILE_MODE, 0, 0, 0);
        files.write(node, 0, CONTENT);
        flush(node.id, FileEvent.Call.FSYNC);
        flush(day.id, FileEvent.Call.FSYNC_FOLDER);
        SentMessage half = answered();
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        SentMessage whole = answered();
        record.close();
        Judged judged = judgeAll(half).getFirst();
        assertThat(judged.state()).isEqualTo(Judged.State.NAME_UNSYNCED);
        assertThat(judged.isKeptByJournal()).isTrue();
        assertThat(judged.reason()).contains("no fsync of the folder spool between");
        assertThat(judgeAll(whole).getFirst().state()).isEqualTo(Judged.State.SYNCED);
    }

    @Test
    void aNameThatIsGivenAfterTheLastFlushIsKeptByNothing() throws Exception {
        RecordedFiles.Node node = make("new");
        files.write(node, 0, CONTENT);
        flush(node.id, FileEvent.Call.FSYNC);
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        files.rename(spool.id, "new", spool.id, "1", false, false);
        Judged judged = judge();
        assertThat(judged.state()).isEqualTo(Judged.State.NAME_UNSYNCED);
        assertThat(judged.isKeptByJournal()).isFalse();
    }

    /** As Exim does, whose folders of the queue are made for the first message. */
    @Test
    void aFlushOfAFolderKeepsWhatLeadsToItInAJournal() throws Exception {
        RecordedFiles.Node input = files.make(spool.id, "input", FOLDER_MODE, 0, 0, 0);
        RecordedFiles.Node node = files.make(input.id, "new", FILE_MODE, 0, 0, 0);
        files.write(node, 0, CONTENT);
        flush(node.id, FileEvent.Call.FSYNC);
        files.rename(input.id, "new", input.id, "1", false, false);
        SentMessage early = answered();
        flush(input.id, FileEvent.Call.FSYNC_FOLDER);
        SentMessage late = answered();
        record.close();
        assertThat(judgeAll(early).getFirst().isKeptByJournal()).isFalse();
        Judged judged = judgeAll(late).getFirst();
        assertThat(judged.state()).isEqualTo(Judged.State.NAME_UNSYNCED);
        assertThat(judged.isKeptByJournal()).isTrue();
        assertThat(judged.reason())
                .contains("no fsync of the folder spool between")
                .contains("a folder on the way was flushed after it was given");
    }

    @Test
    void oneOfTwoNamesIsEnough() throws Exception {
        RecordedFiles.Node node = make("1");
        files.write(node, 0, CONTENT);
        flush(node.id, FileEvent.Call.FSYNC);
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        files.link(node.id, spool.id, "2");
        assertThat(judge().state()).isEqualTo(Judged.State.SYNCED);
    }

    @Test
    void aFileWithoutANameLeadsNowhere() throws Exception {
        RecordedFiles.Node node = make("1");
        node.open++;
        files.write(node, 0, CONTENT);
        flush(node.id, FileEvent.Call.FSYNC);
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        files.remove(spool.id, "1", false);
        Judged judged = judge();
        assertThat(judged.state()).isEqualTo(Judged.State.NAME_UNSYNCED);
        assertThat(judged.reason()).contains("a file that has no name");
    }

    @Test
    void whatIsKeptElsewhereIsUnknown() throws Exception {
        assertThat(judge().state()).isEqualTo(Judged.State.UNKNOWN);
    }

    @Test
    void anotherFormThatWasFlushedIsUnknown() throws Exception {
        RecordedFiles.Node node = make("1");
        files.write(node, 0, hidden(CONTENT));
        flush(node.id, FileEvent.Call.FSYNC);
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        assertThat(judge().state()).isEqualTo(Judged.State.UNKNOWN);
    }

    @Test
    void anotherFormThatWasNotFlushedIsNotSynced() throws Exception {
        RecordedFiles.Node node = make("1");
        files.write(node, 0, hidden(CONTENT));
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        Judged judged = judge();
        assertThat(judged.state()).isEqualTo(Judged.State.OCTETS_UNSYNCED);
        assertThat(judged.reason()).contains("only 0 octets were flushed");
    }

    @Test
    void whatIsWrittenAfterThe250IsTooLate() throws Exception {
        RecordedFiles.Node node = make("1");
        SentMessage sent = answered();
        files.write(node, 0, CONTENT);
        flush(node.id, FileEvent.Call.FSYNC);
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        Judged judged = judge(sent);
        assertThat(judged.state()).isEqualTo(Judged.State.OCTETS_UNSYNCED);
        assertThat(judged.reason()).contains("only after the 250");
    }

    @Test
    void theStoryNamesFileFlushAndAnswerInTheirOrder() throws Exception {
        RecordedFiles.Node node = make("new");
        files.write(node, 0, CONTENT);
        flush(node.id, FileEvent.Call.FDATASYNC);
        files.rename(spool.id, "new", spool.id, "1", false, false);
        SentMessage sent = answered();
        flush(spool.id, FileEvent.Call.FSYNC_FOLDER);
        // Its place is used for another one, which is no part of the story.
        files.write(node, 0, content(7, 40));
        record.close();
        List<String> told = MessageStory.tell("Q1", List.of(sent), token -> CONTENT, file);
        assertThat(told.stream()
                        .map(line ->
                                line.replaceAll("-?[0-9]+[.][0-9]+ ms", "T").strip()))
                .containsExactly(
                        "T  made: spool",
                        "T  flushed: fsync of the folder {data}, asked for at T: the name spool",
                        "T  MAIL sent",
                        "T  354 read, content sent (" + CONTENT.length + " octets)",
                        "T  made: spool/new",
                        "T  written: octets 0 to " + (CONTENT.length - 1) + " of spool/new",
                        "T  flushed: fdatasync spool/new, asked for at T",
                        "T  renamed: spool/new to spool/1",
                        "T  250 read, queued as Q1",
                        "T  flushed: fsync of the folder spool, asked for at T: the name 1",
                        "verdict: name unsynced: all octets were flushed, but not the name: no"
                                + " fsync of the folder spool between the last change of a name on the"
                                + " way to spool/1 and the 250. ext4 and XFS do not keep it either:"
                                + " neither the file nor a folder on the way was flushed after it was"
                                + " given");
    }

    /** Octet by octet, whatever the order of writes and flushes. */
    @Test
    void unflushedOctetsAreThoseOfAPlainModel() throws Exception {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            FileHistory history = new FileHistory();
            history.apply(new FileEvent.Named(0, 2, false, FileEvent.ROOT, "1"));
            byte[] octets = new byte[300];
            int[] written = new int[300];
            boolean[] onDevice = new boolean[300];
            Map<Integer, Integer> begun = new HashMap<>();
            Arrays.fill(onDevice, true);
            for (int step = 1; step < 60; step++) {
                switch (random.nextInt(3)) {
                    case 0 -> {
                        int from = random.nextInt(280);
                        byte[] some = new byte[1 + random.nextInt(20)];
                        // All differ from what is there, so that none may be taken for unchanged.
                        for (int i = 0; i < some.length; i++) {
                            octets[from + i]++;
                            some[i] = octets[from + i];
                            written[from + i] = step;
                            onDevice[from + i] = false;
                        }
                        history.apply(new FileEvent.Written(0, 2, from, ByteBuffer.wrap(some)));
                    }
                    case 1 -> {
                        begun.put(step, step);
                        history.apply(new FileEvent.FlushBegun(
                                0, step, 2, FileEvent.Call.FSYNC, 0, Long.MAX_VALUE));
                    }
                    default -> {
                        Integer flush = begun.keySet().stream().findAny().orElse(null);
                        if (flush != null) {
                            begun.remove(flush);
                            for (int i = 0; i < octets.length; i++) {
                                onDevice[i] |= written[i] < flush;
                            }
                            history.apply(new FileEvent.FlushDone(0, flush));
                        }
                    }
                }
                boolean[] judged = new boolean[300];
                Arrays.fill(judged, true);
                FileHistory.File file = history.file(2);
                assertThat(file).isNotNull();
                file.unflushed(0, 300)
                        .forEach(range ->
                                Arrays.fill(judged, (int) range.from(), (int) range.to(), false));
                assertThat(judged).as("seed %s, step %s", seed, step).isEqualTo(onDevice);
            }
        }
    }

    private RecordedFiles.Node make(String name) throws Exception {
        return files.make(spool.id, name, FILE_MODE, 0, 0, 0);
    }

    private void flush(long node, FileEvent.Call call) throws IOException {
        files.flushed(files.flush(node, call, 0, Long.MAX_VALUE));
    }

    private SentMessage answered() {
        return new SentMessage(1, TOKEN, beganNanos, beganNanos, System.nanoTime(), 250, "Q1");
    }

    private Judged judge() throws IOException {
        return judge(answered());
    }

    private Judged judge(SentMessage sent) throws IOException {
        record.close();
        return judgeAll(sent).getFirst();
    }

    private List<Judged> judgeAll(SentMessage... sent) throws IOException {
        return new UnsyncedJudge(
                        List.of(sent), token -> token == TOKEN ? CONTENT : content(token, 2))
                .judge(file);
    }

    private static byte[] hidden(byte[] content) {
        byte[] hidden = content.clone();
        for (int i = 0; i < hidden.length; i++) {
            hidden[i] ^= (byte) (0x55 + i);
        }
        return hidden;
    }

    private static byte[] content(long token, int lines) {
        Random random = new Random(token);
        StringBuilder text = new StringBuilder("X-Hubmark-Ledger: " + token + "\r\n");
        text.append("Subject: ").append(token).append("\r\n\r\n");
        for (int i = 0; i < lines; i++) {
            for (int at = 0; at < 76; at++) {
                text.append((char) ('A' + random.nextInt(26)));
            }
            text.append("\r\n");
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
