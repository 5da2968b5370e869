package org.hubmark.bench.machine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;

/** How many copies there are, and where. */
class ClusterLayoutTest {
    @ParameterizedTest
    @CsvSource({"1,1,1", "2,2,2", "3,2,2", "4,3,2", "9,3,2"})
    void aMessageIsOnSoManyBookies(int bookies, int copies, int synced) {
        ClusterLayout layout = layout(bookies, 1);
        assertThat(layout.copies()).isEqualTo(copies);
        assertThat(layout.synced()).isEqualTo(synced);
    }

    @Test
    void foldersAreTakenInTurn() {
        ClusterLayout layout = new ClusterLayout(
                3, 1, List.of(Path.of("/a"), Path.of("/b")), List.of(Path.of("/c")), false);
        assertThat(layout.journal(1)).isEqualTo(Path.of("/a/bookie-1"));
        assertThat(layout.journal(2)).isEqualTo(Path.of("/b/bookie-2"));
        assertThat(layout.journal(3)).isEqualTo(Path.of("/a/bookie-3"));
        assertThat(layout.ledger(3)).isEqualTo(Path.of("/c/bookie-3"));
    }

    @Test
    void aBrokerSharesItsHostWithABookie() {
        List<Path> folder = List.of(Path.of("/a"));
        assertThat(new ClusterLayout(4, 2, folder, folder, true).hosts()).isEqualTo(4);
        assertThat(new ClusterLayout(2, 3, folder, folder, true).hosts()).isEqualTo(3);
        assertThat(layout(4, 2).hosts()).isZero();
    }

    private static ClusterLayout layout(int bookies, int brokers) {
        return new ClusterLayout(
                bookies, brokers, List.of(Path.of("/a")), List.of(Path.of("/b")), false);
    }
}
