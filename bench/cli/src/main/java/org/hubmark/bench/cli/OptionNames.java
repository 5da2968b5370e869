package org.hubmark.bench.cli;

import org.hubmark.core.UserError;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.util.List;
import java.util.Map;

/** Names of options that belong together, with their dashes. */
final class OptionNames {
    private OptionNames() {}

    /**
     * {@return those of a mixin}
     *
     * @param spec of the command or mixin that has it
     */
    static List<String> of(CommandSpec spec, Object mixin) {
        return spec.mixins().values().stream()
                .filter(one -> mixin.equals(one.userObject()))
                .flatMap(one -> one.options().stream())
                .map(OptionSpec::longestName)
                .toList();
    }

    /** {@return whether an option stands on the command line, or in its file} */
    static boolean isGiven(CommandSpec command, String option) {
        return command.commandLine().getParseResult().hasMatchedOption(option);
    }

    /** Refuses options of pairs that have a key twice, of which the parser takes the last. */
    static void requireOnce(CommandSpec command, List<String> options) {
        for (String option : options) {
            OptionSpec spec = command.findOption(option);
            String given = String.join(",", spec.originalStringValues());
            if (spec.getValue() instanceof Map<?, ?> read
                    && given.split(",", -1).length > read.size()) {
                throw UserError.usage(option + " names one twice");
            }
        }
    }

    /**
     * Refuses the first of some options that was given.
     *
     * @param command whose arguments have been parsed
     * @param why follows the name of the option
     */
    static void refuse(CommandSpec command, List<String> options, String why) {
        for (String option : options) {
            if (isGiven(command, option)) {
                throw UserError.usage(option + " " + why);
            }
        }
    }
}
