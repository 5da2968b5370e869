package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;

/** What can't be is refused in one line, before anything is started. */
class ScaleOutUsageTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --hosts=0             | --hosts 0: 1 to 16
            --hosts=1,17          | --hosts 17: 1 to 16
            --hosts=two           | 'two' is not an int
            --weak --strong       | mutually exclusive
            --rate=0              | --rate
            --rate=many           | --rate
            --users=0             | --users 0: at least 1
            --users=10 --rate=10  | mutually exclusive
            --runs=0              | --runs 0: 1 to 100
            --connections=0       | --connections 0: 1 to 10000
            --strong --connections=4 | --connections 4: with --strong at least one a host, 5
            --duration=0s         | '0s' is not more than 0s
            """)
    void whatCantBeIsRefused(String given, String expected) throws Exception {
        Ended ended = CommandInJvm.run(
                "scale-out " + given, List.of("--output=" + folder.resolve("out")));
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(2);
        assertThat(ended.errors())
                .singleElement()
                .asString()
                .startsWith("hubmark: ")
                .contains(expected);
        assertThat(folder.resolve("out")).doesNotExist();
    }
}
