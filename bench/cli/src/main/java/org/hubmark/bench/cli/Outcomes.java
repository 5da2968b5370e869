package org.hubmark.bench.cli;

import org.hubmark.bench.hub.Setting;
import org.hubmark.bench.machine.Secrets;
import org.hubmark.bench.machine.folders.NewFolder;
import org.hubmark.bench.mail.matrix.RoleProfiles;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the commands that measure have in common around the measuring. */
final class Outcomes {
    /** Exit code of a comparison that found a slowdown. */
    static final int SLOWER = 1;

    static final int INVALID = 3;
    static final int INTERRUPTED = 130;
    /** Options that change nothing of what is measured. */
    static final Set<String> NO_SETTINGS =
            Set.of("help", "version", "config", "set", "json", "junit", "by", "fail-if-slower");

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    private Outcomes() {}

    /**
     * Makes the folder for results, under a name of its own if none is given; closing removes it if
     * there are none.
     */
    static NewFolder folder(@Nullable Path given) {
        Path named = given == null ? Path.of("hubmark-results") : given;
        try {
            NewFolder folder = given == null
                    ? NewFolder.fresh(
                            named, STAMP.format(LocalDateTime.now(ZoneId.systemDefault())))
                    : NewFolder.of(given);
            Files.delete(Files.createTempFile(folder.path(), ".hubmark-", ".probe"));
            return folder;
        } catch (IOException e) {
            throw UserError.failed(
                    "--output " + named + " can't be written (" + FileErrors.reason(e) + ")");
        }
    }

    /** {@return every option of a command with the value that is in force} */
    static Map<String, Object> settings(CommandSpec command) {
        Map<String, Object> settings = new TreeMap<>();
        for (OptionSpec option : command.options()) {
            String name = option.longestName().substring("--".length());
            // What --set says stands under the key of the setting.
            if (!NO_SETTINGS.contains(name)) {
                settings.put(name, setting(option));
            }
        }
        return settings;
    }

    private static @Nullable Object setting(OptionSpec option) {
        Object value = option.getValue();
        // A seed that was drawn stands by its number.
        if (value == null
                || value instanceof Boolean
                || value instanceof Integer
                || value instanceof Double
                || option.longestName().equals("--seed")) {
            return value;
        }
        List<String> given = option.originalStringValues();
        String text = given.isEmpty() ? option.defaultValueString() : String.join(",", given);
        Class<?> type = option.auxiliaryTypes()[0];
        // A word stands as it is called, however it was typed.
        boolean isWord = type.isEnum() || type == RoleProfiles.class;
        return Setting.typed(Secrets.masked(isWord ? text.toLowerCase(Locale.ROOT) : text));
    }

    /**
     * {@return the command as one can paste it into a shell, in the folder of the sources; passwords in it
     * are masked}
     */
    static String commandText(CommandSpec command) {
        // Only the top of the parse has the name of the command among its arguments.
        return Stream.concat(
                        Stream.of("./hubmark"),
                        command.root().commandLine().getParseResult().originalArgs().stream())
                .map(Outcomes::quoted)
                .collect(Collectors.collectingAndThen(Collectors.joining(" "), Secrets::masked));
    }

    /** {@return one word for a POSIX shell} */
    static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=,@%+-]+")
                ? word
                : "'" + word.replace("'", "'\\''") + "'";
    }
}
