package org.hubmark.server;

import org.hubmark.core.ForeignText;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Options from a properties file: each key is the name of an option of the command, without its
 * dashes; one that may be repeated on the command line may be repeated there. What stands on the command line
 * wins. Every command takes the file of a hub, and leaves alone what only {@code serve} needs.
 */
public final class ConfigFile {
    /** Description of the option that names the file. */
    public static final String DESCRIPTION = "Properties file with options. Default: none.";

    private ConfigFile() {}

    /**
     * Puts the options of the file named by {@code --config} among the arguments, if there is one.
     *
     * @throws UserError if an argument is gone, or the file can't be read or holds an unknown option
     */
    static String[] expand(CommandLine root, String[] arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        CommandLine command = root;
        int index = 0;
        while (index < all.size()) {
            CommandLine next = command.getSubcommands().get(all.get(index));
            if (next == null) {
                break;
            }
            command = next;
            index++;
        }
        CommandSpec spec = command.getCommandSpec();
        // Each with its value, which may be the next argument.
        List<String> given = new ArrayList<>();
        for (int i = index; i < all.size(); i++) {
            String one = all.get(i);
            given.add(one.contains("=") || i + 1 == all.size() ? one : one + "=" + all.get(i + 1));
        }
        given.forEach(argument -> GoneOptions.refuse(spec, argument));
        String name = given.stream()
                .filter(argument -> argument.startsWith("--config="))
                .findFirst()
                .map(argument -> argument.split("=", 2)[1])
                .orElse(null);
        if (name == null) {
            return arguments;
        }
        if (index == 0) {
            throw UserError.usage("--config comes after the command: hubmark serve --config FILE");
        }
        // The parser knows only the command that was named.
        CommandSpec ofServe = new CommandLine(ServeCommand.class).getCommandSpec();
        List<String> added = new ArrayList<>();
        for (Map.Entry<String, List<String>> line : read(Path.of(name)).entrySet()) {
            String key = line.getKey();
            line.getValue().forEach(value -> GoneOptions.refuse(spec, "--" + key + "=" + value));
            OptionSpec option = spec.findOption("--" + key);
            if (option == null && ofServe.findOption("--" + key) != null) {
                continue;
            }
            if (option == null || key.equals("config")) {
                throw UserError.usage(name + ": unknown option " + key + "; see "
                        + spec.qualifiedName() + " --help for what there is");
            }
            if (line.getValue().size() > 1 && !option.isMultiValue()) {
                throw UserError.usage(name + ": " + key + " is given "
                        + line.getValue().size() + " times; keep one of these lines");
            }
            if (given.stream().noneMatch(argument -> isOf(option, argument))) {
                line.getValue().forEach(value -> add(added, option, key, value, name));
            }
        }
        all.addAll(index, added);
        return all.toArray(String[]::new);
    }

    /** {@return the values of each key, of which one may be given more than once} */
    private static SortedMap<String, List<String>> read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw UserError.usage("--config " + file + " can't be read: there is no such file");
        }
        SortedMap<String, List<String>> all = new TreeMap<>();
        Properties lines = new Properties() {
            @Override
            public synchronized @Nullable Object put(Object key, Object value) {
                all.computeIfAbsent(String.valueOf(key), first -> new ArrayList<>())
                        .add(String.valueOf(value).trim());
                return null;
            }
        };
        try {
            lines.load(new StringReader(ForeignText.unmarked(Files.readString(file))));
        } catch (IOException | IllegalArgumentException e) {
            throw UserError.usage("--config " + file + " can't be read (" + e.getMessage() + ")");
        }
        return all;
    }

    private static void add(
            List<String> added, OptionSpec option, String key, String value, String file) {
        if (option.arity().max() > 0) {
            added.add("--" + key + "=" + value);
        } else if (value.equals("true")) {
            added.add("--" + key);
        } else if (!value.equals("false")) {
            throw UserError.usage(file + ": " + key + " is true or false, not '" + value + "'");
        }
    }

    private static boolean isOf(OptionSpec option, String argument) {
        return List.of(option.names()).contains(argument.split("=", 2)[0]);
    }
}
