package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Proves that the pages at the top and below docs have none of the turns that make English hard to
 * read. Text in code is not looked at.
 */
final class ToneTest {
    private static final Path ROOT = Path.of(System.getProperty("hubmark.root"));

    /** Fenced blocks, code in a line, and the targets of links. */
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`]*`|]\\([^)]*\\)");

    /** A sentence, an item of a list or a cell of a table. */
    private static final String BEGIN = "(?:^|(?<=[.:] )|(?<=[.:]\n)|(?<=\\| )|(?<=\n)[-*] )";

    private static final List<Pattern> BANNED = Stream.of(
                    // The subject comes first.
                    BEGIN + "(?:Of|That of|Those of|Who|Whoever) ",
                    // "is not a", or another verb.
                    "(?<!\\b[Tt]here )\\b(?:is|are|was|were) (?:none\\b|no"
                            + " (?!longer|more|less|fewer|larger|smaller)[a-z])",
                    // The number itself, or "that many".
                    "\\bso (?:many|much)\\b(?! that)",
                    // Metaphors, and words that other languages have in their place.
                    "\\b(?:cr(?:y|ies) wolf|landmark|rivals?|graver|dearer|whoever)\\b")
            .map(turn -> Pattern.compile(turn, Pattern.MULTILINE))
            .toList();

    @Test
    void pagesArePlainEnglish() throws IOException {
        List<String> bad = new ArrayList<>();
        for (Path page : DocsTest.pages()) {
            String text = CODE.matcher(Files.readString(page)).replaceAll("CODE");
            for (Pattern turn : BANNED) {
                Matcher found = turn.matcher(text);
                while (found.find()) {
                    int from = Math.max(0, found.start() - 40);
                    int to = Math.min(text.length(), found.end() + 40);
                    bad.add(ROOT.relativize(page) + ": "
                            + text.substring(from, to).replace('\n', ' '));
                }
            }
        }
        assertThat(bad).isEmpty();
    }
}
