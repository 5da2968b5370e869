package org.hubmark.testkit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

import java.util.function.Supplier;

/**
 * Gives each JUnit context that asks for it one resource, which the contexts within it share, and
 * ends it with that context. Any thread: all state is in JUnit's store or under a lock.
 */
final class Scope<T extends TestResource> {
    private final Supplier<T> start;
    private final Class<T> type;
    private final Namespace namespace;
    private volatile @Nullable Slot<T> current;

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
        current = slot(context);
    }

    /** {@return the resource of this context, or of one around it} */
    T resource(ExtensionContext context) {
        return slot(context).resource();
    }

    /** {@return the resource of the scope that was begun last} */
    T resource() {
        Slot<T> slot = current;
        if (slot == null) {
            throw new IllegalStateException("no test is running");
        }
        return slot.resource();
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
