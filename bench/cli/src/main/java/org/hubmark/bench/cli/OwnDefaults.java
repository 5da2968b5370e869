package org.hubmark.bench.cli;

import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The defaults of commands that differ from those of the option's mixin, each with the reason; and those
 * that hang on what else is given.
 */
final class OwnDefaults implements IDefaultValueProvider {
    /** By command and option: scale-out --connections. */
    static final Map<String, String> VALUES = Map.ofEntries(
            // The least: it goes on until the load is steady, for --warmup-max at most.
            Map.entry("run --warmup", "3s"),
            Map.entry("load --warmup", "3s"),
            Map.entry("matrix --warmup", "3s"),
            // A user does something every few seconds: in 10 s there are too few tasks for a
            // percentile.
            Map.entry("users --duration", "1m"),
            // With a warm cache and 20 minutes in all; the forms of the test have their own.
            Map.entry("qualify --duration", "12m"),
            // They are those of each host, and all hosts share a machine.
            Map.entry("scale-out --connections", "16"),
            // It would add a measurement to each of many cells.
            Map.entry("matrix --latency-at", "off"),
            // A level takes minutes, and most of the time there are several.
            Map.entry("users --runs", "1"));

    private static final Pattern OPTION = Pattern.compile("(--[\\w-]+)=(\\S+)");

    /** A command with options that change the defaults of others. */
    interface Dependent {
        /** {@return these defaults, as one would type them; the last counts} What was given has been read. */
        String defaults();
    }

    private Map<String, String> dependent = Map.of();

    /** {@return a command line with the defaults that hang on what is given} It is read once more for them. */
    ParseResult completed(ParseResult line) {
        ParseResult given = line.subcommand();
        if (given == null
                || given.isUsageHelpRequested()
                || !(given.commandSpec().userObject() instanceof Dependent command)) {
            return line;
        }
        Map<String, String> defaults = new HashMap<>();
        try {
            OPTION.matcher(command.defaults())
                    .results()
                    .forEach(option -> defaults.put(option.group(1), option.group(2)));
        } catch (UserError e) {
            throw new ExecutionException(given.commandSpec().commandLine(), e.getMessage(), e);
        }
        // A switch that is on by default would be turned off by its name.
        defaults.keySet().removeIf(given::hasMatchedOption);
        if (defaults.isEmpty()) {
            return line;
        }
        dependent = defaults;
        return line.commandSpec()
                .commandLine()
                .parseArgs(line.originalArgs().toArray(String[]::new));
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option) || option.command() == null) {
            return null;
        }
        String name = option.longestName();
        String command = option.command().qualifiedName();
        String chosen = dependent.get(name);
        return chosen != null
                ? chosen
                : VALUES.get(command.substring(command.indexOf(' ') + 1) + " " + name);
    }
}
