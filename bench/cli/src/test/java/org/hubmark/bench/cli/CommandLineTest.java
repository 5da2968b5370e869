package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.server.Converters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Proves that wrong usage ends with one line that says what and how, and with its exit code. */
class CommandLineTest {
    private static final Path MISSING_MOUNT = Path.of("/mnt/hubmark-no-such-mount");

    @TempDir
    Path folder;

    /** {@return the line that a command says when it ends with that exit code} */
    private static String complaint(int exitCode, String... arguments) throws Exception {
        Ended ended = CommandInJvm.run(arguments);
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        assertThat(ended.errors()).hasSize(1);
        return ended.errors().getFirst();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | run --foo                       | Unknown option: '--foo'",
                "2 | frobnicate                      | there is no command 'frobnicate'; see hubmark --help",
                "2 | matrx                           | there is no command 'matrx' (did you mean matrix?)",
                "2 | run --sizes 0                   | 2B to 150MB",
                "2 | run --sizes 151MB               | 2B to 150MB",
                "2 | run --sizes 57kb                | '57kb' is not a size",
                "2 | run --sizes 57                  | '57' is not a size",
                "1 | run --target 127.0.0.1:1        | can't be reached",
                "1 | run --target nowhere.invalid:25 | nowhere.invalid:25: no such host",
                "1 | load --target nowhere.invalid:25 | nowhere.invalid:25: no such host",
                "2 | run --sizes 4KB,4KB             | twice",
                "2 | run --duration ten              | 'ten' is not a time",
                "2 | run --duration 0s               | more than 0s",
                "2 | run --rate 0                    | is not max, max-sustained or a number",
                "2 | run --rate NaN                  | is not max, max-sustained or a number",
                "2 | run --rate 1000,2000            | give each rate a run of its own",
                "2 | load --target 127.0.0.1:1 --rate 1000..5000/60s | give each rate a run of its own",
                "2 | run --rate max-sustained --latency-limit 0s | is not more than 0s",
                "2 | load --target 127.0.0.1:1 --corpus . --sizes 1KB | exclude each other",
                "2 | run --recipients 0              | 1 to 10000",
                "2 | run --repeat 0                  | at least 1",
                "2 | run --connections 100000000     | needs more open files",
                "2 | run --transfer smoke            | expected one of [DATA, BDAT]",
                "2 | run --driver-warmup long        | 'long' is not a time",
                "2 | run --deliver pigeon            | discard, hold, directory:DIR",
                "2 | run --durability maybe          | is not a durability class",
                "2 | run --corpus /no/such/folder    | is not a folder",
                "2 | run --sizes 57KB --set smtp.message-size-max=10KB | 2B to 10KB",
                "2 | run --set smtp.message-size-max=much | 'much' is not a size",
                "2 | load --target 127.0.0.1:1 --sender a>b | is not an address",
                "2 | load --target 127.0.0.1:1 --auth-user me | --auth-password-file",
                "2 | run --config /no/such/file      | can't be read",
                "2 | run --publish --rate max        | a --rate that is not max",
                "2 | run --publish --repeat 4        | 5 or more",
                "2 | run --publish --duration 59s    | 1m or more",
                "2 | run --publish --warmup 3s       | 30s or more",
                "2 | run --publish --deliver hold    | --deliver discard",
                "2 | run --publish --audit sampled   | --audit doesn't go with --publish",
                "2 | run --publish --intake discard  | --intake doesn't go with --publish",
                "2 | run --publish --shared-machine  | --shared-machine doesn't go",
                "2 | run --publish --latency-at off  | --latency-at doesn't go",
                "2 | run --publish --target 127.0.0.1:1 | --target doesn't go with --publish",
                "2 | run --latency-at 101%           | not a percentage from 0% to 100%",
                "2 | matrix --dry-run --publish --rate max | a --rate that is not max",
                "2 | run --target-volume d           | are for a --target",
                "2 | matrix --layouts two            | expected one of [ONE, APART, THREE, STRIPED]",
                "2 | matrix --write-cache maybe      | expected one of [ON, OFF]",
                "2 | matrix --preset x               | is not a preset (hub-study, first-study)",
                "2 | matrix --preset hub-study --sizes 4KB | --sizes doesn't go with --preset hub-study",
                "2 | matrix --dry-run --sizes 151MB  | 2B to 150MB",
                "2 | matrix --dry-run --rate x       | --rate",
                "2 | matrix --dry-run --duration ten | 'ten' is not a time",
                "2 | matrix --queue-volume x         | need a --log-volume",
                "2 | matrix --volume-size 1MB        | at least 300MB",
                "2 | matrix --deliver directory:x    | discard or hold",
                "2 | --config x                      | comes after the command",
                "2 | load                            | --target",
                "2 | load --target nowhere           | is not HOST:PORT",
                "2 | load --target 127.0.0.1:0       | a port from 1 to 65535",
                "2 | run --target 127.0.0.1:1 --deliver hold | --deliver doesn't go with --target",
                "2 | run --target 127.0.0.1:1 --set store.log.direct=off | --set doesn't go with",
                "2 | run --target localhost:0        | a port from 1 to 65535",
                "2 | users --smtp 127.0.0.1:0        | a port from 1 to 65535",
                "2 | run --output=                   | a name is needed",
                "2 | run --log-volume=               | a name is needed",
                "2 | run --checkpoint-depth 0        | 1MiB or more",
                "2 | matrix --checkpoint-depth 4MiB,1KB | 1MiB or more",
                "2 | sink --defer-percent 60 --reject-percent 60 | 0 to 100 percent",
                "2 | durability --kinds meteor       | expected one of [KILL, ",
                "2 | durability --class maybe        | is not a durability class",
                "2 | durability --crashes 0          | at least 1",
                "2 | durability --crashes 1 --for 1s | are mutually exclusive",
                "2 | durability --server x           | --read-back",
                "2 | durability --server x --read-back y | has no {port}",
                "2 | compare                         | required parameter",
                "2 | compare one                     | required parameter",
                "1 | load --target 127.0.0.1:1       | can't be reached",
                "1 | run --output /proc/none         | no such file or folder",
                "1 | run --output /proc/version      | there is a file where a folder should be",
            })
    void saysWhatIsWrongInOneLine(int exitCode, String arguments, String words) throws Exception {
        assertThat(complaint(exitCode, arguments.trim().split(" +", -1)))
                .startsWith("hubmark: ")
                .contains(words);
    }

    @Test
    void readsOptionsFromAFile() throws Exception {
        Path file = folder.resolve("run.properties");
        Files.writeString(file, "\uFEFFsizes = 0\nquiet = true\nno-pipelining=false\n");
        assertThat(complaint(2, "run", "--config", file.toString())).contains("--sizes 0B");
        // What stands on the command line wins.
        assertThat(complaint(2, "run", "--sizes=1B", "--config=" + file)).contains("--sizes 1B");
    }

    @Test
    void ofAConfigFileWhatIsGivenTwiceIsRefusedUnlessItMayBeRepeated() throws Exception {
        Path file = folder.resolve("twice.properties");
        Files.writeString(file, "repeat=2\nset=a=1\nrepeat=3\n");
        assertThat(complaint(2, "run", "--config", file.toString()))
                .contains(file + ": repeat is given 2 times; keep one of these lines");
        Files.writeString(file, "set=no.such=1\nset=nor.such=2\n");
        assertThat(complaint(2, "run", "--config", file.toString()))
                .contains("no.such")
                .contains("nor.such");
    }

    @Test
    void refusesWhatIsNoOptionInAFile() throws Exception {
        Path file = folder.resolve("run.properties");
        for (String line :
                new String[] {"size=1", "target", "--sizes=4KB", "config=x", "quiet=1"}) {
            Files.writeString(file, line + "\n");
            assertThat(complaint(2, "sink", "--config", file.toString()))
                    .as(line)
                    .contains("unknown option");
        }
        Files.writeString(file, "quiet=1\n");
        assertThat(complaint(2, "run", "--config", file.toString()))
                .contains("quiet is true or false");
    }

    @Test
    void helpShowsTheDefaultOfEveryOption() {
        List<String> without = new ArrayList<>();
        addOptionsWithoutDefault(Main.commandLine(), without);
        assertThat(without).isEmpty();
    }

    private static void addOptionsWithoutDefault(CommandLine command, List<String> without) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            String said = String.join(" ", OptionHelp.shown(option).description());
            if (!option.hidden()
                    && !option.longestName().matches("--(help|version|config)")
                    && !said.contains("Default: ")
                    && !said.contains("Required.")) {
                without.add(command.getCommandSpec().qualifiedName() + " " + option.longestName());
            }
        }
        command.getSubcommands().values().forEach(sub -> addOptionsWithoutDefault(sub, without));
    }

    @Test
    void refusesACorpusThatTheHubWouldRefuse() throws Exception {
        Files.writeString(folder.resolve("letter"), "Subject: long\r\n\r\n" + "x".repeat(500));
        assertThat(complaint(
                        2,
                        "run",
                        "--corpus=" + folder,
                        "--set=smtp.message-size-max=400B",
                        "--quiet"))
                .contains("has a message of 519B, more than the server takes: up to 400B");
    }

    @Test
    void aRoughAnswerIsNotPublished() throws Exception {
        assertThat(complaint(2, "run", "--quick", "--publish", "--output=" + folder.resolve("out")))
                .contains("--quick and --publish exclude each other");
    }

    /** Before the driver warms up. */
    @ParameterizedTest
    @ValueSource(strings = {"smtp.nonsense=1", "store.log.direct=perhaps"})
    void aSettingThatNoHubTakesStartsNothing(String setting) throws Exception {
        for (String command : new String[] {"run", "matrix"}) {
            assertThat(complaint(
                            2, command, "--set=" + setting, "--output=" + folder.resolve("out")))
                    .contains(setting.substring(0, setting.indexOf('=')));
            assertThat(folder).isEmptyDirectory();
        }
    }

    /** It may be a mount point with a slip in its name. */
    @ParameterizedTest
    @ValueSource(strings = {"serve", "run", "matrix", "volumes plan"})
    void aVolumeIsNotMadeBelowAFolderThatIsMissing(String command) throws Exception {
        for (String role : new String[] {"log", "queue", "tracking"}) {
            Path volume = MISSING_MOUNT.resolve(role);
            List<String> arguments = new ArrayList<>(List.of(command.split(" ", -1)));
            arguments.add("--" + role + "-volume=" + volume);
            assertThat(complaint(2, arguments.toArray(String[]::new)))
                    .contains("--" + role + "-volume", "no folder " + MISSING_MOUNT);
            assertThat(MISSING_MOUNT).doesNotExist();
        }
        Path elsewhere = folder.resolve("made").resolve("too");
        assertThat(new Converters.Volume().convert(elsewhere.toString())).isEqualTo(elsewhere);
    }

    @Test
    void leavesAFolderThatIsNotOursAlone() throws Exception {
        Path file = Files.writeString(folder.resolve("letters"), "dear");
        assertThat(complaint(
                        2,
                        "run",
                        "--output=" + folder.resolve("out"),
                        "--log-volume=" + folder,
                        "--queue-volume=" + folder.resolve("q"),
                        "--tracking-volume=" + folder.resolve("t")))
                .contains("volume " + folder + " is not empty; name another folder");
        assertThat(file).hasContent("dear");
        assertThat(folder.resolve("q")).doesNotExist();
        assertThat(folder.resolve("out")).doesNotExist();
    }
}
