package org.hubmark.bench.users;

/** What all users of a run have in common. */
record RunParts(
        UsersRequest request,
        MailPlaces places,
        Submission submission,
        MessageWriter writer,
        SentMail sentMail,
        TaskTally tally,
        RunClock clock,
        long seed) {
    /** {@return how long a day of theirs takes} */
    double dayNanos() {
        return request.timing().day().toNanos() / request.timing().compress();
    }
}
