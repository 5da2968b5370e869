package org.hubmark.bench.cli;

import org.hubmark.core.UserError;

/** Limits of the numbers and times that options take; a value beyond them is wrong usage. */
final class Ranges {
    private Ranges() {}

    static void within(String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw UserError.usage(option + " " + value + ": " + least + " to " + most);
        }
    }

    static void atLeast(String option, long value, long least) {
        if (value < least) {
            throw UserError.usage(option + " " + value + ": at least " + least);
        }
    }
}
