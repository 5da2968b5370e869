package org.hubmark.bench.cli;

import org.hubmark.core.UserError;

import picocli.CommandLine.Model.CommandSpec;

import java.util.List;

/** What stands on a command line and doesn't go with the rest of it. */
final class GivenOptions {
    private GivenOptions() {}

    /**
     * Refuses the first of some options that was given.
     *
     * @param command whose arguments have been parsed
     * @param why follows the name of the option
     */
    static void refuse(CommandSpec command, List<String> options, String why) {
        for (String option : options) {
            if (command.commandLine().getParseResult().hasMatchedOption(option)) {
                throw UserError.usage(option + " " + why);
            }
        }
    }
}
