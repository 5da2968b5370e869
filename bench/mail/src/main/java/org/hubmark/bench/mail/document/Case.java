package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/** What makes a result not valid or less certain than it looks, and what helps against it. */
public enum Case {
    /** Mail is gone, twice there or changed. */
    MAIL("keep the server's volumes and log, and look there for these messages"),
    /** Not all that was accepted could be compared. */
    AUDIT("compare a part (--audit sampled), or send less: a shorter --duration or a lower --rate"),
    /** The server ended, or hung. */
    NO_ANSWER("look at the server's log, or take fewer --connections"),
    /** Some servers do so after so many messages. */
    CLOSED("look at the server's log; where it ends each connection after some messages, send fewer"
            + " by each (--messages-per-connection)"),
    /** It says why in its reply. */
    REFUSED("do what the reply asks for: free space, or give a lower --rate"),
    /** The figure is the driver's and not the server's. */
    DRIVER("put the driver on another machine or core"),
    /** Nothing was sent for a while. */
    STOPPED("measure again, and let the driver and its machine run"),
    /** A rate was asked for. */
    NOT_SUSTAINED("ask for a lower --rate, or measure longer (--duration)"),
    /** By another run, other programs, a virtual machine's neighbours, or a limit of our own making. */
    DISTURBED("give it the whole machine (no other programs, no neighbours, no CPU limit), or"
            + " --shared-machine to only note it"),
    /** The same, with the caller's knowledge. */
    SHARED(null),
    /** Somebody ended it. */
    INTERRUPTED("measure again to the end"),
    /** It could not be measured. */
    FAILED("remove the cause, and give the same command with the same --output: it tries again"),
    /** Any other reason why a result is not valid. */
    OTHER(null),
    /** The load, before it was measured. */
    NOT_STEADY("stop what else runs here, or give a longer --warmup-max"),
    /** The rate, over the repeats. */
    TREND(null),
    /** That of the log device is no ceiling. */
    CEILING(null),
    /** There is none at a lower rate. */
    LATENCY(null);

    private final @Nullable String remedy;

    Case(@Nullable String remedy) {
        this.remedy = remedy;
    }

    /** {@return its name in a file} */
    @JsonValue
    String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return what helps, to stand behind what happened; empty where we know of nothing} */
    public String remedy() {
        return remedy == null ? "" : ". What to do: " + remedy;
    }
}
