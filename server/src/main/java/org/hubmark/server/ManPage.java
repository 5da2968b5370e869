package org.hubmark.server;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A command as a page of the manual, section 1, in the macros of man(7): the words of its help, nothing
 * of its own.
 */
final class ManPage {
    private final StringBuilder page = new StringBuilder();
    private final CommandSpec spec;
    private final Help help;

    private ManPage(CommandLine command) {
        this.spec = command.getCommandSpec();
        this.help = new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF));
    }

    /** {@return what the page of a command is called: hubmark-queue-delete} */
    static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    /** {@return the page} */
    static String of(CommandLine command) {
        return new ManPage(command).write();
    }

    private String write() {
        String name = spec.qualifiedName("-");
        List<String> description = lines(spec.usageMessage().description());
        page.append(".TH ").append(name.toUpperCase(Locale.ROOT).replace("-", "\\-"));
        page.append(" 1 \"\" \"").append(escaped(spec.root().version()[0])).append("\" Hubmark\n");
        // Long words would leave wide gaps in a line that reaches both margins.
        page.append(".ad l\n");
        section("NAME");
        text(name + " - " + (description.isEmpty() ? "" : firstSentence(description.getFirst())));
        section("SYNOPSIS");
        page.append(".nf\n");
        help.synopsis(0).lines().forEach(this::text);
        page.append(".fi\n");
        section("DESCRIPTION");
        description.forEach(line -> {
            if (line.startsWith(" ")) {
                page.append(".PP\n.RS\n");
                text(line.strip());
                page.append(".RE\n.PP\n");
            } else {
                text(line);
            }
        });
        arguments();
        commands();
        exitCodes();
        seeAlso();
        return page.toString();
    }

    private void arguments() {
        List<OptionSpec> options = spec.options().stream()
                .filter(option -> !option.hidden())
                .sorted(Comparator.comparing(OptionSpec::longestName))
                .toList();
        List<PositionalParamSpec> positional = spec.positionalParameters();
        if (options.isEmpty() && positional.isEmpty()) {
            return;
        }
        section("OPTIONS");
        for (PositionalParamSpec parameter : positional) {
            argument(parameter.paramLabel(), parameter);
        }
        for (OptionSpec option : options) {
            String value = option.arity().max() > 0 ? "=" + option.paramLabel() : "";
            argument(String.join(", ", option.names()) + value, option);
        }
    }

    private void argument(String label, ArgSpec argument) {
        page.append(".TP\n.B \"").append(escaped(label).replace("\"", "\\(dq")).append("\"\n");
        lines(argument.description()).forEach(this::text);
    }

    private void commands() {
        if (spec.subcommands().isEmpty()) {
            return;
        }
        section("COMMANDS");
        for (Map.Entry<String, CommandLine> below : spec.subcommands().entrySet()) {
            page.append(".TP\n.B ").append(escaped(below.getKey())).append('\n');
            lines(below.getValue().getCommandSpec().usageMessage().description())
                    .forEach(line -> text(line.strip()));
        }
    }

    private void exitCodes() {
        Map<String, String> codes = spec.root().usageMessage().exitCodeList();
        if (codes.isEmpty()) {
            return;
        }
        section("EXIT STATUS");
        codes.forEach((code, meaning) -> {
            page.append(".TP\n.B ").append(code.strip()).append('\n');
            text(meaning);
        });
    }

    private void seeAlso() {
        List<String> pages = new ArrayList<>();
        if (spec.parent() != null) {
            pages.add(spec.parent().qualifiedName("-") + "(1)");
        }
        spec.subcommands().values().forEach(below -> pages.add(name(below) + "(1)"));
        if (!pages.isEmpty()) {
            section("SEE ALSO");
            text(String.join(", ", pages));
        }
    }

    private void section(String title) {
        page.append(".SH ").append(title).append('\n');
    }

    /** A line of text; one that begins with a dot or an apostrophe would be a macro. */
    private void text(String line) {
        String escaped = escaped(line);
        boolean macro = escaped.startsWith(".") || escaped.startsWith("'");
        page.append(macro ? "\\&" : "").append(escaped).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-");
    }

    private static String firstSentence(String text) {
        int end = text.indexOf(". ");
        String first = end < 0 ? text : text.substring(0, end);
        return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
    }

    /** {@return the lines of a text of picocli's, in which %n ends a line} */
    private static List<String> lines(String[] text) {
        return Arrays.stream(text)
                .flatMap(part -> part.replace("%n", "\n").lines())
                .toList();
    }
}
