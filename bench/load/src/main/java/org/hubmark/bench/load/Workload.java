package org.hubmark.bench.load;

import org.HdrHistogram.Histogram;

import java.time.Duration;

/**
 * Work that is put on a server, over and over, and counted: mail that is sent to it, say. Whatever
 * measures knows this and not what work it is; windows, steady state, repeats, the search for the
 * highest rate, results and report come of themselves.
 *
 * <p>It is connected when it is made. Then {@link #begin}, {@link #stop} and {@link #close}. One
 * thread calls; the work is done by others.
 */
public interface Workload extends AutoCloseable {
    /**
     * How long operations took, nanoseconds. Percentiles can't be averaged, but histograms can be put
     * together.
     *
     * @param intended from their intended start
     * @param actual from the moment at which they were really begun, which hides waiting
     */
    record Latency(Histogram intended, Histogram actual) {
        /** Of none yet. */
        public Latency() {
            this(new Histogram(3), new Histogram(3));
        }

        /** Puts others to these. */
        public void add(Latency others) {
            intended.add(others.intended);
            actual.add(others.actual);
        }
    }

    /**
     * What was due and not done when the work was ended.
     *
     * @param begun how many operations of it were under way
     * @param intended how old all of it was, nanoseconds from the intended start
     * @param actual how old that was which was under way, from the moment it was really begun
     */
    record Open(long begun, Histogram intended, Histogram actual) {}

    /**
     * Notes from now on what is accepted, so that it can be looked for where it is delivered. Called
     * before {@link #begin}; work that is no mail notes nothing.
     */
    default void audit(AcceptedMail accepted) {}

    /** Starts. */
    void begin();

    /** {@return what was done since the start, and what is still open} */
    LoadSnapshot snapshot();

    /** {@return how long took what was done since the last call} */
    Latency takeLatencies();

    /** {@return by how many nanoseconds the work was begun late by its own fault since the last call} */
    default Histogram takeLateness() {
        return new Histogram(3);
    }

    /**
     * Begins nothing more; what is under way goes on. What is done from now on is in no latency any
     * more: it counts here, with the age that it has.
     */
    default Open end() throws InterruptedException {
        return new Open(0, new Histogram(3), new Histogram(3));
    }

    /** {@return how many threads do the work; their CPU time is in the snapshots} */
    default int threads() {
        return 1;
    }

    /** Waits until work that ends by itself is done; false when the time is over. */
    boolean awaitFinished(Duration timeout) throws InterruptedException;

    /** Begins nothing more and waits for what is open; what isn't done in that time has failed. */
    void stop(Duration timeout) throws InterruptedException;

    /** Ends what is still open. */
    @Override
    void close();
}
