package org.hubmark.bench.mail.document;

import java.util.List;
import java.util.stream.Stream;

/** Remedies for a result that is not valid, by its reasons as they are worded there. */
@SuppressWarnings("ImmutableEnumChecker") // A list that can't be changed has nothing to change.
public enum Remedy {
    /** Mail is gone, twice there or changed. */
    MAIL(
            "keep the server's volumes and log, and look there for these messages",
            "accepted messages are lost",
            "audited messages"),
    /** The server ended, or hung. */
    NO_ANSWER(
            "look at the server's log, or take fewer --connections",
            "messages failed: no answer came",
            "connections failed or were closed",
            "no message was accepted"),
    /** Some do so after so many messages. */
    CLOSED(
            "where the server ends each connection after some messages, send fewer by each"
                    + " (--messages-per-connection)",
            "connections failed or were closed"),
    /** It says why in its reply. */
    REFUSED(
            "do what the reply asks for: free space, or give a lower --rate",
            "were refused with 4xx or 5xx"),
    /** The figure is the driver's and not the server's. */
    DRIVER(
            "put the driver on another machine or core, or take more --driver-threads",
            "the driver is the bottleneck"),
    /** Nothing was sent for a while. */
    STOPPED("measure again, and let the driver and its machine run", "the driver stood still"),
    /** A rate was asked for. */
    NOT_SUSTAINED(
            "ask for a lower --rate, or measure longer (--duration)", "the rate was not sustained"),
    /** Two runs at once. */
    OTHER_RUN(
            "measure one after the other, or --shared-machine to only note it",
            "another run measured at the same time"),
    /** A virtual machine's neighbours. */
    STEAL(
            "measure when the host has less to do, or --shared-machine to only note it",
            "the hypervisor took"),
    /** A limit of our own making. */
    THROTTLED(
            "raise the CPU limit of the control group, or ask for a lower --rate; --shared-machine to"
                    + " only note it",
            "the control group had used up its CPU limit"),
    /** Other programs. */
    FOREIGN(
            "stop what else runs here, or --shared-machine to only note it",
            "processes other than server and driver took"),
    /** Somebody ended it. */
    INTERRUPTED("measure again to the end", "interrupted");

    private final String text;
    private final List<String> words;

    Remedy(String text, String... words) {
        this.text = text;
        this.words = List.of(words);
    }

    /** {@return what helps against these reasons, each once; none where we know of nothing} */
    public static List<String> of(List<String> reasons) {
        return Stream.of(values())
                .filter(remedy -> reasons.stream().anyMatch(remedy::fits))
                .map(remedy -> remedy.text)
                .toList();
    }

    private boolean fits(String reason) {
        return words.stream().anyMatch(reason::contains);
    }
}
