package org.hubmark.server;

import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** Names the constants of an enum, where a word is none of them, as they are typed on the command line. */
final class EnumChoices {
    private EnumChoices() {}

    /** {@return a handler that passes such an error on in our words, and any other as it is} */
    static IParameterExceptionHandler named(IParameterExceptionHandler next) {
        return (e, arguments) -> next.handleParseException(inWords(e), arguments);
    }

    private static ParameterException inWords(ParameterException e) {
        ArgSpec argument = e.getArgSpec();
        Class<?> type = argument == null ? Object.class : argument.auxiliaryTypes()[0];
        String value = e.getValue();
        String message = Objects.toString(e.getMessage());
        int where = message.indexOf(": expected one of ");
        if (where < 0 || !type.isEnum() || value == null) {
            return e;
        }
        String choices = Arrays.stream(type.getEnumConstants())
                .map(choice -> choice.toString().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        return new ParameterException(
                e.getCommandLine(),
                message.substring(0, where) + ": '" + value + "' is not one of " + choices);
    }
}
