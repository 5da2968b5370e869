package org.hubmark.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Proves that text of others can't steer the terminal, in whatever pieces it comes. */
class TerminalOutputTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Input, on a terminal, elsewhere; E stands for the escape character.
                "plain, grün, 日本     | plain, grün, 日本     | plain, grün, 日本",
                "E[31mredE[0m          | E[31mredE[0m          | ?[31mred?[0m",
                "E[Kprogress           | E[Kprogress           | ?[Kprogress",
                "E[2Jgone              | ?[2Jgone              | ?[2Jgone",
                "E]0;ownedB            | ?]0;owned?            | ?]0;owned?",
                "C1 \u009b31m         | C1 ?31m               | C1 ?31m",
                "E[1234567890123456789m | ?[1234567890123456789m | ?[1234567890123456789m",
                "1 °C                  | 1 °C                  | 1 °C",
            })
    void onlyColoursAndErasingALinePassAndOnlyOnATerminal(
            String given, String onTerminal, String elsewhere) throws IOException {
        String text = unescaped(given);
        for (boolean terminal : new boolean[] {true, false}) {
            String expected = unescaped(terminal ? onTerminal : elsewhere);
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            try (PrintStream out = new PrintStream(
                    new TerminalOutput(whole, terminal), false, StandardCharsets.UTF_8)) {
                out.print(text);
            }
            assertThat(whole.toString(StandardCharsets.UTF_8)).isEqualTo(expected);
        }
    }

    private static String unescaped(String text) {
        return text.replace('E', '\u001b').replace('B', '\u0007').replace("\\u009b", "\u009b");
    }
}
