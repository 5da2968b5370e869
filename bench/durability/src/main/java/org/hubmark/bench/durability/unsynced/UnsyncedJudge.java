package org.hubmark.bench.durability.unsynced;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Judges each acknowledged message by the record of the files that its server wrote: where its octets
 * were when the 250 was read, and whether they and the names that lead to them were on the device. One
 * thread.
 */
public final class UnsyncedJudge {
    /** A line of the body is of 65 letters, so that nobody can keep it in less. */
    private static final double BYTES_PER_OCTET_MIN = 0.75;

    private final FileHistory history = new FileHistory();
    private final OctetSearch search;
    private final List<Examined> messages = new ArrayList<>();
    private boolean isBegun;

    /** A message, and what was seen of it so far. */
    static final class Examined {
        final SentMessage message;
        final byte[] content;
        final BitSet required;
        /** Wherever and whenever it was found. */
        final List<OctetSearch.Piece> pieces = new ArrayList<>();

        private final BitSet everFound = new BitSet();
        private long writtenBytes;
        private long flushedBytes;
        private @Nullable Judged judged;

        private Examined(SentMessage message, byte[] content) {
            this.message = message;
            this.content = content;
            this.required = OctetSearch.required(content);
        }

        private void add(OctetSearch.Piece piece) {
            pieces.removeIf(one -> one.file() == piece.file()
                    && one.position() - one.offset() == piece.position() - piece.offset()
                    && one.offset() >= piece.offset()
                    && one.offset() + one.count() <= piece.offset() + piece.count());
            pieces.add(piece);
            everFound.set(piece.offset(), piece.offset() + piece.count());
        }
    }

    /** The beginning of a message, or its 250. */
    private record Moment(long nanos, Examined message, boolean isEnd) {}

    /** Octets of a message at a moment. */
    private static final class Coverage {
        final BitSet found = new BitSet();
        final BitSet onDevice = new BitSet();
        final BitSet reachable = new BitSet();
        final BitSet kept = new BitSet();
        final Set<FileHistory.File> files = new LinkedHashSet<>();

        void require(BitSet required) {
            Stream.of(found, onDevice, reachable, kept).forEach(octets -> octets.and(required));
        }
    }

    /**
     * Prepares.
     *
     * @param contents gives the content of a message by its token: CRLF line ends, a first line with the
     *     token, and lines of random letters in its body
     */
    public UnsyncedJudge(List<SentMessage> sent, LongFunction<byte[]> contents) {
        for (SentMessage one : sent) {
            messages.add(new Examined(one, contents.apply(one.token())));
        }
        this.search = new OctetSearch(messages.stream().map(one -> one.content).toList());
    }

    /** {@return what was on the device of each acknowledged message, in the order of their numbers} */
    public List<Judged> judge(Path record) throws IOException {
        List<Moment> moments = new ArrayList<>();
        for (Examined one : messages) {
            if (one.message.isAcknowledged()) {
                moments.add(new Moment(one.message.beganNanos(), one, false));
                moments.add(new Moment(one.message.answeredNanos(), one, true));
            }
        }
        moments.sort(Comparator.comparingLong(Moment::nanos));
        int[] next = {0};
        FileRecord.read(record, event -> {
            while (next[0] < moments.size() && moments.get(next[0]).nanos < event.nanos()) {
                reached(moments.get(next[0]++));
            }
            var unused = history.apply(event);
        });
        while (next[0] < moments.size()) {
            reached(moments.get(next[0]++));
        }
        look();
        return messages.stream()
                .filter(one -> one.message.isAcknowledged())
                .map(one -> one.judged == null ? notFound(one) : one.judged)
                .toList();
    }

    /** {@return what was seen of a message; null if none is called that} */
    @Nullable
    Examined examined(String id) {
        return messages.stream()
                .filter(one -> one.message.isCalled(id))
                .findFirst()
                .orElse(null);
    }

    private void look() {
        for (Map.Entry<FileHistory.File, List<FileHistory.Range>> written :
                history.takeUnread().entrySet()) {
            for (FileHistory.Range range : joined(written.getValue())) {
                search.look(
                        written.getKey(),
                        range,
                        piece -> messages.get(piece.message()).add(piece));
            }
        }
    }

