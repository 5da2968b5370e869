package org.hubmark.bench.cli;

import org.hubmark.bench.durability.Campaign;
import org.hubmark.queue.QueueStore;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;

/**
 * Loads the store, and what crashes it, once more, with one class of it changed. All other classes are
 * those of the JVM, with RocksDB's library among them, which a JVM loads once.
 */
final class StoreLoader extends ClassLoader {
    private static final Set<String> PACKAGES =
            Set.of(QueueStore.class.getPackageName(), Campaign.class.getPackageName());

    private final @Nullable Mutant mutant;

    /** Loads the classes as they are, where the mutant is null. */
    StoreLoader(@Nullable Mutant mutant) {
        super(StoreLoader.class.getClassLoader());
        this.mutant = mutant;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!isLoadedHere(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    private static boolean isLoadedHere(String name) {
        return name.startsWith(Mutations.class.getName())
                || PACKAGES.stream().anyMatch(one -> name.startsWith(one + "."));
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/');
        try (InputStream in = getResourceAsStream(file + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] octets = mutant != null && mutant.type().equals(file)
                    ? mutant.changedClass()
                    : in.readAllBytes();
            return defineClass(name, octets, 0, octets.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
