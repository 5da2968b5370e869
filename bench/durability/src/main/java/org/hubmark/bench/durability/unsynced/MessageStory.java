package org.hubmark.bench.durability.unsynced;

import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * What became of one message, line by line in the order of time: its conversation, the writes that
 * carried its octets, the names of the files, and the flushes that brought any of that to the device. In
 * milliseconds since MAIL. One thread.
 */
public final class MessageStory {
    /** A flush that comes later is none that the server has made for this message. */
    private static final long AFTER_NANOS = 2_000_000_000L;

    private final UnsyncedJudge.Examined examined;
    private final SentMessage message;
    private final FileHistory history = new FileHistory();
    private final Map<Integer, Long> begunNanos = new HashMap<>();
    private final Set<Long> concerned = new HashSet<>();
    private final List<String> lines = new ArrayList<>();
    private @Nullable Writes writes;
    private int said;

    /** Writes into one file, one after the other. */
    private record Writes(
            FileHistory.File file,
            String path,
            long firstNanos,
            long lastNanos,
            long from,
            long to,
            int count) {}

    private MessageStory(UnsyncedJudge.Examined examined) {
        this.examined = examined;
        this.message = examined.message;
    }

    /**
     * {@return the story, in lines}
     *
     * @param id a number, a token, or what the server called the message
     * @param contents as {@link UnsyncedJudge} wants them
     * @throws UserError if no such message was sent
     */
    public static List<String> tell(
            String id, List<SentMessage> sent, LongFunction<byte[]> contents, Path record)
            throws IOException {
        UnsyncedJudge judge = new UnsyncedJudge(sent, contents);
        UnsyncedJudge.Examined examined = judge.examined(id);
        if (examined == null) {
            throw UserError.failed("no message was sent that is called " + id
                    + ": --explain wants a number from 1 to " + sent.size()
                    + ", a token or a queue id");
        }
        List<Judged> judged = judge.judge(record);
        MessageStory story = new MessageStory(examined);
        story.concern(record);
        FileRecord.read(record, story::next);
        story.conversation(Long.MAX_VALUE);
        story.end();
        judged.stream()
                .filter(one -> one.message().equals(examined.message))
                .forEach(one -> story.lines.add("verdict: " + one.state()
                        + (one.reason().isEmpty() ? "" : ": " + one.reason())));
        return story.lines;
    }

    /** Finds the files that ever held octets of it, and all folders that have ever led to them. */
    private void concern(Path record) throws IOException {
        Map<Long, Set<Long>> parents = new HashMap<>();
        FileHistory whole = new FileHistory();
        FileRecord.read(record, event -> {
            if (event instanceof FileEvent.Renamed renamed) {
                FileHistory.File file = whole.named(renamed.parent(), renamed.name());
                if (file != null) {
                    parents.computeIfAbsent(file.id, key -> new HashSet<>())
                            .add(renamed.toParent());
                }
            } else if (event instanceof FileEvent.Named named) {
                parents.computeIfAbsent(named.node(), key -> new HashSet<>()).add(named.parent());
            }
            var unused = whole.apply(event);
        });
        List<Long> open = new ArrayList<>();
        examined.pieces.forEach(piece -> open.add(piece.file().id));
        while (!open.isEmpty()) {
            Long node = open.removeLast();
            if (concerned.add(node)) {
                open.addAll(parents.getOrDefault(node, Set.of()));
            }
        }
        concerned.remove(FileEvent.ROOT);
    }

    private void next(FileEvent event) {
        long nanos = event.nanos();
        if (nanos > message.answeredNanos() + AFTER_NANOS) {
            return;
        }
        conversation(nanos);
        String before = null;
        if (event instanceof FileEvent.Renamed renamed) {
            before = concernedPath(history.named(renamed.parent(), renamed.name()));
        } else if (event instanceof FileEvent.Unnamed unnamed) {
            before = concernedPath(history.named(unnamed.parent(), unnamed.name()));
        }
        FileHistory.Settled settled = history.apply(event);
        switch (event) {
            case FileEvent.Named named -> {
                if (concerned.contains(named.node())) {
                    FileHistory.File file = file(named.node());
                    say(
                            nanos,
                            (file.places().size() > 1 ? "another name: " : "made: ") + file.path());
                }
            }
            case FileEvent.Renamed renamed -> {
                if (before != null) {
                    say(
                            nanos,
                            "renamed: " + before + " to "
                                    + concernedPath(
                                            history.named(renamed.toParent(), renamed.toName())));
                }
            }
            case FileEvent.Unnamed unused -> {
                if (before != null) {
                    say(nanos, "name removed: " + before);
                }
            }
            case FileEvent.Written written -> written(written);
            case FileEvent.FlushBegun begun -> begunNanos.put(begun.flush(), nanos);
            case FileEvent.FlushDone done -> {
                if (settled != null) {
                    flushed(nanos, begunNanos.getOrDefault(done.flush(), nanos), settled);
                }
            }
            case FileEvent.Sized unused -> {}
            case FileEvent.Zeroed unused -> {}
        }
    }

