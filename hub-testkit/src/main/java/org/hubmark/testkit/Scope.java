package org.hubmark.testkit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Gives each JUnit context that asks for it one hub, which the contexts within it share, and
 * ends it with that context. Any thread: all state is in JUnit's store or under a lock.
 */
final class Scope {
    private final Supplier<TestHub> start;
    private final Namespace namespace;
    /** JUnit begins a test on the thread that runs it. */
    @SuppressWarnings("ThreadLocalUsage") // one for each extension
    private final ThreadLocal<@Nullable Slot> begun = new ThreadLocal<>();

    private final Set<Slot> open = ConcurrentHashMap.newKeySet();

    /** A hub of one context, started when it is first asked for. */
    private static final class Slot {
        private final String owner;
        private final Supplier<TestHub> start;
        private @Nullable TestHub hub;
        private boolean ended;

        Slot(String owner, Supplier<TestHub> start) {
            this.owner = owner;
            this.start = start;
        }

        synchronized TestHub hub() {
            if (ended) {
                throw new IllegalStateException("it has ended with " + owner);
            }
            if (hub == null) {
                hub = start.get();
            }
            return hub;
        }

        synchronized void end() {
            ended = true;
            if (hub != null) {
                hub.close();
            }
        }
    }

    Scope(Supplier<TestHub> start) {
        this.start = start;
        this.namespace = Namespace.create(Scope.class, this);
    }

    /** Begins a scope with this context, unless one around it has begun already. */
    void begin(ExtensionContext context) {
        Slot slot = slot(context);
        begun.set(slot);
        open.add(slot);
    }

    /** {@return the hub of this context, or of one around it} */
    TestHub hub(ExtensionContext context) {
        return slot(context).hub();
    }

    /**
     * {@return the hub of the scope that was begun on this thread; on a thread that a test has made, of
     * the only one}
     */
    TestHub hub() {
        Slot own = begun.get();
        if (own != null && open.contains(own)) {
            return own.hub();
        }
        List<Slot> all = List.copyOf(open);
        if (all.size() > 1) {
            throw new IllegalStateException(
                    "several tests run at the same time, and this thread belongs to none of them;"
                            + " call it on the test's own thread");
        }
        if (all.isEmpty() && own == null) {
            throw new IllegalStateException("no test is running");
        }
        return all.isEmpty() ? own.hub() : all.getFirst().hub();
    }

    /** Ends the scope if it began with this context. */
    void end(ExtensionContext context) {
        Slot slot = context.getStore(namespace).get(Slot.class, Slot.class);
        if (slot == null) {
            return;
        }
        if (slot.owner.equals(context.getUniqueId())) {
            open.remove(slot);
            slot.end();
        }
    }

    private Slot slot(ExtensionContext context) {
        return context.getStore(namespace)
                .getOrComputeIfAbsent(
                        Slot.class, absent -> new Slot(context.getUniqueId(), start), Slot.class);
    }
}
