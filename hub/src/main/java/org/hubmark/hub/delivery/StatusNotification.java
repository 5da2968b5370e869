package org.hubmark.hub.delivery;

import io.netty.util.NetUtil;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.RecipientResult;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a delivery status notification (RFC 3464): what became of which recipients, for people
 * and for programs, and the header of the message that it is about. US-ASCII throughout, so that it can
 * be passed on by any server.
 *
 * @param action what became of the recipients
 * @param lease the message that it is about
 * @param results what came of each forward-path
 * @param recipients the places of those that it is about
 * @param hostName our own name
 * @param now its date
 * @param retryUntil until when it is tried, where it is
 */
record StatusNotification(
        Action action,
        Lease lease,
        List<RecipientResult> results,
        List<Integer> recipients,
        String hostName,
        Instant now,
        Instant retryUntil) {
    /** Returned of the message's header: more than any that isn't made to be large. */
    private static final int HEADER_OCTETS_MAX = 64 << 10;

    /** RFC 5322 2.1.1: 998 octets without the line end. */
    private static final int LINE_OCTETS_MAX = 998;

    /** A next hop, what it said: the code, an enhanced code (RFC 3463 2), words. */
    private static final Pattern REPLY = Pattern.compile(
            "(?:[a-z]+://\\[?([^\\s\\]]+?)]?:[0-9]+: )?"
                    + "((?:([2-5][0-9]{2})(?: |$))?"
                    + "(?:([245])(\\.(?:0|[1-9][0-9]{0,2})\\.(?:0|[1-9][0-9]{0,2}))(?=[ \\t]|$))?.*)");

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, d MMM yyyy HH:mm:ss Z", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** Action for a recipient (RFC 3464 2.3.3). */
    enum Action {
        /** There will be no further attempt. */
        FAILED,
        /** It takes long; there will be further attempts. */
        DELAYED
    }

    /**
     * {@return the envelope that it travels in} Nobody is notified of a notification. In place of a peer it
     * has the queue id of the message that is kept for it.
     */
    Envelope envelope() {
        String about = action == Action.FAILED ? lease.id().toString() : "";
        return new Envelope(
                "", List.of(lease.envelope().reversePath()), BodyType.SEVEN_BIT, now, about);
    }

    /**
     * {@return the message that is kept until a message with this envelope is delivered, or null} A peer
     * of that form changes nothing: the message knows its notifications.
     */
    static @Nullable QueueId about(Envelope envelope) {
        String peer = envelope.peer();
        long about = envelope.reversePath().isEmpty() && peer.length() == QueueId.TEXT_LENGTH
                ? QueueId.valueIn(peer, 0)
                : -1;
        return about < 0 ? null : new QueueId(about);
    }

    /**
     * {@return the message}
     *
     * @param id its own queue id
     */
    byte[] content(QueueId id) {
        String boundary = id + "-" + UUID.randomUUID();
        StringBuilder text = new StringBuilder();
        line(text, "Date: " + DATE.format(now));
        line(text, "From: Mail Delivery System <MAILER-DAEMON@" + hostName + ">");
        line(text, "To: <" + lease.envelope().reversePath() + ">");
        line(
                text,
                action == Action.FAILED
                        ? "Subject: Undelivered mail returned to sender"
                        : "Subject: Delayed mail (still being tried)");
        line(text, "Message-ID: <" + id + "." + now.toEpochMilli() + "@" + hostName + ">");
        // RFC 3834: no vacation message answers it.
        line(text, "Auto-Submitted: auto-replied");
        line(text, "MIME-Version: 1.0");
        line(text, "Content-Type: multipart/report; report-type=delivery-status;");
        line(text, " boundary=\"" + boundary + "\"");
        begin(text, boundary, "text/plain; charset=us-ascii");
        words(text);
        begin(text, boundary, "message/delivery-status");
        fields(text);
        begin(text, boundary, "text/rfc822-headers");
        header(text);
        line(text, "");
        line(text, "--" + boundary + "--");
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static void begin(StringBuilder text, String boundary, String type) {
        line(text, "");
        line(text, "--" + boundary);
        line(text, "Content-Type: " + type);
        line(text, "");
    }

    private void words(StringBuilder text) {
        line(text, "This is the mail system at " + hostName + ".");
        line(text, "");
        switch (action) {
            case FAILED -> {
                line(text, "Your message could not be delivered to the recipients below. Others");
                line(text, "that you sent it to, if any, are not concerned. Its header follows.");
            }
            case DELAYED -> {
                line(text, "Your message could not be delivered yet to the recipients below. This");
                line(text, "is only a warning: there is no need to send it again. It is tried");
                line(text, "until " + DATE.format(retryUntil) + ".");
            }
        }
        for (int recipient : recipients) {
            line(text, "");
            line(text, "<" + lease.envelope().forwardPaths().get(recipient) + ">:");
            line(text, "    " + results.get(recipient).reply());
        }
    }

    /** RFC 3464 2.2 and 2.3. */
    private void fields(StringBuilder text) {
        line(text, "Reporting-MTA: dns; " + hostName);
        line(text, "X-Hubmark-Queue-ID: " + lease.id());
        line(text, "Arrival-Date: " + DATE.format(lease.envelope().receivedAt()));
        for (int recipient : recipients) {
            String address = lease.envelope().forwardPaths().get(recipient);
            line(text, "");
            line(text, "Final-Recipient: rfc822; " + address);
            line(text, "Action: " + action.name().toLowerCase(Locale.ROOT));
            answer(text, results.get(recipient).reply());
            line(text, "Last-Attempt-Date: " + DATE.format(now));
            if (action == Action.DELAYED) {
                line(text, "Will-Retry-Until: " + DATE.format(retryUntil));
            }
        }
    }

    /** What a program can make of a reply, ours or a next hop's. */
    private void answer(StringBuilder text, String reply) {
        Matcher parts = REPLY.matcher(printable(reply));
        boolean matches = parts.matches();
        String host = matches ? parts.group(1) : null;
        String said = matches ? parts.group(2) : null;
        String code = matches ? parts.group(3) : null;
        String enhancedClass = matches ? parts.group(4) : null;
        String detail = matches ? parts.group(5) : null;
        line(text, "Status: " + status(code, enhancedClass, detail));
        if (host != null) {
            line(text, "Remote-MTA: dns; " + name(host));
        }
        if (said != null && code != null) {
            line(text, "Diagnostic-Code: smtp; " + said);
        }
    }

    /** {@return a host as mail names it} An address is a literal (RFC 5321 4.1.3). */
    private static String name(String host) {
        if (host.indexOf(':') >= 0) {
            return "[IPv6:" + host + "]";
        }
        return NetUtil.isValidIpV4Address(host) ? "[" + host + "]" : host;
    }

    /**
     * {@return the status} Its class is that of the reply (RFC 2034 4) and fits the action (RFC 3464
     * 2.3.4): of an enhanced code of another class the rest is kept, but what is said of a success says
     * nothing of a failure.
     */
    private String status(
            @Nullable String code, @Nullable String enhancedClass, @Nullable String detail) {
        String saidClass = code == null ? enhancedClass : code.substring(0, 1);
        boolean isTransient = action == Action.DELAYED || "4".equals(saidClass);
        // RFC 3463 3.1: other or undefined.
        String rest = detail == null || "2".equals(enhancedClass) ? ".0.0" : detail;
        return (isTransient ? "4" : "5") + rest;
    }

    private void header(StringBuilder text) {
        byte[] octets;
        try (InputStream content = lease.openContent()) {
            octets = content.readNBytes(HEADER_OCTETS_MAX);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Split as leniently as can be: whatever the queue holds, what we send has whole lines.
        for (String one : new String(octets, StandardCharsets.ISO_8859_1).split("\r\n|\r|\n", -1)) {
            if (one.isEmpty()) {
                return;
            }
            line(text, one);
        }
    }

    private static void line(StringBuilder text, String line) {
        String printable = printable(line);
        text.append(printable, 0, Math.min(printable.length(), LINE_OCTETS_MAX)).append("\r\n");
    }

    private static String printable(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            printable.append((c >= ' ' && c <= '~') || c == '\t' ? c : '?');
        }
        return printable.toString();
    }
}
