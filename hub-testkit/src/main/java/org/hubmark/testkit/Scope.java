package org.hubmark.testkit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Gives each JUnit context that asks for it one resource, which the contexts within it share, and
 * ends it with that context. Any thread: all state is in JUnit's store or under a lock.
 */
final class Scope<T extends TestResource> {
    private final Supplier<T> start;
    private final Class<T> type;
    private final Namespace namespace;
    /** JUnit begins a test on the thread that runs it. */
    @SuppressWarnings("ThreadLocalUsage") // one for each extension
    private final ThreadLocal<@Nullable Slot<T>> begun = new ThreadLocal<>();

    private final Set<Slot<T>> open = ConcurrentHashMap.newKeySet();

    /** A resource of one context, started when it is first asked for. */
    private static final class Slot<T extends TestResource> {
        private final String owner;
        private final Supplier<T> start;
        private @Nullable T resource;
        private boolean failed;
        private boolean ended;

        Slot(String owner, Supplier<T> start) {
            this.owner = owner;
            this.start = start;
        }

        synchronized T resource() {
            if (ended) {
                throw new IllegalStateException("it has ended with " + owner);
            }
            if (resource == null) {
                resource = start.get();
            }
            return resource;
        }

        synchronized void fail() {
            failed = true;
        }

        synchronized void end() {
            ended = true;
            if (resource != null) {
                if (failed) {
                    resource.keep();
                }
                resource.close();
            }
        }
    }

    Scope(Class<T> type, Supplier<T> start) {
        this.type = type;
        this.start = start;
        this.namespace = Namespace.create(Scope.class, this);
    }

    /** Begins a scope with this context, unless one around it has begun already. */
    void begin(ExtensionContext context) {
        Slot<T> slot = slot(context);
        begun.set(slot);
        open.add(slot);
    }

    /** {@return the resource of this context, or of one around it} */
    T resource(ExtensionContext context) {
        return slot(context).resource();
    }

    /**
     * {@return the resource of the scope that was begun on this thread; on a thread that a test has made, of
     * the only one}
     */
    T resource() {
        Slot<T> own = begun.get();
        if (own != null && open.contains(own)) {
            return own.resource();
        }
        List<Slot<T>> all = List.copyOf(open);
        if (all.size() > 1) {
            throw new IllegalStateException("several tests run at the same time, and this thread is"
                    + " of none of them; ask for it on the test's own thread");
        }
        if (all.isEmpty() && own == null) {
            throw new IllegalStateException("no test is running");
        }
        return all.isEmpty() ? own.resource() : all.getFirst().resource();
    }

    /** Ends the scope if it began with this context, with what it holds kept if a test failed. */
    void end(ExtensionContext context) {
        Slot<?> slot = context.getStore(namespace).get(type, Slot.class);
        if (slot == null) {
            return;
        }
        if (context.getExecutionException().isPresent()) {
            slot.fail();
        }
        if (slot.owner.equals(context.getUniqueId())) {
            open.remove(slot);
            slot.end();
        }
    }

    @SuppressWarnings("unchecked") // Only slots of this type are put under the type.
    private Slot<T> slot(ExtensionContext context) {
        return (Slot<T>) context.getStore(namespace)
                .getOrComputeIfAbsent(
                        type, absent -> new Slot<>(context.getUniqueId(), start), Slot.class);
    }
}
