package org.hubmark.bench.cli;

import org.hubmark.bench.cli.Mutant.Instead;
import org.hubmark.bench.cli.Mutant.Later;
import org.hubmark.bench.cli.Mutant.Without;

import java.util.List;

/** The mutants of the store, and which kind of crash is to find which. */
final class Mutants {
    // Where the store is changed: a class that is renamed is a line here.
    private static final String SYNC_LANE = "org/hubmark/queue/SyncLane";
    private static final String PERIODIC_SYNC = "org/hubmark/queue/PeriodicSync";
    private static final String CHECK = "org/hubmark/queue/QueueCheck";
    private static final String READER = "org/hubmark/queue/QueueReader";
    private static final String LOG_WRITER = "org/hubmark/queue/log/LogWriter";
    private static final String VOLUME_FILE = "org/hubmark/queue/log/VolumeFile";
    private static final String LOG_READER = "org/hubmark/queue/log/LogReader";
    private static final String RECORD_HEADER = "org/hubmark/queue/log/RecordHeader";
    private static final String MESSAGES = "org/hubmark/queue/Messages";
    private static final String DATABASE = "org/hubmark/queue/table/QueueDatabase";
    private static final String CHANNEL = "java/nio/channels/FileChannel";
    private static final String FILE = "org/hubmark/queue/log/DirectoryVolume$DirectoryFile";
    private static final String IDENTITY = "org/hubmark/queue/StoreIdentity";
    private static final String PRIVATE_FILES = "org/hubmark/core/PrivateFiles";
    private static final String SETTLEMENT = "org/hubmark/hub/delivery/Settlement";
    private static final String MAIL_QUEUE = "org/hubmark/core/MailQueue";
    private static final String LOGGER = "org/slf4j/Logger";
    private static final String WRITES = "org/hubmark/queue/log/DirectoryVolume$WriteChannel";
    /** The same each time, so that a mutant that is found once is found again. */
    static final long SEED = 100;

    /** How many simulated crashes are to find a mutant. */
    static final int SIMULATED_CRASHES = 96;

    private static final Mutant NO_SYNC = new Mutant(
            "a group is not synced", SYNC_LANE, "commit", new Without(LOG_WRITER, "sync"));
    private static final Mutant LATE_SYNC = new Mutant(
            "a group is synced after the reply",
            SYNC_LANE,
            "commit",
            new Later(LOG_WRITER, "sync", "writer", "apply"));
    private static final Mutant NO_PERIODIC_SYNC = new Mutant(
            "a period ends without a sync", PERIODIC_SYNC, "sync", new Without(LOG_WRITER, "sync"));
    private static final Mutant NO_FLUSH = new Mutant(
            "a segment is used again before its mail is flushed",
            MESSAGES,
            "flush",
            new Without(DATABASE, "flush"));
    private static final Mutant BUFFERED = new Mutant(
            "writes are collected in the process",
            WRITES,
            "write",
            new Instead(CHANNEL, "write", "buffered"));
    private static final Mutant UNVERIFIED = new Mutant(
            "checksums are not verified when a record is read",
            LOG_READER,
            List.of("decode", "decodeHead"),
            List.of(
                    new Instead(LOG_READER, "checksum", "remembered"),
                    new Instead(RECORD_HEADER, "checksum", "remembered"),
                    new Instead(RECORD_HEADER, "contentChecksum", "remembered")));
    private static final Mutant UNVERIFIED_CONTENT = new Mutant(
            "the checksum of a content is left out",
            LOG_READER,
            "decode",
            new Instead(LOG_READER, "checksum", "remembered"),
            new Instead(RECORD_HEADER, "contentChecksum", "remembered"));
    private static final Mutant FAILED_WRITE_IGNORED = new Mutant(
            "a write that fails is taken for done",
            WRITES,
            "write",
            new Instead(CHANNEL, "write", "failureIgnored"));
    private static final Mutant FAILED_SYNC_IGNORED = new Mutant(
            "a sync that fails is taken for done",
            FILE,
            "sync",
            new Instead(CHANNEL, "force", "failureIgnored"));
    private static final Mutant FAILED_SYNC_RETRIED = new Mutant(
            "a sync that fails is tried again",
            FILE,
            "sync",
            new Instead(CHANNEL, "force", "retried"));
    private static final Mutant UNREADABLE_SKIPPED = new Mutant(
            "a message that can't be read is left out, and nothing is said",
            SETTLEMENT,
            "setAside",
            new Instead(LOGGER, "error", "unsaid"),
            new Instead(MAIL_QUEUE, "setAside", "acknowledged"));
    private static final Mutant STEPPED_DROPPED = new Mutant(
            "what is deferred across a step of the clock is taken for settled",
            SETTLEMENT,
            "end",
            new Instead(MAIL_QUEUE, "defer", "deferredUnlessStepped"));
    private static final Mutant ERROR_IGNORED = new Mutant(
            "a write that throws an Error is taken for done",
            LOG_WRITER,
            "write",
            new Instead(VOLUME_FILE, "write", "errorIgnored"));
    private static final Mutant NAMES_NOT_SYNCED = new Mutant(
            "the names of a new store are not synced",
            IDENTITY,
            "complete",
            new Instead(PRIVATE_FILES, "syncNames", "namesNotSynced"));
    private static final Mutant STALE_DROPPED = new Mutant(
            "what comes after a pause is taken for stale",
            WRITES,
            "write",
            new Instead(CHANNEL, "write", "droppedAfterPause"));
    private static final Mutant NO_CONTENT_CHECKED = new Mutant(
            "the check reads no content",
            CHECK,
            "run",
            new Without(READER, "forEachRow"),
            new Without(CHECK, "checkOwners"),
            new Without(CHECK, "checkTotals"));

    /** Which kind is to find which mutant, in the short form. */
    static final List<Row> TABLE = List.of(
            new Row("simulated", "synced", NO_SYNC),
            new Row("simulated", "synced", LATE_SYNC),
            new Row("simulated", "synced", NO_FLUSH),
            new Row("simulated", "periodic=1ms", NO_PERIODIC_SYNC),
            new Row("kill", "synced", BUFFERED),
            new Row("power", "synced", NO_SYNC),
            new Row("torn", "synced", UNVERIFIED),
            new Row("flip", "synced", UNVERIFIED_CONTENT),
            new Row("full", "synced", FAILED_WRITE_IGNORED),
            new Row("eio", "synced", FAILED_SYNC_IGNORED),
            new Row("eio", "synced", FAILED_SYNC_RETRIED),
            new Row("stop", "synced", STALE_DROPPED),
            new Row("rot", "synced", NO_CONTENT_CHECKED),
            new Row("bad-sector", "synced", UNREADABLE_SKIPPED),
            new Row("deferred", "synced", STEPPED_DROPPED),
            new Row("error", "synced", ERROR_IGNORED),
            new Row("new-store", "synced", NAMES_NOT_SYNCED));

    private Mutants() {}

    /**
     * A mutant that a kind of crash must find.
     *
     * @param kind of those of the command, or of those that are tests alone
     * @param durability the class in which the store promises what the mutant breaks
     */
    record Row(String kind, String durability, Mutant mutant) {
        /** {@return what is proved} */
        String text() {
            return kind + ": " + mutant.name();
        }
    }
}
