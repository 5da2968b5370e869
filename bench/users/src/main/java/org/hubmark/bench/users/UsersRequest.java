package org.hubmark.bench.users;

import org.hubmark.bench.users.profile.UserProfile;
import org.hubmark.bench.users.result.LevelLimits;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * Whose day is to be played, and against what.
 *
 * @param target null for a hub of its own that delivers into an embedded mailbox server
 * @param userFormat of an address, which is also the name to log on by: user%d@example.test; the first
 *     user is 1
 * @param levels numbers of users, in increasing order
 * @param runs of each level
 * @param sharedMachine whether others use the machine with the caller's knowledge
 */
public record UsersRequest(
        UserProfile profile,
        @Nullable MailTarget target,
        String userFormat,
        List<Integer> levels,
        int runs,
        LevelLimits limits,
        Timing timing,
        boolean sharedMachine,
        long seed) {
    /**
     * When users do what they do.
     *
     * @param day that the profile's counts are of
     * @param compress how many times faster than a real one the day goes by; above 0
     * @param warmup in which users log on and begin; nothing of it is in the latencies
     * @param duration that is measured
     * @param poll how often a client looks for new mail where the server has no IDLE: arrivals are seen
     *     so much later at most
     * @param timeout for an answer of the server
     * @param settle how long at most mail is waited for at the end
     */
    public record Timing(
            Duration day,
            double compress,
            Duration warmup,
            Duration duration,
            Duration poll,
            Duration timeout,
            Duration settle) {}
}
