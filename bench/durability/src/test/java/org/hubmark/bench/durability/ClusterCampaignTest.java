package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.durability.ClusterCampaign.Counts;
import org.hubmark.bench.durability.result.ClusterCrashResult;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.cluster.ClusterMember;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;

/** What is judged of a kind of fault, by a ledger written by hand, and what is drawn for it. */
class ClusterCampaignTest {
    private static final Counts COUNTS = new Counts(2, 5, 0, 0);

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
        Repeat verdict =
                ClusterCampaign.judge(List.of(fault(1), fault(9)), COUNTS, ledger, List.of());
        assertThat(verdict.count(ClusterCrashResult.BROKEN)).isZero();
        assertThat(verdict.count(ClusterCrashResult.CRASHES)).isEqualTo(2);
        assertThat(verdict.count(ClusterCrashResult.DOUBLE)).isEqualTo(2);
        assertThat(verdict.count(ClusterCrashResult.ACKNOWLEDGED)).isEqualTo(2);
        assertThat(verdict.count(ClusterCrashResult.REFUSED)).isEqualTo(5);
    }

    @Test
    void whatIsNowhereIsLost() throws IOException {
        acknowledged();
        Repeat verdict = ClusterCampaign.judge(List.of(fault(1)), COUNTS, ledger, List.of());
        assertThat(verdict.count(ClusterCrashResult.LOST)).isOne();
        assertThat(verdict.texts(ClusterCrashResult.FAILURES))
                .containsExactly("1 acknowledged messages were never delivered");
    }

    @Test
    void whatIsInTheQueueIsNotLostButStuck() throws IOException {
        Ledger.Entry there = acknowledged();
        Ledger.Entry other = acknowledged();
        acknowledged().delivered = 1;
        byte[] damaged = LedgerMessage.content(other.token);
        damaged[damaged.length - 3] ^= 1;
        Files.write(folder.resolve("a.eml"), LedgerMessage.content(there.token));
        Files.write(folder.resolve("b.eml"), LedgerMessage.content(there.token));
        Files.write(folder.resolve("c.eml"), damaged);
        Files.writeString(folder.resolve("d.eml"), "nobody has sent this");
        long queued = ClusterCampaign.queued(folder, ledger);
        assertThat(queued).isOne();
        Repeat verdict = ClusterCampaign.judge(
                List.of(fault(1)), new Counts(3, 0, 0, queued), ledger, List.of());
        assertThat(verdict.count(ClusterCrashResult.QUEUED)).isOne();
        assertThat(verdict.count(ClusterCrashResult.LOST)).isOne();
        assertThat(verdict.texts(ClusterCrashResult.FAILURES))
                .containsExactly(
                        "1 acknowledged messages were never delivered",
                        "1 acknowledged messages stayed in the queue: none was delivered for 60 s");
    }

    @Test
    void aFaultThatStruckNothingIsNoFault() throws IOException {
        Repeat verdict =
                ClusterCampaign.judge(List.of(fault(0), fault(3)), COUNTS, ledger, List.of());
        assertThat(verdict.count(ClusterCrashResult.CRASHES)).isOne();
        assertThat(verdict.count(ClusterCrashResult.UNFELT)).isOne();
        assertThat(ClusterCampaign.unfelt(verdict)).isNull();
        Repeat nothing = ClusterCampaign.judge(List.of(fault(0)), COUNTS, ledger, List.of());
        assertThat(ClusterCampaign.unfelt(nothing)).isEqualTo("no fault of 1 struck anything");
        // What failed meanwhile is an answer all the same.
        Repeat failed =
                ClusterCampaign.judge(List.of(fault(0)), COUNTS, ledger, List.of("no mail"));
        assertThat(ClusterCampaign.unfelt(failed)).isNull();
    }

    @Test
    void whatWasDeliveredOtherwiseBreaksThePromise() throws IOException {
        Repeat verdict = ClusterCampaign.judge(
                List.of(fault(1)), new Counts(0, 0, 2, 0), ledger, List.of("no mail"));
        assertThat(verdict.texts(ClusterCrashResult.FAILURES))
                .containsExactly("no mail", "2 messages were delivered with another content");
    }

    @Test
    void everyKindHasANameOfItsOwn() {
        List<String> names = new ArrayList<>();
        for (ClusterFault fault : ClusterFault.values()) {
            names.add(fault.toString());
        }
        assertThat(names)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z]+(-[a-z]+)?"));
    }

    @Test
    void aClockIsWrongByASecondToADayEitherWay() {
        Random random = Seeds.random(5);
        boolean behind = false;
        boolean before = false;
        for (int i = 0; i < 1000; i++) {
            Duration offset = SkewedClocks.draw(random);
            assertThat(offset.abs()).isBetween(Duration.ofSeconds(1), Duration.ofHours(28));
            behind |= offset.isNegative();
            before |= offset.isPositive();
        }
        assertThat(behind && before).isTrue();
        assertThat(SkewedClocks.draw(Seeds.random(6)))
                .isEqualTo(SkewedClocks.draw(Seeds.random(6)));
    }

    @Test
    void anOutageEndsAllThatRemembersMail() {
        List<ClusterMember> members = Stream.of(
                        "zookeeper", "bookie-1", "bookie-2", "bookie-3", "bookie-4", "broker-1")
                .map(name -> new ClusterMember(name, folder))
                .toList();
        assertThat(ClusterStrikes.withoutPower(CrashedCluster.allBookies(), members))
                .containsExactlyElementsOf(
                        members.stream().map(ClusterMember::name).toList());
        assertThat(ClusterStrikes.withoutPower(List.of(3), members)).containsExactly("bookie-3");
    }

    private Ledger.Entry acknowledged() throws IOException {
        long token = ledger.newToken();
        byte[] digest = LedgerMessage.digest(LedgerMessage.content(token), false);
        Ledger.Entry entry = ledger.add(token, 0, Objects.requireNonNull(digest));
        ledger.sending(entry);
        ledger.acknowledged(entry);
        return entry;
    }

    private static Repeat fault(long struck) {
        return Repeat.counted()
                .count(ClusterCrashResult.GAP_MS, 10)
                .count(ClusterCrashResult.STRUCK, struck)
                .made();
    }
}
