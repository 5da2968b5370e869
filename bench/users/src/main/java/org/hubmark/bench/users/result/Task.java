package org.hubmark.bench.users.result;

import java.util.List;

/**
 * What a user does with mail, as LoadSim names it. The source prints no weights, only that READ has more
 * than half of all: the numbers here are ours.
 */
public enum Task {
    SEND(0.08),
    REPLY(0.05),
    REPLY_ALL(0.03),
    FORWARD(0.04),
    READ(0.55),
    BROWSE(0.10),
    DELETE(0.10),
    MOVE(0.05),
    /** Not in the score, as in the source. */
    LOGON(0),
    /** Keeps a copy of a message that was sent, when the server has taken it. Who sends does not wait for it. */
    SAVE(0),
    /** Reads a message at once when the client is told of it. A profile takes its weight from READ's. */
    REACT(0);

    /** Those that send a message, until the server has taken it. */
    public static final List<Task> SENDING = List.of(SEND, REPLY, REPLY_ALL, FORWARD);

    private final double weight;

    Task(double weight) {
        this.weight = weight;
    }

    /** {@return its share of the score, 0 to 1, unless a profile has others} */
    public double weight() {
        return weight;
    }
}
