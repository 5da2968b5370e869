import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Port;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes an OCI image from folders, without a container engine: {@code java Image.java lab|server VERSION
 * COMMIT SECONDS SYSTEM PACKAGE CONFIG CACHE OUTPUT}. SYSTEM is the C library and a shell, PACKAGE what the
 * archive of the same name holds. All of it belongs to root; the user of the image may write to volumes alone.
 */
final class Image {
    private static final String USER = "10025:10025";
    private static final FilePermissions PRIVATE = FilePermissions.fromOctalString("700");
    private static final FilePermissions READ = FilePermissions.fromOctalString("644");
    private static final FilePermissions RUN = FilePermissions.fromOctalString("755");

    private Image() {}

    public static void main(String[] arguments) throws Exception {
        String kind = arguments[0];
        String version = arguments[1];
        Instant time = Instant.ofEpochSecond(Long.parseLong(arguments[3]));
        Path system = Path.of(arguments[4]);
        Path packed = Path.of(arguments[5]);
        Path empty = Files.createDirectories(Path.of(arguments[7], "empty"));
        boolean server = kind.equals("server");
        List<String> volumes = server
                ? List.of("/var/lib/hubmark/log", "/var/lib/hubmark/queue", "/var/lib/hubmark/tracking")
                : List.of("/work");
        FileEntriesLayer.Builder folders = FileEntriesLayer.builder().setName("folders");
        for (String folder : server ? List.of("/var/lib/hubmark") : List.<String>of()) {
            folders.addEntry(empty, at(folder), PRIVATE, time, USER);
        }
        for (String volume : volumes) {
            folders.addEntry(empty, at(volume), PRIVATE, time, USER);
        }
        folders.addEntry(empty, at("/tmp"), PRIVATE, time, USER);
        JibContainerBuilder image = Jib.fromScratch()
                .setFormat(ImageFormat.OCI)
                .setCreationTime(time)
                .setUser(USER)
                .setWorkingDirectory(at(server ? "/var/lib/hubmark" : "/work"))
                .setVolumes(Stream.concat(volumes.stream(), Stream.of("/tmp"))
                        .map(Image::at)
                        .collect(Collectors.toSet()))
                // Sorted: the order of Map.of is another in each JVM, and would be that of the image's configuration.
                .setEnvironment(new TreeMap<>(Map.of(
                        "PATH", "/opt/hubmark:/usr/local/bin:/bin",
                        "HOME", server ? "/var/lib/hubmark" : "/work",
                        "LC_ALL", "C.UTF-8")))
                .setLabels(new TreeMap<>(Map.of(
                        "org.opencontainers.image.title", "hubmark-" + kind,
                        "org.opencontainers.image.version", version,
                        "org.opencontainers.image.revision", arguments[2],
                        "org.opencontainers.image.licenses", "Apache-2.0",
                        "org.opencontainers.image.url", "https://hubmark.org")))
                .setEntrypoint("/opt/hubmark/hubmark")
                .addFileEntriesLayer(layer("system", system, "/", time))
                .addFileEntriesLayer(layer("runtime", packed.resolve("runtime"), "/opt/hubmark/runtime", time))
                .addFileEntriesLayer(layer("hubmark", packed, "/opt/hubmark", time))
                .addFileEntriesLayer(layer("config", Path.of(arguments[6]), "/", time))
                .addFileEntriesLayer(folders.build());
        if (server) {
            image.setProgramArguments("serve", "--config", "/etc/hubmark/serve.properties")
                    // Not that of metrics, which are on loopback until an option says otherwise.
                    .setExposedPorts(Set.of(Port.tcp(2525)));
        } else {
            image.setProgramArguments("--help");
        }
        Path cache = Path.of(arguments[7]);
        image.containerize(Containerizer.to(TarImage.at(Path.of(arguments[8]))
                        .named("hubmark/" + kind + ":" + version))
                .setToolName("hubmark")
                .setOfflineMode(true)
                .setApplicationLayersCache(cache.resolve("layers"))
                .setBaseImageLayersCache(cache.resolve("base")));
    }

    private static AbsoluteUnixPath at(String path) {
        return AbsoluteUnixPath.get(path);
    }

    /** A folder as it lies there. Links are followed; the runtime has a layer of its own. */
    private static FileEntriesLayer layer(String name, Path folder, String place, Instant time)
            throws IOException {
        FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName(name);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted().toList()) {
                Path below = folder.relativize(file);
                if (below.toString().isEmpty() || name.equals("hubmark") && below.startsWith("runtime")) {
                    continue;
                }
                layer.addEntry(
                        file.toRealPath(),
                        at(place).resolve(below.toString()),
                        Files.isDirectory(file) || Files.isExecutable(file) ? RUN : READ,
                        time);
            }
        }
        return layer.build();
    }
}
