package org.hubmark.bench.qualify.pages;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A B+tree: values by a key. Its root keeps its page. Leaves that become empty
 * are free, others are not put together. The caller has the store.
 */
final class Tree {
    private final long root;
    private final Space space;

    /** Pages from the root to a leaf, with the slot that leads to the next. */
    private record Step(long page, int slot) {}

    /** Gets what a tree has. */
    @FunctionalInterface
    interface Visitor {
        void value(long key, byte[] value);
    }

    Tree(long root, Space space) {
        this.root = root;
        this.space = space;
    }

    private List<Step> path(PageChange change, long key) throws Missing {
        List<Step> path = new ArrayList<>();
        long number = root;
        while (true) {
            ByteBuffer page = change.page(number);
            if (Page.type(page) == Page.LEAF) {
                path.add(new Step(number, Page.find(page, key)));
                return path;
            }
            int slot = Page.childSlot(page, key);
            path.add(new Step(number, slot));
            number = Page.longValue(page, slot);
        }
    }

    byte @Nullable [] get(PageChange change, long key) throws Missing {
        Step leaf = path(change, key).getLast();
        return leaf.slot() < 0 ? null : Page.value(change.page(leaf.page()), leaf.slot());
    }

    /**
     * Sees to it that all pages are there which are needed to put parts under a key, and under those behind it.
     *
     * @param bytes of all parts
     * @return new pages at most
     */
    int prepare(PageChange change, long key, int parts, int bytes) throws Missing {
        List<Step> path = path(change, key);
        boolean fits = parts == 1 && Page.hasRoom(change.page(path.getLast().page()), bytes);
        // Three long parts are on a page; what stands before and behind may need one of its own,
        // and so
        // may each page above.
        return fits ? 0 : parts / 2 + 2 + 2 * (path.size() + 1);
    }

    /** Tells of all values with keys from one to another. */
    void scan(PageChange change, long from, long to, Visitor visitor) throws Missing {
        scan(change, root, from, to, visitor);
    }

    private void scan(PageChange change, long number, long from, long to, Visitor visitor)
            throws Missing {
        ByteBuffer page = change.page(number);
        if (Page.type(page) == Page.LEAF) {
            int found = Page.find(page, from);
            for (int i = found < 0 ? -found - 1 : found;
                    i < Page.count(page) && Page.key(page, i) <= to;
                    i++) {
                visitor.value(Page.key(page, i), Page.value(page, i));
            }
            return;
        }
        List<Long> children = new ArrayList<>();
        for (int i = Page.childSlot(page, from); i < Page.count(page); i++) {
            if (!children.isEmpty() && Page.key(page, i) > to) {
                break;
            }
            children.add(Page.longValue(page, i));
        }
        // All at once, so that those side by side are read together.
        change.require(children);
        for (long child : children) {
            scan(change, child, from, to, visitor);
        }
    }

    /** Puts a value in, or in the place of one. */
    void put(PageChange change, long key, byte[] value) throws Missing {
        List<Step> path = path(change, key);
        Step leaf = path.getLast();
        int slot = leaf.slot();
        if (slot >= 0) {
            change.delete(leaf.page(), slot);
        } else {
            slot = -slot - 1;
        }
        while (!Page.hasRoom(change.page(leaf.page()), value.length)) {
            split(change, path, slot, key);
            path = path(change, key);
            leaf = path.getLast();
            slot = -leaf.slot() - 1;
        }
        change.insert(leaf.page(), slot, key, value);
    }

    /** Makes room in the last page of a path for what comes at a slot. */
    private void split(PageChange change, List<Step> path, int at, long key) throws Missing {
        Step last = path.getLast();
        if (path.size() == 1) {
            push(change);
            return;
        }
        ByteBuffer page = change.page(last.page());
        int count = Page.count(page);
        Step above = path.get(path.size() - 2);
        if (!Page.hasRoom(change.page(above.page()), Long.BYTES)) {
            // It may be another page that is above then.
            split(change, path.subList(0, path.size() - 1), above.slot() + 1, key);
            return;
        }
        // What comes at the end of a row of messages has its own page from then on, and leaves this
        // one full.
        int most = Page.type(page) == Page.LEAF ? count : count - 1;
        int cut = at > 0 ? Math.min(at, most) : Math.max(1, count / 2);
        long firstKey = cut < count ? Page.key(page, cut) : key;
        long right = space.take(change, Page.type(page));
        move(change, last.page(), cut, right);
        change.insert(above.page(), above.slot() + 1, firstKey, octets(right));
    }

    /** Puts all that the root has into a new page under it. */
    private void push(PageChange change) throws Missing {
        byte type = Page.type(change.page(root));
        long child = space.take(change, type);
        move(change, root, 0, child);
        change.init(root, Page.INNER);
        change.insert(root, 0, 0, octets(child));
    }

    private static void move(PageChange change, long from, int slot, long to) throws Missing {
        ByteBuffer page = change.page(from);
        for (int i = slot; i < Page.count(page); i++) {
            change.insert(to, i - slot, Page.key(page, i), Page.value(page, i));
        }
        change.cut(from, slot);
    }

    private static byte[] octets(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    /** Takes a value away, if it is there. */
    void remove(PageChange change, long key) throws Missing {
        List<Step> path = path(change, key);
        Step leaf = path.getLast();
        if (leaf.slot() < 0) {
            return;
        }
        change.delete(leaf.page(), leaf.slot());
        if (Page.count(change.page(leaf.page())) == 0 && path.size() > 1) {
            Step above = path.get(path.size() - 2);
            if (Page.count(change.page(above.page())) > 1) {
                change.delete(above.page(), above.slot());
                space.give(change, leaf.page());
            }
        }
    }
}
