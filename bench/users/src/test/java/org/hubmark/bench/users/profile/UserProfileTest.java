package org.hubmark.bench.users.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import org.hubmark.bench.users.Task;
import org.hubmark.bench.users.result.PerUserDay;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

/**
 * Proves that the profiles that are built in give the load that their source prints, and that each way in
 * which a profile of one's own can be wrong is said with its key.
 */
class UserProfileTest {
    private final String own = Files.readString(Path.of("src/test/resources/own.yaml"));

    @TempDir
    private Path folder;

    UserProfileTest() throws IOException {}

    @ParameterizedTest
    @ValueSource(strings = {"light", "medium", "heavy"})
    void theLoadOfADayIsThatOfTheSource(String name) {
        UserProfile profile = Task.profile(name);
        PerUserDay published = Objects.requireNonNull(profile.published());
        PerUserDay expected = Task.expected(profile, profile.lists().meanMembers());
        close(expected.sent(), published.sent(), 0.011);
        close(expected.sentNew(), published.sentNew(), 1e-9);
        close(expected.sentReply(), published.sentReply(), 1e-9);
        close(expected.sentReplyAll(), published.sentReplyAll(), 1e-9);
        close(expected.sentForward(), published.sentForward(), 1e-9);
        close(expected.received(), published.received(), 0.05);
        close(expected.recipientsMean(), published.recipientsMean(), 0.005);
        // Read is what is received and what was there, and of that 40 % are deleted, 20 % moved.
        double received = Objects.requireNonNull(published.received());
        double read =
                received + Task.READ.perDay(profile) * (1 - profile.reading().newPercent() / 100);
        double onReceipt = received * profile.reading().onReceiptPercent() / 100;
        assertThat(Task.READ.perDay(profile) + onReceipt).isCloseTo(read, within(1e-9));
        assertThat(Task.DELETE.perDay(profile)).isCloseTo(0.4 * read, within(1e-9));
        assertThat(Task.MOVE.perDay(profile)).isCloseTo(0.2 * read, within(1e-9));
    }

    @Test
    void veryHeavyUsersSendAndReceiveAHundredAndFifty() {
        UserProfile profile = Task.profile("very-heavy");
        PerUserDay expected = Task.expected(profile, 10);
        close(
                Objects.requireNonNull(expected.sent())
                        + Objects.requireNonNull(expected.received()),
                150.0,
                0.1);
        assertThat(profile.mailbox().bytes()).isEqualTo(100_000_000);
        assertThat(profile.published()).isNull();
    }

    @Test
    void everyValueOfABuiltInProfileNamesItsSource() {
        for (String name : UserProfile.NAMES) {
            UserProfile profile = Task.profile(name);
            for (String section : new String[] {"reading", "writing", "lists", "mailbox"}) {
                assertThat(profile.tree().get(section))
                        .as("%s: %s", name, section)
                        .asInstanceOf(MAP)
                        .allSatisfy((key, row) ->
                                assertThat(row).asInstanceOf(MAP).containsKeys("value", "source"));
            }
        }
    }

    private static void close(@Nullable Double actual, @Nullable Double expected, double error) {
        assertThat(actual).isCloseTo(Objects.requireNonNull(expected), within(error));
    }

    @Test
    void readsOnesOwn() throws IOException {
        UserProfile profile = read(own);
        assertThat(profile.name()).isEqualTo("own");
        assertThat(Task.FORWARD.perDay(profile)).isZero();
        assertThat(Task.READ.perDay(profile)).isEqualTo(15);
        assertThat(profile.messages().getFirst().bodyBytes()).isEqualTo(1500);
        assertThat(Task.READ.weight(profile)).isEqualTo(Task.READ.weight());
        assertThat(Task.REACT.weight(profile)).isZero();
    }

    @Test
    void theWeightsAreAllAndReadHasMoreThanHalf() {
        assertThat(Arrays.stream(Task.values()).mapToDouble(Task::weight).sum())
                .isCloseTo(1, within(1e-9));
        assertThat(Task.READ.weight()).isGreaterThan(0.5);
        assertThat(Task.LOGON.weight()).isZero();
    }

    /** They take their share of reading from its tasks, and from its weight. */
    @Test
    void mailThatIsReadOnReceiptIsNotReadLater() throws IOException {
        UserProfile profile = read(own.replace("on_receipt_percent: 0", "on_receipt_percent: 60"));
        assertThat(Task.READ.perDay(profile)).isCloseTo(9, within(1e-9));
        assertThat(profile.reading().newPercent()).isCloseTo(400 / 9.0, within(1e-9));
        assertThat(Task.DELETE.perDay(profile)).isCloseTo(6, within(1e-9));
        assertThat(Task.REACT.perDay(profile)).isZero();
        assertThat(Task.REACT.weight(profile)).isCloseTo(0.22, within(1e-9));
        assertThat(Task.READ.weight(profile)).isCloseTo(0.33, within(1e-9));
    }

    private UserProfile read(String text) throws IOException {
        return Task.profile(Files.writeString(folder.resolve("own.yaml"), text).toString());
    }

    @ParameterizedTest
    @CsvFileSource(
            files = "src/test/resources/wrong-profiles.csv",
            delimiter = '|',
            quoteCharacter = '`')
    void saysWhatIsWrong(String right, @Nullable String wrong, String said) {
        String text =
                own.replace(right, Objects.requireNonNullElse(wrong, "").replace("\\n", "\n"));
        assertThat(text).isNotEqualTo(own);
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--profile " + folder.resolve("own.yaml"))
                .hasMessageContaining(said);
    }

    @Test
    void saysThatThereIsNone() {
        assertThatThrownBy(() -> Task.profile("mad"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("light, medium, heavy, very-heavy");
        assertThatThrownBy(() -> Task.profile("/nowhere/own.yaml"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("can't be read");
        assertThatThrownBy(() -> read("[1, 2]")).isInstanceOf(UserError.class);
    }
}
