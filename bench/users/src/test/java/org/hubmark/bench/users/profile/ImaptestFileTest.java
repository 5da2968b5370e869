package org.hubmark.bench.users.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import org.hubmark.bench.users.result.Task;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Proves what is taken of a profile of imaptest, and that what can't be read is said by its place. */
class ImaptestFileTest {
    private static final String BUSY = """
            user busy {
              username_format = test%n@example.test
              count = 10%
              mail_inbox_delivery_interval = 5 min   # twelve an hour
              mail_send_interval = 600s
              mail_write_size = 10k
              mail_inbox_reply_percentage = 50
              mail_inbox_delete_percentage = 5
              mail_inbox_move_percentage = 5
              mail_inbox_move_filter_percentage = 10 }
            """;
    private static final String FILE = """
            # Kinds of users.
            lmtp_port = 24
            total_user_count = 500

            """ + BUSY + """
            user calm {
              mail_inbox_delivery_interval = 1h
              mail_send_interval = 0
            }
            client Thunderbird {
              imap_idle = yes
              imap_fetch_immediate = UID BODY.PEEK[HEADER.FIELDS (From To)]
            }
            """;

    @TempDir
    private Path folder;

    private String written(String text) throws IOException {
        return Files.writeString(folder.resolve("imaptest.conf"), text).toString();
    }

    @Test
    void whatFitsIsTaken() throws IOException {
        UserProfile busy =
                UserProfile.of("imaptest:" + written(FILE) + "#busy", Duration.ofHours(8));
        assertThat(busy.name()).isEqualTo("imaptest-busy");
        assertThat(busy.perDay(Task.READ)).isEqualTo(96);
        assertThat(busy.reading().newPercent()).isEqualTo(100);
        assertThat(busy.perDay(Task.SEND)).isEqualTo(48);
        assertThat(busy.perDay(Task.REPLY)).isEqualTo(48);
        assertThat(busy.perDay(Task.DELETE)).isCloseTo(4.8, within(1e-9));
        assertThat(busy.perDay(Task.MOVE)).isCloseTo(14.4, within(1e-9));
        assertThat(busy.perDay(Task.FORWARD)).isZero();
        assertThat(busy.messages()).extracting(MessageTemplate::bodyBytes).containsExactly(10240);
        assertThat(busy.writing().lists())
                .isEqualTo(UserProfile.of("medium").writing().lists());
        // What has no meaning here is said, and what has is not.
        assertThat(busy.tree().get("not_played"))
                .asInstanceOf(MAP)
                .containsOnlyKeys("username_format", "count");
        assertThat(busy.tree().get("writing"))
                .asInstanceOf(MAP)
                .extractingByKey("send_per_day")
                .asInstanceOf(MAP)
                .containsEntry("source", "mail_send_interval");
    }

    @Test
    void intervalsAreCountedOverTheDay() throws IOException {
        UserProfile calm =
                UserProfile.of("imaptest:" + written(FILE) + "#calm", Duration.ofHours(2));
        assertThat(calm.perDay(Task.READ)).isEqualTo(2);
        assertThat(calm.perDay(Task.SEND)).isZero();
        assertThat(calm.messages()).isEqualTo(UserProfile.of("medium").messages());
    }

    @Test
    void aUserAloneNeedNotBeNamed() throws IOException {
        assertThat(UserProfile.of("imaptest:" + written(BUSY)).name()).isEqualTo("imaptest-busy");
    }

    @Test
    void whichUserHasToBeSaid() throws IOException {
        String file = written(FILE);
        assertThatThrownBy(() -> UserProfile.of("imaptest:" + file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("busy, calm")
                .hasMessageEndingWith("#busy");
        assertThatThrownBy(() -> UserProfile.of("imaptest:" + file + "#lazy"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("busy, calm");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "5 min | often | user busy, mail_inbox_delivery_interval: 'often' is not a time",
                "5 min | 5 weeks | user busy, mail_inbox_delivery_interval: '5 weeks' is not a time",
                "10k | large | user busy, mail_write_size: 'large' is not a size",
                "= 50 | = half | user busy, mail_inbox_reply_percentage: 'half' is not a percentage",
                "= 50 | = 500 | user busy, mail_inbox_reply_percentage: '500' is not a percentage",
                "delete_percentage = 5 | delete_percentage = 95 | reading.move_percent",
                "count = 10% | count 10% | line 3: 'count 10%' is neither",
                "user busy { | users | 'users' is neither",
                "user busy | client busy | has no section user NAME"
            })
    void whatIsWrongIsSaidWithItsPlace(String part, String wrong, String said) throws IOException {
        String file = written(BUSY.replace(part, wrong));
        assertThatThrownBy(() -> UserProfile.of("imaptest:" + file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(said);
    }

    @Test
    void aFileThatIsNotThereIsSaid() {
        assertThatThrownBy(() -> UserProfile.of("imaptest:/nowhere/imaptest.conf"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("/nowhere/imaptest.conf can't be read");
    }
}
