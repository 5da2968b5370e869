package org.hubmark.bench.cli;

import org.hubmark.server.Converters;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Options as the help shows them: what is not stated of an option follows from its type and its default, so
 * that neither is written down twice.
 */
final class OptionHelp {
    private static final Map<Class<?>, String> LABELS = Map.of(
            Duration.class, "TIME",
            Path.class, "DIR",
            InetSocketAddress.class, "HOST:PORT",
            String.class, "TEXT");

    private OptionHelp() {}

    static void register(CommandLine line) {
        line.setHelpFactory((command, colors) -> new Help(command, colors) {
            @Override
            public IOptionRenderer createDefaultOptionRenderer() {
                IOptionRenderer usual = super.createDefaultOptionRenderer();
                return (option, labels, scheme) -> usual.render(shown(option), labels, scheme);
            }
        });
    }

    /** {@return the option with a label, and with its default at the end of the description} */
    static OptionSpec shown(OptionSpec option) {
        if (option.usageHelp() || option.versionHelp()) {
            return option;
        }
        String label = option.paramLabel();
        String text = String.join(" ", option.description());
        // The parser has <name of the field> where there is none.
        return OptionSpec.builder(option)
                .paramLabel(label.startsWith("<") ? label(option) : label)
                .description((text.contains("Default: ") || text.endsWith("Required.")
                                ? text
                                : text + " Default: " + defaultOf(option) + ".")
                        .replace("%", "%%"))
                .build();
    }

    private static String defaultOf(OptionSpec option) {
        String value = option.defaultValueString();
        return switch (value) {
            case "null", "[]", "{}" -> "none";
            case "false" -> "off";
            default -> option.auxiliaryTypes()[0].isEnum() ? value.toLowerCase(Locale.ROOT) : value;
        };
    }

    private static String label(OptionSpec option) {
        Class<?> type = option.auxiliaryTypes()[0];
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(choice -> choice.toString().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining("|"));
        }
        boolean isSize = Arrays.stream(option.converters())
                .anyMatch(one -> one instanceof Converters.Size
                        || one instanceof Converters.CheckpointDepth);
        return isSize ? "SIZE" : LABELS.getOrDefault(type, "N");
    }
}
