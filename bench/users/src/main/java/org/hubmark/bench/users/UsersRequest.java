package org.hubmark.bench.users;

import org.hubmark.bench.measure.hub.Program;
import org.hubmark.bench.users.profile.UserProfile;
import org.hubmark.bench.users.result.Limits;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;

/**
 * Whose day is to be played, and against what.
 *
 * @param program that asks
 * @param target null for a hub of its own that delivers into an embedded mailbox server
 * @param userFormat of an address, which is also the name to log on by: user%d@example.test; the first
 *     user is 1
 * @param levels how many users, one number after the other
 * @param day that the profile's counts are of
 * @param compress how many times faster than a real one the day goes by
 * @param warmup in which users log on and begin; nothing of it is in the latencies
 * @param duration that is measured
 * @param runs of each level
 * @param mailboxBytes that mailboxes hold before the first run; null for the profile's
 * @param idle whether clients wait for news by IDLE where the server can
 * @param poll how often a client looks for new mail otherwise: arrivals are seen so much later at most
 * @param timeout for an answer of the server
 * @param settle how long at most mail is waited for at the end
 * @param settings of the command, for the results
 * @param command as one can paste it into a shell
 */
public record UsersRequest(
        Program program,
        UserProfile profile,
        @Nullable MailTarget target,
        String userFormat,
        Levels levels,
        Duration day,
        double compress,
        Duration warmup,
        Duration duration,
        int runs,
        Limits limits,
        @Nullable Long mailboxBytes,
        boolean idle,
        Duration poll,
        Duration timeout,
        Duration settle,
        boolean quiet,
        long seed,
        Map<String, Object> settings,
        String command) {
    /** Looks at the parts. */
    public UsersRequest {
        if (compress <= 0) {
            throw new IllegalArgumentException("no time");
        }
    }

    /** {@return how much of a day is played in the measured time} */
    public double daysMeasured() {
        return compress * duration.toNanos() / day.toNanos();
    }
}