    /** {@return the same octets, each once where writes follow each other} */
    private static List<FileHistory.Range> joined(List<FileHistory.Range> ranges) {
        List<FileHistory.Range> joined = new ArrayList<>();
        for (FileHistory.Range range : ranges) {
            FileHistory.Range last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && range.from() == last.to()) {
                joined.set(joined.size() - 1, new FileHistory.Range(last.from(), range.to()));
            } else {
                joined.add(range);
            }
        }
        return joined;
    }

    private void reached(Moment moment) {
        Examined one = moment.message;
        if (!moment.isEnd) {
            if (!isBegun) {
                isBegun = true;
                history.settleFolders();
            }
            one.writtenBytes = -history.writtenBytes();
            one.flushedBytes = -history.flushedBytes();
            return;
        }
        one.writtenBytes += history.writtenBytes();
        one.flushedBytes += history.flushedBytes();
        look();
        Coverage coverage = coverage(one);
        if (!coverage.found.equals(one.required)) {
            BitSet missing = (BitSet) one.required.clone();
            missing.andNot(coverage.found);
            search.fill(missing, List.copyOf(one.pieces), one::add);
            coverage = coverage(one);
        }
        if (coverage.found.equals(one.required)) {
            one.judged = judged(one, coverage);
        }
    }

    private Coverage coverage(Examined one) {
        Coverage coverage = new Coverage();
        for (OctetSearch.Piece piece : one.pieces) {
            BitSet same = new BitSet();
            byte[] there = piece.file().content.read(piece.position(), piece.count());
            for (int i = 0; i < there.length; i++) {
                same.set(piece.offset() + i, there[i] == one.content[piece.offset() + i]);
            }
            if (same.isEmpty()) {
                continue;
            }
            coverage.files.add(piece.file());
            coverage.found.or(same);
            long shift = piece.offset() - piece.position();
            piece.file()
                    .unflushed(piece.position(), piece.position() + piece.count())
                    .forEach(range ->
                            same.clear((int) (range.from() + shift), (int) (range.to() + shift)));
            coverage.onDevice.or(same);
            if (history.isReachable(piece.file())) {
                coverage.reachable.or(same);
            }
            if (history.isKeptByJournal(piece.file())) {
                coverage.kept.or(same);
            }
        }
        coverage.require(one.required);
        return coverage;
    }

    private Judged judged(Examined one, Coverage coverage) {
        List<String> files = coverage.files.stream().map(FileHistory.File::path).toList();
        int missing = one.required.cardinality() - coverage.onDevice.cardinality();
        if (missing > 0) {
            return new Judged(
                    one.message,
                    Judged.State.OCTETS_UNSYNCED,
                    false,
                    files,
                    missing + " of " + one.required.cardinality()
                            + " octets were written to " + String.join(", ", files)
                            + " and not flushed before the 250");
        }
        if (!coverage.reachable.equals(one.required)) {
            boolean isKept = coverage.kept.equals(one.required);
            return new Judged(
                    one.message,
                    Judged.State.NAME_UNSYNCED,
                    isKept,
                    files,
                    names(coverage, isKept));
        }
        return new Judged(one.message, Judged.State.SYNCED, false, files, "");
    }

    private String names(Coverage coverage, boolean isKept) {
        for (FileHistory.File file : coverage.files) {
            FileHistory.File folder = history.unflushedFolder(file);
            if (folder != null) {
                String path = folder.id == FileEvent.ROOT ? "{data}" : folder.path();
                return "all octets were flushed, but not the name: no fsync of the folder " + path
                        + " between the last change of a name on the way to " + file.path()
                        + " and the 250. "
                        + (isKept
                                ? "ext4 and XFS keep the name, since the file or a folder on the way"
                                        + " was flushed after it was given; POSIX does not promise that"
                                : "ext4 and XFS do not keep it either: neither the file nor a folder"
                                        + " on the way was flushed after it was given");
            }
        }
        return "all octets were flushed, in a file that has no name";
    }

    /** A server may have kept it in another form; how much it has brought to the device is known. */
    private static Judged notFound(Examined one) {
        double needed = one.required.cardinality() * BYTES_PER_OCTET_MIN;
        BitSet late = (BitSet) one.everFound.clone();
        late.and(one.required);
        boolean isLate = late.equals(one.required);
        List<String> files =
                one.pieces.stream().map(piece -> piece.file().path()).distinct().toList();
        String flushed = "between MAIL and the 250 only " + one.flushedBytes
                + " octets were flushed, and " + (long) Math.ceil(needed)
                + " at least are needed to keep it";
        if (isLate && one.flushedBytes < needed) {
            return new Judged(
                    one.message,
                    Judged.State.OCTETS_UNSYNCED,
                    false,
                    files,
                    "its octets were all written only after the 250 (" + flushed + ")");
        }
        if (one.writtenBytes >= needed && one.flushedBytes < needed) {
            return new Judged(
                    one.message,
                    Judged.State.OCTETS_UNSYNCED,
                    false,
                    files,
                    "its octets were not found as they were sent, but " + flushed);
        }
        String found = late.isEmpty()
                ? "none of its octets was found below {data}"
                : "only " + late.cardinality() + " of " + one.required.cardinality()
                        + " octets were found as they were sent";
        return new Judged(
                one.message,
                Judged.State.UNKNOWN,
                false,
                files,
                isLate
                        ? "its octets were not all in a file at the 250; they were there before or"
                                + " after it"
                        : found + ": the server keeps mail elsewhere, or in another form");
    }
}
