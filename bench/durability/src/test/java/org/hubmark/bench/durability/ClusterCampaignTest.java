package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.durability.ClusterCampaign.Counts;
import org.hubmark.bench.durability.result.ClusterCrashResult;
import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.kit.document.Repeat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What is judged of a kind of fault, by a ledger written by hand. */
class ClusterCampaignTest {
    private static final Counts COUNTS = new Counts(2, 5, 0);

    @TempDir
    Path folder;

    private Ledger ledger;

    @BeforeEach
    void open() throws IOException {
        ledger = new Ledger(folder.resolve("ledger.csv"), 7);
    }

    @AfterEach
    void close() throws IOException {
        ledger.close();
    }

    @Test
    void everyMessageWasDelivered() throws IOException {
        acknowledged().delivered = 1;
        acknowledged().delivered = 3;
        Repeat verdict = ClusterCampaign.judge(2, COUNTS, ledger, List.of());
        assertThat(verdict.count(ClusterCrashResult.BROKEN)).isZero();
        assertThat(verdict.count(CrashResult.CRASHES)).isEqualTo(2);
        assertThat(verdict.count(ClusterCrashResult.DOUBLE)).isEqualTo(2);
        assertThat(verdict.count(CrashResult.ACKNOWLEDGED)).isEqualTo(2);
        assertThat(verdict.count(ClusterCrashResult.REFUSED)).isEqualTo(5);
    }

    @Test
    void whatIsNowhereIsLost() throws IOException {
        acknowledged();
        Repeat verdict = ClusterCampaign.judge(1, COUNTS, ledger, List.of());
        assertThat(verdict.count(CrashResult.LOST)).isOne();
        assertThat(verdict.texts(CrashResult.FAILURES))
                .containsExactly("1 acknowledged messages were not delivered: none came for 60 s");
    }

    /** Mail of a hub that does not start again is in the queue, or it is not. */
    @Test
    void withoutADeliveryNobodyKnowsWhatIsLost() throws IOException {
        acknowledged();
        Repeat verdict = ClusterCampaign.judge(
                1, new Counts(1, 0, 0), ledger, List.of("the hub did not start"));
        assertThat(verdict.count(CrashResult.LOST)).isNaN();
        assertThat(verdict.texts(CrashResult.FAILURES))
                .containsExactly("the hub did not start");
        assertThat(verdict.count(ClusterCrashResult.BROKEN)).isOne();
    }

    @Test
    void whatWasDeliveredOtherwiseBreaksThePromise() throws IOException {
        Repeat verdict = ClusterCampaign.judge(1, new Counts(0, 0, 2), ledger, List.of("no mail"));
        assertThat(verdict.texts(CrashResult.FAILURES))
                .containsExactly("no mail", "2 messages were delivered with another content");
    }

    @Test
    void everyKindHasANameOfItsOwn() {
        List<String> names = new ArrayList<>();
        for (ClusterFault fault : ClusterFault.values()) {
            names.add(fault.toString());
        }
        assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z]+"));
    }

    private Ledger.Entry acknowledged() throws IOException {
        long token = ledger.newToken();
        byte[] digest = LedgerMessage.digest(LedgerMessage.content(token), false);
        Ledger.Entry entry = ledger.add(token, 0, Objects.requireNonNull(digest));
        ledger.sending(entry);
        ledger.acknowledged(entry);
        return entry;
    }
}
