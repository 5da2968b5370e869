package org.hubmark.bench.users;

import org.hubmark.bench.users.profile.UserProfile;

import java.time.Duration;

/**
 * What all users of a run have in common.
 *
 * @param dayNanos how long a day of theirs takes
 * @param poll how often a client looks for new mail where the server has no IDLE
 */
record RunParts(
        UserProfile profile,
        MailPlaces places,
        Submission submission,
        MessageWriter writer,
        SentMail sentMail,
        TaskTally tally,
        RunClock clock,
        double dayNanos,
        Duration poll,
        long seed) {}
