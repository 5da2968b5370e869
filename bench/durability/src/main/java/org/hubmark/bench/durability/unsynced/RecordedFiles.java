package org.hubmark.bench.durability.unsynced;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A tree of files in memory, with a record of everything that changes it. The kernel has checked
 * permissions and names before it asks. One thread at a time.
 */
final class RecordedFiles {
    static final int TYPE_MASK = 0170000;
    static final int FOLDER = 0040000;
    static final int FILE = 0100000;
    static final int LINK = 0120000;
    private static final int SET_GROUP = 02000;

    /** More is a server that this is not made for. */
    private static final long BYTES_MAX = 1 << 30;

    static final int ENOENT = 2;
    private static final int EEXIST = 17;
    private static final int ENOTDIR = 20;
    private static final int EISDIR = 21;
    private static final int ENOSPC = 28;
    private static final int ENOTEMPTY = 39;

    private final Map<Long, Node> nodes = new HashMap<>();
    private final FileRecord record;
    private long nextNode = FileEvent.ROOT + 1;
    private long writtenBytes;
    private int flushes;

    /** What can't be done, by the number that the kernel knows it by. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        final int error;

        Refused(int error) {
            super("error " + error, null, false, false);
            this.error = error;
        }
    }

    /** A file, a folder, a link, or a socket or pipe, of which the kernel keeps the rest. */
    static final class Node {
        final long id;
        final SparseFile content = new SparseFile();
        final TreeMap<String, Node> children = new TreeMap<>();
        byte[] target = new byte[0];
        int mode;
        int user;
        int group;
        int links;
        int device;
        int open;
        long accessedNanos;
        long modifiedNanos;
        long changedNanos;

        private Node(long id, int mode, int user, int group, int device) {
            this.id = id;
            this.mode = mode;
            this.user = user;
            this.group = group;
            this.device = device;
            modified();
            accessedNanos = modifiedNanos;
        }

        boolean isFolder() {
            return (mode & TYPE_MASK) == FOLDER;
        }

        void modified() {
            modifiedNanos = wallNanos();
            changedNanos = modifiedNanos;
        }
    }

    RecordedFiles(FileRecord record) {
        this.record = record;
        Node root = new Node(FileEvent.ROOT, FOLDER | 0755, 0, 0, 0);
        root.links = 2;
        nodes.put(root.id, root);
    }

    /** {@return nanoseconds since 1970} */
    static long wallNanos() {
        return System.currentTimeMillis() * 1_000_000;
    }

    Node node(long id) throws Refused {
        Node node = nodes.get(id);
        if (node == null) {
            throw new Refused(ENOENT);
        }
        return node;
    }

    Node child(long parent, String name) throws Refused {
        Node child = node(parent).children.get(name);
        if (child == null) {
            throw new Refused(ENOENT);
        }
        return child;
    }

    /** {@return what it has made} Its group is that of the folder where the folder says so. */
    Node make(long parentId, String name, int mode, int user, int group, int device)
            throws Refused, IOException {
        Node parent = node(parentId);
        if (parent.children.containsKey(name)) {
            throw new Refused(EEXIST);
        }
        boolean isFolder = (mode & TYPE_MASK) == FOLDER;
        boolean inherits = (parent.mode & SET_GROUP) != 0;
        Node node = new Node(
                nextNode++,
                mode | (inherits && isFolder ? SET_GROUP : 0),
                user,
                inherits ? parent.group : group,
                device);
        nodes.put(node.id, node);
        node.links = isFolder ? 1 : 0;
        link(node, parent, name);
        return node;
    }

    Node link(long id, long parentId, String name) throws Refused, IOException {
        Node node = node(id);
        Node parent = node(parentId);
        if (parent.children.containsKey(name)) {
            throw new Refused(EEXIST);
        }
        link(node, parent, name);
        return node;
    }

    private void link(Node node, Node parent, String name) throws IOException {
        parent.children.put(name, node);
        parent.modified();
        parent.links += node.isFolder() ? 1 : 0;
        node.links++;
        node.changedNanos = parent.changedNanos;
        record.add(
                new FileEvent.Named(System.nanoTime(), node.id, node.isFolder(), parent.id, name));
    }