    private @Nullable String concernedPath(FileHistory.@Nullable File file) {
        return file == null || !concerned.contains(file.id) ? null : file.path();
    }

    private FileHistory.File file(long node) {
        return Objects.requireNonNull(history.file(node));
    }

    private void conversation(long until) {
        List<Long> times =
                List.of(message.beganNanos(), message.askedNanos(), message.answeredNanos());
        List<String> what = List.of(
                "MAIL sent",
                "354 read, content sent (" + examined.content.length + " octets)",
                message.code() + " read"
                        + (message.queueId() == null ? "" : ", queued as " + message.queueId()));
        while (said < times.size() && times.get(said) < until) {
            say(times.get(said), what.get(said));
            said++;
        }
    }

    private void written(FileEvent.Written written) {
        long from = written.position();
        long to = from + written.octets().remaining();
        if (written.nanos() < message.beganNanos() || !carries(written)) {
            return;
        }
        FileHistory.File file = file(written.node());
        Writes last = writes;
        if (last != null && last.file == file) {
            writes = new Writes(
                    file,
                    last.path,
                    last.firstNanos,
                    written.nanos(),
                    Math.min(last.from, from),
                    Math.max(last.to, to),
                    last.count + 1);
        } else {
            end();
            writes = new Writes(file, file.path(), written.nanos(), written.nanos(), from, to, 1);
        }
    }

    /** {@return whether it writes octets of the message} Their place may be used for others later. */
    private boolean carries(FileEvent.Written written) {
        byte[] content = examined.content;
        for (OctetSearch.Piece piece : examined.pieces) {
            long from = Math.max(piece.position(), written.position());
            long to = Math.min(
                    piece.position() + piece.count(),
                    written.position() + written.octets().remaining());
            boolean isSame = piece.file().id == written.node() && from < to;
            for (long at = from; isSame && at < to; at++) {
                isSame = written.octets().get((int) (at - written.position()))
                        == content[(int) (at - piece.position()) + piece.offset()];
            }
            if (isSame) {
                return true;
            }
        }
        return false;
    }

    private boolean holds(long node, FileHistory.Range range) {
        return examined.pieces.stream()
                .anyMatch(piece -> piece.file().id == node
                        && range.meets(piece.position(), piece.position() + piece.count()));
    }

    private void flushed(long nanos, long begun, FileHistory.Settled settled) {
        FileHistory.Flush flush = settled.flush();
        String path =
                flush.file().id == FileEvent.ROOT ? "{data}" : flush.file().path();
        List<String> names = settled.names().stream()
                .filter(name -> concernedPath(history.named(flush.file().id, name)) != null)
                .toList();
        boolean isOfOctets = nanos >= message.beganNanos()
                && settled.ranges().stream().anyMatch(range -> holds(flush.file().id, range));
        if (isOfOctets || !names.isEmpty()) {
            say(
                    nanos,
                    String.format(
                            Locale.ROOT,
                            "flushed: %s %s, asked for at %.3f ms%s",
                            flush.call(),
                            path,
                            millis(begun),
                            names.isEmpty() ? "" : ": the name " + String.join(", ", names)));
        }
    }

    private void say(long nanos, String what) {
        end();
        lines.add(String.format(Locale.ROOT, "%12.3f ms  %s", millis(nanos), what));
    }

    /** Says what was written last. */
    private void end() {
        Writes last = writes;
        writes = null;
        if (last != null) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%12.3f ms  written: octets %d to %d of %s%s",
                    millis(last.firstNanos),
                    last.from,
                    last.to - 1,
                    last.path,
                    last.count == 1
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    ", in %d writes until %.3f ms",
                                    last.count,
                                    millis(last.lastNanos))));
        }
    }

    private double millis(long nanos) {
        return (nanos - message.beganNanos()) / 1e6;
    }
}
