import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes the libraries of a package fit for Linux, and collects the licences of all that is packed.
 * The script hubmark and .ci/release start it from the source: {@code java Pack.java PACKAGE JARS ROOT MAIN}.
 * JARS is the folder of the libraries, MAIN the jar whose manifest names them: what an earlier build has left in the
 * folder is deleted.
 *
 * <p>RocksDB and Netty have a library for each kind of machine in their jars, 250 MB in all; the package
 * has the one that it needs in lib/native. Jars without such libraries stay as Maven Central has them,
 * so that their checksums can be compared.
 */
final class Pack {
    private static final Pattern NATIVE = Pattern.compile(".*\\.(so|dll|jnilib|dylib)");
    private static final Pattern LICENCE =
            Pattern.compile("(?:META-INF/)?(?:license/)?(?:LICEN[SC]E|NOTICE|COPYING)[^/]*|META-INF/license/[^/]+");
    private static final Pattern JAR = Pattern.compile("(.+?)-(\\d[^-]*(?:-SNAPSHOT|-alpha)?)(-linux-.*)?\\.jar");
    /** A line of libraries.txt: group, artifact, version, licence. */
    private static final Pattern LINE = Pattern.compile("(?m)^[^: ]+:(\\S+) \\S+ (.+)$");

    /** The same on every machine; the first day of a jar's calendar would be written with the time zone. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

    private final Path texts;
    private final Map<String, String> licences;

    private Pack(Path root) throws IOException {
        texts = root.resolve("src/release/licences");
        licences = licences(root);
    }

    public static void main(String[] arguments) throws IOException {
        Path packed = Path.of(arguments[0]);
        Path root = Path.of(arguments[2]);
        Path main = Path.of(arguments[3]);
        List<String> named = classPath(main);
        List<Path> jars = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of(arguments[1]))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
                if (file.equals(main) || named.contains(file.getFileName().toString())) {
                    jars.add(file);
                } else {
                    Files.delete(file);
                }
            }
        }
        Pack pack = new Pack(root);
        StringBuilder list = new StringBuilder();
        for (Path jar : jars) {
            takeNativesOut(jar);
            pack.collect(jar, packed.resolve("licences"), list);
        }
        list.append("runtime: GPL-2.0 with the Classpath Exception; see runtime/legal\n");
        Files.writeString(packed.resolve("licences/LIST"), list);
    }

    /** {@return the names of the libraries of a jar, without folders} */
    private static List<String> classPath(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            String path = file.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return Stream.of(path.split(" ")).map(entry -> entry.replaceFirst(".*/", "")).toList();
        }
    }

    private static Map<String, String> licences(Path root) throws IOException {
        Map<String, String> licences = new TreeMap<>();
        Matcher line = LINE.matcher(Files.readString(root.resolve("src/release/libraries.txt")));
        while (line.find()) {
            licences.put(line.group(1), line.group(2));
        }
        return licences;
    }

    private static void takeNativesOut(Path jar) throws IOException {
        Path made = jar.resolveSibling(jar.getFileName() + ".new");
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            if (zip.stream().noneMatch(entry -> isLeftOut(entry.getName()))) {
                return;
            }
            try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(made))) {
                for (ZipEntry entry : Collections.list(zip.entries())) {
                    if (isLeftOut(entry.getName())) {
                        continue;
                    }
                    ZipEntry copy = new ZipEntry(entry.getName());
                    copy.setTimeLocal(TIME);
                    out.putNextEntry(copy);
                    try (InputStream in = zip.getInputStream(entry)) {
                        in.transferTo(out);
                    }
                    out.closeEntry();
                }
            }
        }
        Files.move(made, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean isLeftOut(String entry) {
        return NATIVE.matcher(entry).matches();
    }

    /** Copies the texts of one jar to a folder of its name, and adds a line to the list. */
    private void collect(Path jar, Path folder, StringBuilder list) throws IOException {
        String file = jar.getFileName().toString();
        Matcher name = JAR.matcher(file);
        if (!name.matches()) {
            throw new IOException(file + " has no version in its name");
        }
        String artifact = name.group(1);
        Path place = folder.resolve(file.replaceFirst("\\.jar$", ""));
        boolean ours = isOurs(jar);
        String licence = ours ? "Apache-2.0" : licences.get(artifact);
        if (licence == null) {
            throw new IOException("src/release/libraries.txt has no line for " + artifact);
        }
        list.append(file).append(": ").append(licence).append('\n');
        if (ours) {
            return;
        }
        Files.createDirectories(place);
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            zip.stream()
                    .filter(entry -> !entry.isDirectory()
                            && LICENCE.matcher(entry.getName()).matches())
                    .forEach(entry -> copy(zip, entry, place));
        }
        for (Path text : texts(artifact, licence)) {
            Files.copy(text, place.resolve(text.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
        try (Stream<Path> copied = Files.list(place)) {
            if (copied.findAny().isEmpty()) {
                throw new IOException("there is no text of the licence " + licence + " of " + file
                        + "; add it to src/release/licences");
            }
        }
    }

    private static void copy(ZipFile zip, ZipEntry entry, Path place) {
        try (InputStream in = zip.getInputStream(entry)) {
            String name = entry.getName().replaceFirst(".*/", "");
            Files.copy(in, place.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return our texts for an artifact: its own, and that of each licence that has the same text for all} */
    private List<Path> texts(String artifact, String licence) throws IOException {
        try (Stream<Path> files = Files.list(texts)) {
            return files.filter(file -> {
                        String name = file.getFileName().toString().replaceFirst("\\.txt$", "");
                        return artifact.equals(name)
                                || artifact.startsWith(name + "-")
                                || licence.toUpperCase(Locale.ROOT).contains(name.toUpperCase(Locale.ROOT));
                    })
                    .sorted()
                    .toList();
        }
    }

    private static boolean isOurs(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.stream().anyMatch(entry -> entry.getName().startsWith("org/hubmark/"));
        }
    }
}
