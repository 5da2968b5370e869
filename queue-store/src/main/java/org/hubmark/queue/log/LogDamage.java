package org.hubmark.queue.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Damage that a scan has found in synced data, and the decision whether the scan may go on behind
 * it. A content that is damaged costs its message: that is kept and can't be read. Where a record
 * itself is damaged nobody knows what it said, so the scan goes on only if that was accepted. One
 * thread.
 */
public final class LogDamage {
    private static final Logger LOG = LoggerFactory.getLogger(LogDamage.class);

    private final boolean accepted;
    private final LongFunction<String> messageNames;
    private final List<String> found = new ArrayList<>();

    /**
     * Accepts records that are lost, or ends the scan there.
     *
     * @param messageNames how people call the message of a record
     */
    public LogDamage(boolean accepted, LongFunction<String> messageNames) {
        this.accepted = accepted;
        this.messageNames = messageNames;
    }

    /** {@return how people call the message of a record} */
    String messageName(long id) {
        return messageNames.apply(id);
    }

    /** {@return a line for each damage, with its place} */
    public List<String> found() {
        return List.copyOf(found);
    }

    /** The content of a record can't be read, or is not what was written. */
    void content(String what) {
        found.add(what);
        LOG.atError().addKeyValue("event", "log_damaged").log("{}", what);
    }

    /**
     * Records are lost.
     *
     * @param what says which
     * @param refusal says what to do
     * @throws LogException that one, if it was not accepted
     */
    void records(String what, LogException refusal) throws LogException {
        if (!accepted) {
            throw refusal;
        }
        content(what);
    }
}
