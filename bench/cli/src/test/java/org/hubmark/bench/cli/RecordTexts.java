package org.hubmark.bench.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the comments of records say of their components, read from the sources of the modules. */
final class RecordTexts {
    private static final Pattern COMPONENT =
            Pattern.compile("@param (\\w+) ((?:[^@{]|\\{@\\w+ [^}]*\\})*)");

    private final Map<String, Path> sources = new HashMap<>();

    RecordTexts() {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path module : modules.toList()) {
                Path main = module.resolve("src/main/java");
                if (Files.isDirectory(main)) {
                    try (Stream<Path> files = Files.walk(main)) {
                        files.forEach(file -> sources.put(main.relativize(file).toString(), file));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the words for each component that has some} */
    Map<String, String> of(Class<?> type) {
        Path source =
                sources.get(type.getName().replace('.', '/').replaceFirst("\\$.*", "") + ".java");
        Map<String, String> words = new HashMap<>();
        try {
            List<String> parts = source == null
                    ? List.of()
                    : List.of(Files.readString(source)
                            .split("\\brecord " + type.getSimpleName() + "\\(", 2));
            if (parts.size() == 2) {
                String before = parts.getFirst();
                Matcher found = COMPONENT.matcher(before.substring(before.lastIndexOf("/**")));
                while (found.find()) {
                    words.put(
                            found.group(1),
                            found.group(2)
                                    .replaceAll("\\*/[\\s\\S]*", "")
                                    .replaceAll("\\s+\\*?\\s*", " ")
                                    .replaceAll("\\{@\\w+ #?([^}]*)\\}", "$1")
                                    .strip());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return words;
    }
}
