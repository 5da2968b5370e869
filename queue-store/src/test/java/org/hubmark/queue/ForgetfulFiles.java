package org.hubmark.queue;

import org.hubmark.queue.simulation.SimulatedDatabase;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * The files of the machine, of which a power cut takes each name that was made or changed since its
 * folder was synced, as POSIX allows. What lies below such a folder goes with it. What native code makes
 * is not seen, and stays. Any thread.
 */
public final class ForgetfulFiles {
    private final FileSystem files = new ForgetfulFileSystem();
    private final FileSystemProvider provider = new Provider();
    private final List<Change> changes = new ArrayList<>();
    private long operationsUntilCut = Long.MAX_VALUE;
    private boolean off;

    /** A name in a folder that is not durable, and where its file was before; null for nowhere. */
    private record Change(Path name, @Nullable Path before) {}

    /** {@return the same place, by a path whose changes are forgotten} */
    public Path path(Path real) {
        return (Path) Proxy.newProxyInstance(
                Path.class.getClassLoader(),
                new Class<?>[] {Path.class},
                (proxy, method, arguments) -> call(real, method, arguments));
    }

    /** Cuts the power before the nth change of names or sync of a folder from now on. */
    public synchronized void cutBefore(long nth) {
        operationsUntilCut = nth;
    }

    /** Cuts the power: nothing changes a name from now on. */
    public synchronized void cut() {
        off = true;
    }

    /** {@return whether the power was cut} */
    public synchronized boolean isOff() {
        return off;
    }

    /** Takes what is not durable, and gives power again. Nobody uses the files. */
    public synchronized void forget() throws IOException {
        for (Change change : changes.reversed()) {
            if (change.before() != null) {
                Files.move(change.name(), change.before());
            } else {
                SimulatedDatabase.delete(change.name());
            }
        }
        changes.clear();
        operationsUntilCut = Long.MAX_VALUE;
        off = false;
    }

    private synchronized void operation() throws IOException {
        off |= --operationsUntilCut <= 0;
        if (off) {
            throw new IOException("the power is gone (simulated)");
        }
    }

    private synchronized void changed(Path name, @Nullable Path before) {
        changes.add(new Change(name, before));
    }

    private synchronized void synced(Path folder) throws IOException {
        operation();
        changes.removeIf(change -> folder.equals(change.name().getParent()));
    }

    private Object call(Path real, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("getFileSystem")) {
            return files;
        }
        Object[] given = arguments == null ? new Object[0] : arguments.clone();
        for (int i = 0; i < given.length; i++) {
            given[i] = given[i] instanceof Path path ? real(path) : given[i];
        }
        try {
            Object result = method.invoke(real, given);
            return result instanceof Path path ? path(path) : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Path real(Path path) {
        return Path.of(path.toString());
    }

    /** Does what the machine's does. */
    private final class ForgetfulFileSystem extends FileSystem {
        private final FileSystem real = FileSystems.getDefault();

        @Override
        public FileSystemProvider provider() {
            return provider;
        }

        @Override
        public void close() {}

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public String getSeparator() {
            return real.getSeparator();
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            return real.getRootDirectories();
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            return real.getFileStores();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return real.supportedFileAttributeViews();
        }

        @Override
        public Path getPath(String first, String... more) {
            return path(real.getPath(first, more));
        }

        @Override
        public PathMatcher getPathMatcher(String syntaxAndPattern) {
            return real.getPathMatcher(syntaxAndPattern);
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            return real.getUserPrincipalLookupService();
        }

        @Override
        public WatchService newWatchService() throws IOException {
            return real.newWatchService();
        }
    }

    /** Does what the machine's does, and notes which names are durable. */
    private final class Provider extends FileSystemProvider {
        private final FileSystemProvider real = FileSystems.getDefault().provider();

        @Override
        public String getScheme() {
            return "forgetful";
        }

        @Override
        public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileSystem getFileSystem(URI uri) {
            return files;
        }

        @Override
        public Path getPath(URI uri) {
            return path(real.getPath(uri));
        }

        @Override
        public FileChannel newFileChannel(
                Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            Path file = real(path);
            if (Files.isDirectory(file)) {
                // A folder is opened to be synced.
                synced(file);
            } else if (!Files.exists(file)
                    && (options.contains(StandardOpenOption.CREATE)
                            || options.contains(StandardOpenOption.CREATE_NEW))) {
                operation();
                FileChannel made = real.newFileChannel(file, options, attributes);
                changed(file, null);
                return made;
            }
            return real.newFileChannel(file, options, attributes);
        }

        @Override
        public SeekableByteChannel newByteChannel(
                Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            return newFileChannel(path, options, attributes);
        }

        @Override
        public DirectoryStream<Path> newDirectoryStream(
                Path dir, DirectoryStream.Filter<? super Path> filter) throws IOException {
            DirectoryStream<Path> entries = real.newDirectoryStream(real(dir), filter);
            List<Path> found = StreamSupport.stream(entries.spliterator(), false)
                    .map(ForgetfulFiles.this::path)
                    .toList();
            entries.close();
            return new DirectoryStream<>() {
                @Override
                public Iterator<Path> iterator() {
                    return found.iterator();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void createDirectory(Path dir, FileAttribute<?>... attributes) throws IOException {
            Path folder = real(dir);
            operation();
            real.createDirectory(folder, attributes);
            changed(folder, null);
        }

        @Override
        public void delete(Path path) throws IOException {
            operation();
            real.delete(real(path));
        }

        @Override
        public void copy(Path source, Path target, CopyOption... options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void move(Path source, Path target, CopyOption... options) throws IOException {
            operation();
            real.move(real(source), real(target), options);
            changed(real(target), real(source));
        }

        @Override
        public boolean isSameFile(Path path, Path path2) throws IOException {
            return real.isSameFile(real(path), real(path2));
        }

        @Override
        public boolean isHidden(Path path) throws IOException {
            return real.isHidden(real(path));
        }

        @Override
        public FileStore getFileStore(Path path) throws IOException {
            return real.getFileStore(real(path));
        }

        @Override
        public void checkAccess(Path path, AccessMode... modes) throws IOException {
            real.checkAccess(real(path), modes);
        }

        @Override
        public <V extends FileAttributeView> V getFileAttributeView(
                Path path, Class<V> type, LinkOption... options) {
            return real.getFileAttributeView(real(path), type, options);
        }

        @Override
        public <A extends BasicFileAttributes> A readAttributes(
                Path path, Class<A> type, LinkOption... options) throws IOException {
            return real.readAttributes(real(path), type, options);
        }

        @Override
        public Map<String, Object> readAttributes(
                Path path, String attributes, LinkOption... options) throws IOException {
            return real.readAttributes(real(path), attributes, options);
        }

        @Override
        public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
                throws IOException {
            real.setAttribute(real(path), attribute, value, options);
        }
    }
}
