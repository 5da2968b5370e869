package org.hubmark.hub.admin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The path of a Unix domain socket. The kernel takes 107 octets (sun_path in unix(7)), and volumes may
 * lie deeper than that: then a symbolic link in the folder for temporary files stands for the folder
 * of the socket while it is bound or connected to.
 */
final class SocketPath {
    /** What Java's sockets take of the kernel's 107. */
    private static final int BYTES_MAX = 100;

    private SocketPath() {}

    /** Binds or connects. */
    interface Use<T> {
        T at(Path path) throws IOException;
    }

    /** Does something with a socket under a path that is short enough. */
    static <T> T use(Path socket, Use<T> use) throws IOException {
        if (socket.toString().getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX) {
            return use.at(socket);
        }
        // For its owner alone, and under a name that nobody can foresee.
        Path folder = Files.createTempDirectory("hubmark-");
        Path link = folder.resolve("v");
        try {
            Files.createSymbolicLink(link, socket.toAbsolutePath().getParent());
            return use.at(link.resolve(socket.getFileName()));
        } finally {
            Files.deleteIfExists(link);
            Files.deleteIfExists(folder);
        }
    }
}
