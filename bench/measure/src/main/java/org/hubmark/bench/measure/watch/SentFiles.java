package org.hubmark.bench.measure.watch;

import org.hubmark.bench.machine.HostFiles;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of another machine as it sent them last; what it was not asked for is not there, and an
 * empty file can't be told from none. One thread.
 */
final class SentFiles implements HostFiles {
    private final TreeMap<String, String> texts = new TreeMap<>();

    /** Takes the place of all that was sent before. */
    void replace(Map<String, String> sent) {
        texts.clear();
        texts.putAll(sent);
    }

    @Override
    public String text(String file) {
        return texts.getOrDefault(file, "");
    }

    @Override
    public List<String> names(String folder, String glob) {
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        String above = folder.endsWith("/") ? folder : folder + "/";
        return texts.subMap(above, above + Character.MAX_VALUE).keySet().stream()
                .map(file -> file.substring(above.length()).split("/", 2)[0])
                .distinct()
                .filter(name -> matcher.matches(Path.of(name)))
                .sorted(Comparator.comparingInt(String::length)
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    @Override
    public boolean exists(String file) {
        return texts.containsKey(file);
    }
}
