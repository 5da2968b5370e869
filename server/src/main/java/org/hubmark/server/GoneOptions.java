package org.hubmark.server;

import org.hubmark.core.UserError;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** Options and commands of earlier versions: each is refused with what to use instead. */
final class GoneOptions {
    private static final Properties INSTEAD = new Properties();

    static {
        try (InputStream in = GoneOptions.class.getResourceAsStream("gone-options.properties")) {
            INSTEAD.load(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private GoneOptions() {}

    /** Refuses an argument of a command, or a command below it, that is gone. */
    static void refuse(CommandSpec command, String argument) {
        String name = argument.split("=", 2)[0];
        boolean isKnown = command.optionsMap().containsKey(name);
        if (isKnown && name.equals(argument)) {
            return;
        }
        String key = isKnown
                ? argument.replaceFirst("=[\\w.-]+:\\d+$", "=HOST").replace('=', '.')
                : name;
        String instead = INSTEAD.getProperty(
                (command.qualifiedName(".") + "." + key).replaceFirst("^hubmark\\.", ""));
        if (instead == null && key.startsWith("--")) {
            instead = INSTEAD.getProperty(key);
        }
        if (instead != null) {
            throw UserError.usage((isKnown ? argument : name) + " is gone: " + instead);
        }
    }
}
