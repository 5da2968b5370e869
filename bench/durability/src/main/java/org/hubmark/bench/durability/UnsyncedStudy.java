package org.hubmark.bench.durability;

import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.durability.result.UnsyncedVerdict;
import org.hubmark.bench.durability.unsynced.Judged;
import org.hubmark.bench.durability.unsynced.MessageStory;
import org.hubmark.bench.durability.unsynced.SentMessage;
import org.hubmark.bench.durability.unsynced.UnsyncedJudge;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.core.Durability;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Proof without a crash: runs a server on recorded files under load, and judges of each message that it
 * acknowledged whether its octets, and the names that lead to them, were flushed when the 250 was read.
 * Blocks; one thread.
 */
public final class UnsyncedStudy implements Study {
    private static final String HOME = "unsynced";
    private static final String RECORD = "files.bin";
    private static final String MESSAGES = "messages.csv";
    private static final int EXAMPLES_MAX = 5;

    private final Target target;
    private final Durability durability;
    private final Duration time;
    private final int connections;
    private final long seed;

    /**
     * Prepares.
     *
     * @param server the command that starts another server, or null for our own hub
     * @param durability class of our own hub
     * @param time for which mail is sent
     */
    public UnsyncedStudy(
            @Nullable String server,
            Durability durability,
            Duration time,
            int connections,
            long seed,
            Program program) {
        this.target = server == null ? new HubTarget(program) : new CommandTarget(server, null);
        this.durability = durability;
        this.time = time;
        this.connections = connections;
        this.seed = seed;
    }

    @Override
    public Kind kind() {
        return CrashResult.KIND;
    }

    /** The record is kept in the folder of the results. */
    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        String obstacle = FileRecorder.obstacle();
        UnsyncedVerdict verdict = obstacle == null
                ? judge(MadeFolder.fresh(context.folder(), HOME).path(), context)
                : UnsyncedVerdict.unknown(obstacle);
        context.fact(CrashResult.UNSYNCED, verdict);
        return context.document();
    }

    /**
     * {@return what became of one message of an earlier run, in lines}
     *
     * @param folder of the results
     * @param id a number, a token, or what the server called the message
     * @throws UserError if there was no such run, or no such message
     */
    public static List<String> explain(Path folder, String id) throws IOException {
        Path home = folder.resolve(HOME);
        if (!Files.exists(home.resolve(RECORD)) || !Files.exists(home.resolve(MESSAGES))) {
            throw UserError.failed(folder + " has no record of durability --unsynced");
        }
        return MessageStory.tell(
                id,
                SentMessage.read(home.resolve(MESSAGES)),
                LedgerMessage::content,
                home.resolve(RECORD));
    }

    private UnsyncedVerdict judge(Path home, Context context)
            throws IOException, InterruptedException {
        Path record = home.resolve(RECORD);
        List<SentMessage> sent;
        String lastError;
        try (FileRecorder recorder = FileRecorder.create(home, record, seed)) {
            context.phase("load", time);
            CrashedServer.Launch launch = target.launch(
                    recorder.data(),
                    durability,
                    Target.LaunchOptions.PLAIN,
                    home.resolve("server.txt"));
            try (CrashedServer server = CrashedServer.start(launch)) {
                UnsyncedLoad load = new UnsyncedLoad(server.address(), seed);
                sent = load.run(connections, time);
                lastError = load.lastError();
            }
            recorder.end();
            Files.delete(recorder.data());
        } catch (CrashedServer.StartException | FileRecorder.MountException e) {
            return UnsyncedVerdict.unknown(String.valueOf(e.getMessage()));
        }
        SentMessage.write(sent, home.resolve(MESSAGES));
        context.phase("search in the record", Duration.ZERO);
        List<Judged> judged = new UnsyncedJudge(sent, LedgerMessage::content).judge(record);
        return judged.isEmpty()
                ? UnsyncedVerdict.unknown("the server has acknowledged nothing"
                        + (lastError == null ? "" : ": " + lastError))
                : verdict(judged);
    }

    private static UnsyncedVerdict verdict(List<Judged> judged) {
        List<Judged> octets = in(judged, Judged.State.OCTETS_UNSYNCED);
        List<Judged> names = in(judged, Judged.State.NAME_UNSYNCED);
        List<Judged> unknown = in(judged, Judged.State.UNKNOWN);
        List<Judged> unsynced = new ArrayList<>(octets);
        unsynced.addAll(names);
        long kept = names.stream().filter(Judged::isKeptByJournal).count();
        List<Judged> shown = !unsynced.isEmpty() ? unsynced : !unknown.isEmpty() ? unknown : judged;
        Judged first = shown.getFirst();
        String reason = "";
        if (!unsynced.isEmpty()) {
            List<String> what = new ArrayList<>();
            if (!octets.isEmpty()) {
                what.add(octets.size() + " with octets unsynced");
            }
            if (!names.isEmpty()) {
                what.add(names.size() + " with only a name unsynced, of which ext4 and XFS keep "
                        + kept);
            }
            reason = unsynced.size() + " of " + judged.size()
                    + " acknowledged messages were not flushed when their 250 was read: "
                    + String.join(", ", what) + ". Message " + first.message().number() + ": "
                    + first.reason();
        } else if (!unknown.isEmpty()) {
            reason = "of " + judged.size() + " acknowledged messages " + unknown.size()
                    + " can't be judged. Message " + first.message().number() + ": "
                    + first.reason();
        }
        return new UnsyncedVerdict(
                judged.size(),
                unsynced.size(),
                names.size(),
                kept,
                unknown.size(),
                !unsynced.isEmpty()
                        ? UnsyncedVerdict.NOT_SYNCED
                        : unknown.isEmpty() ? UnsyncedVerdict.SYNCED : UnsyncedVerdict.UNKNOWN,
                reason,
                shown.stream().limit(EXAMPLES_MAX).map(UnsyncedStudy::example).toList());
    }

    private static List<Judged> in(List<Judged> judged, Judged.State state) {
        return judged.stream().filter(one -> one.state() == state).toList();
    }

    private static UnsyncedVerdict.Example example(Judged judged) {
        return new UnsyncedVerdict.Example(
                judged.message().number(),
                judged.message().token(),
                judged.message().queueId(),
                judged.state().toString(),
                judged.files(),
                judged.reason());
    }
}
