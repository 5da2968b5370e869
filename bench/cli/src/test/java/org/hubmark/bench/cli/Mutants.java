package org.hubmark.bench.cli;

import org.hubmark.bench.cli.Mutant.Edit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The mutants of the store, and which kind of crash is to find which: the lines of mutants.csv. */
final class Mutants {
    /** The same each time, so that a mutant that is found once is found again. */
    static final long SEED = 100;

    /** How many simulated crashes are to find a mutant. */
    static final int SIMULATED_CRASHES = 96;

    static final List<Row> TABLE = read();

    private Mutants() {}

    private static List<Row> read() {
        try (InputStream in = Mutants.class.getResourceAsStream("mutants.csv")) {
            String all =
                    new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return all.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> row(line.split(" \\| ", -1)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row row(String[] cells) {
        List<Edit> edits =
                Arrays.stream(cells, 5, cells.length).map(Mutants::edit).toList();
        List<String> methods = List.of(cells[4].split(" ", -1));
        return new Row(cells[0], cells[1], new Mutant(cells[2], cells[3], methods, edits));
    }

    private static Edit edit(String text) {
        List<String> words = List.of(text.split(" ", -1));
        return new Edit(words.get(0), words.get(1), words.get(2), words.subList(3, words.size()));
    }

    /**
     * A mutant that a kind of crash must find.
     *
     * @param kind of those of the command, or of those that are tests alone
     * @param durability the class in which the store promises what the mutant breaks
     */
    record Row(String kind, String durability, Mutant mutant) {
        /** {@return what is proved} */
        String text() {
            return kind + ": " + mutant.name();
        }
    }
}
