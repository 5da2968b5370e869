package org.hubmark.bench.command;

import org.hubmark.bench.UserError;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What the commands that measure have in common around the measuring. */
final class Outcomes {
    private static final int INVALID = 3;
    private static final int INTERRUPTED = 130;
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    private Outcomes() {}

    /** Makes the folder for results, under a name of its own if none is given. */
    static Path folder(@Nullable Path given) {
        Path folder = given == null
                ? Path.of(
                        "hubmark-results", STAMP.format(LocalDateTime.now(ZoneId.systemDefault())))
                : given;
        try {
            Files.createDirectories(folder);
            Path trial = folder.resolve("results.json.part");
            Files.writeString(trial, "{}");
            Files.delete(trial);
        } catch (IOException e) {
            throw UserError.failed("--output " + folder + " can't be written (" + e + ")");
        }
        return folder;
    }

    /** {@return every option of a command with the value that is in force} */
    static Map<String, Object> settings(CommandSpec command) {
        Map<String, Object> settings = new TreeMap<>();
        for (OptionSpec option : command.options()) {
            String name = option.longestName().replaceFirst("^--", "");
            if (List.of("help", "version", "config").contains(name)) {
                continue;
            }
            Object value = option.getValue();
            List<String> given = option.stringValues();
            String text = given.isEmpty() ? option.defaultValueString() : String.join(",", given);
            if (value instanceof Boolean || value instanceof Integer || value instanceof Double) {
                settings.put(name, value);
            } else if (text != null && text.matches("\\d{1,18}")) {
                settings.put(name, Long.valueOf(text));
            } else {
                settings.put(name, value == null ? null : text);
            }
        }
        return settings;
    }

    /** {@return the value of an option as text} */
    static String text(CommandSpec command, String name) {
        return String.valueOf(settings(command).get(name.replaceFirst("^--", "")));
    }

    /** {@return the command line as it was given} */
    static String commandText(CommandSpec command) {
        return String.join(" ", command.commandLine().getParseResult().originalArgs());
    }

    /** {@return the exit code, after saying why results are not valid} */
    static int exitCode(Results results, boolean interrupted, PrintStream err) {
        if (interrupted) {
            return INTERRUPTED;
        }
        boolean valid = true;
        for (Scenario scenario : results.scenarios()) {
            for (String reason : scenario.invalidReasons()) {
                err.println("hubmark: not valid: " + scenario.id() + ", " + reason);
            }
            valid &= scenario.valid();
        }
        return valid ? 0 : INVALID;
    }
}
