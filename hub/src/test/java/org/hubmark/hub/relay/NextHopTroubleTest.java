package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.hub.LogLines;
import org.hubmark.hub.TestStore;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.smtp.client.SmtpReply;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A night with a next hop that is down is a screenful of log, and its last line is true. Method: the
 * failures that deliveries would report, at times that the test makes.
 */
final class NextHopTroubleTest {
    @AutoClose
    private final LogLines log = new LogLines(NextHopTrouble.class);

    private final NextHopTrouble trouble =
            new NextHopTrouble(new NextHop(NextHop.Protocol.SMTP, "mx.example", 25));
    /** Anything, as of a clock that may begin anywhere. */
    private long nowNanos = Long.MAX_VALUE - 1_000_000_000;

    /**
     * What happens, with {@code =} the number of lines by then, and the last line. A night of failures, a hop that is
     * back a minute after its last failure and not before it has answered, one that comes and goes, and refusals: they
     * are told now and then, and so is their end; who is taken at times is told of once a minute.
     */
    @ParameterizedTest
    @CsvFileSource(resources = "trouble.csv", delimiter = '|')
    void isToldNowAndThen(String steps, String last) {
        Matcher step = Pattern.compile("(?:(\\d+)\\*)?(?:\\[([^]]*)]|(\\S+))").matcher(steps);
        while (step.find()) {
            int times = step.group(1) == null ? 1 : Integer.parseInt(step.group(1));
            String[] words = (step.group(2) == null ? step.group(3) : step.group(2)).split(" ", -1);
            for (int i = 0; i < times; i++) {
                for (String word : words) {
                    happens(word);
                }
            }
        }
        assertThat(log.lines()).last().isEqualTo("smtp://mx.example:25 " + last);
    }

    private void happens(String word) {
        switch (word) {
            case "fail" -> trouble.failed("refused", nowNanos);
            case "answer" -> trouble.answered(nowNanos);
            case "look" -> trouble.look(nowNanos);
            case "refuse" -> trouble.refuses(new SmtpReply(530, "no"), 1, nowNanos);
            case "refuse10" -> trouble.refuses(new SmtpReply(530, "no"), 10, nowNanos);
            case "take" -> trouble.takes(nowNanos);
            default -> {
                if (word.startsWith("+")) {
                    nowNanos += TestStore.time(word.substring(1)).toNanos();
                } else {
                    assertThat(log.lines()).hasSize(Integer.parseInt(word.substring(1)));
                }
            }
        }
    }
}