    void remove(long parentId, String name, boolean folder) throws Refused, IOException {
        Node parent = node(parentId);
        Node node = child(parentId, name);
        requireReplaceable(node, folder);
        parent.children.remove(name);
        unlinked(parent, node);
        record.add(new FileEvent.Unnamed(System.nanoTime(), parentId, name));
    }

    private static void requireReplaceable(Node node, boolean folder) throws Refused {
        if (node.isFolder() != folder) {
            throw new Refused(folder ? ENOTDIR : EISDIR);
        }
        if (folder && !node.children.isEmpty()) {
            throw new Refused(ENOTEMPTY);
        }
    }

    private void unlinked(Node parent, Node node) {
        parent.modified();
        node.changedNanos = parent.changedNanos;
        node.links -= node.isFolder() ? 2 : 1;
        parent.links -= node.isFolder() ? 1 : 0;
        release(node);
    }

    /**
     * Renames.
     *
     * @param keeps whether what has the new name may not lose it
     * @param exchanges whether it gets the old one
     */
    void rename(
            long parentId,
            String name,
            long toParentId,
            String toName,
            boolean keeps,
            boolean exchanges)
            throws Refused, IOException {
        Node parent = node(parentId);
        Node to = node(toParentId);
        Node node = child(parentId, name);
        Node replaced = to.children.get(toName);
        if (node == replaced) {
            return;
        }
        if (replaced == null ? exchanges : keeps) {
            throw new Refused(replaced == null ? ENOENT : EEXIST);
        }
        if (replaced != null && !exchanges) {
            requireReplaceable(replaced, node.isFolder());
            unlinked(to, replaced);
        }
        parent.children.remove(name);
        to.children.put(toName, node);
        parent.links -= node.isFolder() ? 1 : 0;
        to.links += node.isFolder() ? 1 : 0;
        if (replaced != null && exchanges) {
            parent.children.put(name, replaced);
            parent.links += replaced.isFolder() ? 1 : 0;
            to.links -= replaced.isFolder() ? 1 : 0;
        }
        parent.modified();
        to.modified();
        record.add(new FileEvent.Renamed(
                System.nanoTime(), parentId, name, toParentId, toName, exchanges));
    }

    void write(Node node, long position, byte[] octets) throws Refused, IOException {
        long before = node.content.allocatedBytes();
        if (writtenBytes + octets.length > BYTES_MAX) {
            throw new Refused(ENOSPC);
        }
        node.content.write(position, octets);
        writtenBytes += node.content.allocatedBytes() - before;
        node.modified();
        record.add(new FileEvent.Written(
                System.nanoTime(), node.id, position, ByteBuffer.wrap(octets)));
    }

    void resize(Node node, long bytes) throws IOException {
        long before = node.content.allocatedBytes();
        node.content.resize(bytes);
        writtenBytes += node.content.allocatedBytes() - before;
        node.modified();
        record.add(new FileEvent.Sized(System.nanoTime(), node.id, bytes));
    }

    void zero(Node node, long from, long to) throws IOException {
        long before = node.content.allocatedBytes();
        node.content.zero(from, to);
        writtenBytes += node.content.allocatedBytes() - before;
        node.modified();
        record.add(new FileEvent.Zeroed(System.nanoTime(), node.id, from, to));
    }

    /** Frees what has no name and is not open. */
    void release(Node node) {
        if (node.links <= 0 && node.open <= 0 && !node.isFolder()) {
            writtenBytes -= node.content.allocatedBytes();
            // The record keeps what was in it.
            node.content.resize(0);
            nodes.remove(node.id);
        }
    }

    /** {@return octets that can still be written} */
    long freeBytes() {
        return BYTES_MAX - writtenBytes;
    }

    /** {@return the number of a flush that was asked for} */
    int flush(long node, FileEvent.Call call, long from, long to) throws IOException {
        flushes++;
        record.add(new FileEvent.FlushBegun(System.nanoTime(), flushes, node, call, from, to));
        return flushes;
    }

    void flushed(int flush) throws IOException {
        record.add(new FileEvent.FlushDone(System.nanoTime(), flush));
    }

    /** A name in a folder. */
    record Entry(String name, Node node) {}

    /** {@return what a folder holds now; names that every folder has are left out} */
    static List<Entry> list(Node folder) {
        List<Entry> entries = new ArrayList<>();
        folder.children.forEach((name, node) -> entries.add(new Entry(name, node)));
        return entries;
    }
}
