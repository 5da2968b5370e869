package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Proves that commands write files by OutputFile and PrivateFiles alone, which follow no link of somebody
 * else's: the sources are searched for every other way, and those that may have one are listed.
 */
final class FileWritesTest {
    private static final Path ROOT = Path.of(System.getProperty("hubmark.root"));

    private static final Pattern OTHER_WAYS =
            Pattern.compile("\\bFiles\\s*\\.\\s*(?:write|writeString"
                    + "|newBufferedWriter|newOutputStream)\\(|\\bFileWriter\\b|new (?:FileOutputStream|"
                    + "RandomAccessFile|HistogramLogWriter|PrintWriter|PrintStream)\\(\\s*\\w+(?:\\.toFile\\(|,"
                    + " \")|writeValue\\(\\s*\\w+\\.toFile|\\.redirect(?:Output|Error)\\(\\s*\\w+\\.toFile"
                    + "|Redirect\\.(?:to|appendTo)\\(|StandardOpenOption\\s*\\.\\s*(?:CREATE|TRUNCATE_EXISTING"
                    + "|APPEND)\\b");

    private static final Set<String> ALLOWED = new TreeSet<>(Set.of(
            // The two ways, and one past the page cache that follows no link.
            "OutputFile.java",
            "PrivateFiles.java",
            "DirectFiles.java",
            // Files of the kernel, of which no others can be made.
            "WriteCache.java",
            "CpuLimit.java",
            "CrashCluster.java",
            // New files of a random name, or in a new folder that nobody else can write to.
            "SystemTool.java",
            "PreloadLibrary.java",
            // What flips bits in copies that it has made.
            "BitFlips.java"));

    @Test
    void filesAreWrittenInTwoWays() throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> all = Files.walk(ROOT)) {
            for (Path file : all.filter(FileWritesTest::isSource).toList()) {
                if (OTHER_WAYS.matcher(Files.readString(file)).find()) {
                    found.add(String.valueOf(file.getFileName()));
                }
            }
        }
        assertThat(found).isEqualTo(ALLOWED);
    }

    private static boolean isSource(Path file) {
        String name = ROOT.relativize(file).toString();
        return name.contains("src/main/java/") && name.endsWith(".java");
    }
}
