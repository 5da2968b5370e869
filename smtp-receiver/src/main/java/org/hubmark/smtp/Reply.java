package org.hubmark.smtp;

import org.hubmark.core.BodyType;
import org.hubmark.core.Receipt;

import java.nio.charset.StandardCharsets;

/**
 * Reply to a peer, with the enhanced status code of RFC 3463 where RFC 2034 asks for one.
 *
 * <p>Immutable; constants are encoded once.
 */
public final class Reply {
    static final Reply DATA_GO_AHEAD = new Reply("354 go ahead, end with CRLF.CRLF");

    static final Reply OK = new Reply("250 2.0.0 ok");
    static final Reply SENDER_OK = new Reply("250 2.1.0 sender ok");
    static final Reply RECIPIENT_OK = new Reply("250 2.1.5 recipient ok");
    static final Reply BYE = new Reply("221 2.0.0 bye");
    static final Reply CANNOT_VERIFY =
            new Reply("252 2.5.0 cannot verify, but will take mail for it");
    static final Reply HELP = new Reply(
            "214 2.0.0 HELO EHLO MAIL RCPT DATA BDAT RSET NOOP VRFY HELP QUIT STARTTLS (RFC 5321)");

    static final Reply TLS_GO_AHEAD = new Reply("220 2.0.0 go ahead with TLS");
    static final Reply TLS_UNAVAILABLE = new Reply("454 4.7.0 no TLS just now, try again later");
    static final Reply TLS_REQUIRED = new Reply("530 5.7.0 must issue a STARTTLS command first");
    static final Reply TLS_ALREADY = new Reply("503 5.5.1 TLS is in use already");
    static final Reply TLS_PLAIN_TEXT =
            new Reply("421 4.7.0 plain text came with STARTTLS, closing (RFC 3207 4)");

    static final Reply COMMAND_LATE = new Reply("421 4.4.2 no command in time, closing");
    static final Reply CONTENT_LATE = new Reply("421 4.4.2 no content in time, closing");
    static final Reply CONTENT_SLOW =
            new Reply("421 4.4.2 content comes too slowly, try again later");
    static final Reply TRANSACTION_LATE =
            new Reply("421 4.4.2 the mail transaction takes too long, closing");
    static final Reply TOO_MANY_CONNECTIONS =
            new Reply("421 4.7.0 too many connections, try again later");
    static final Reply TOO_MANY_OF_ADDRESS =
            new Reply("421 4.7.0 too many connections from your address, try again later");
    static final Reply TOO_OFTEN_FROM_ADDRESS =
            new Reply("421 4.7.0 too many new connections from your address, try again later");
    static final Reply TOO_MANY_COMMANDS =
            new Reply("421 4.7.0 too many commands without mail, closing");
    static final Reply EARLY_TALKER =
            closing("554 5.5.1 you spoke before the greeting (RFC 5321 3.1), closing");
    static final Reply NOT_SMTP = closing("554 5.5.1 that is not SMTP, closing");
    static final Reply TOO_MANY_ERRORS = new Reply("421 4.7.0 too many errors, closing");
    static final Reply FAULT = new Reply("421 4.3.0 internal error, closing, try again later");
    static final Reply CLOSING = new Reply("421 4.3.2 shutting down, try again later");
    static final Reply NO_MEMORY = new Reply("452 4.3.1 too much mail in flight, try again later");
    static final Reply NO_ENVELOPE_MEMORY =
            new Reply("452 4.3.1 too many recipients in flight, try again later");
    static final Reply TOO_MANY_RECIPIENTS =
            new Reply("452 4.5.3 too many recipients, send the rest in another transaction");

    static final Reply NO_RELAYING = new Reply("550 5.7.1 no relaying for this recipient");

    static final Reply LINE_TOO_LONG = new Reply("500 5.5.2 line too long");
    static final Reply LINE_ENDLESS = closing("500 5.5.2 line without an end, closing");
    static final Reply LINE_WITHOUT_CR = closing(
            "500 5.5.2 a line ends in CR LF, a bare LF ends none (RFC 5321 2.3.8), closing");
    static final Reply LINE_MALFORMED =
            new Reply("500 5.5.2 bare CR, bare LF or NUL in a command line");
    static final Reply UNKNOWN_COMMAND = new Reply("500 5.5.2 command not recognized");
    static final Reply NOT_IMPLEMENTED = new Reply("502 5.5.1 command not implemented");
    static final Reply GREETING_NAME =
            new Reply("501 a name has to follow HELO and EHLO: a domain or an address literal");
    static final Reply GREETING_NAME_LONG =
            new Reply("501 the name behind HELO and EHLO is longer than 255 octets");
    static final Reply NO_ARGUMENT = new Reply("501 5.5.4 this command takes no argument");
    static final Reply ARGUMENT_NEEDED = new Reply("501 5.5.4 this command needs an argument");
    static final Reply MAIL_SYNTAX =
            new Reply("501 5.5.4 MAIL FROM:<reverse-path> [parameters] is the form");
    static final Reply RCPT_SYNTAX = new Reply("501 5.5.4 RCPT TO:<forward-path> is the form");
    static final Reply BDAT_SYNTAX = closing("501 5.5.4 BDAT octets [LAST] is the form, closing");
    static final Reply BDAT_TOO_LARGE = closing("552 5.3.4 chunk too large, closing");
    static final Reply BDAT_WITHOUT_MAIL = closing("503 5.5.1 BDAT without MAIL, closing");
    static final Reply SIZE_SYNTAX = new Reply("501 5.5.4 SIZE=octets is the form, given once");
    static final Reply BODY_SYNTAX =
            new Reply("501 5.5.4 BODY=7BIT, 8BITMIME or BINARYMIME is the form, given once");
    static final Reply BODY_TYPE = new Reply("555 5.6.3 BODY of this type can't be passed on");
    static final Reply MAIL_PARAMETER =
            new Reply("555 5.5.4 parameter not recognized, MAIL takes SIZE and BODY");
    static final Reply RCPT_PARAMETER =
            new Reply("555 5.5.4 parameter not recognized, RCPT takes none");
    static final Reply HELLO_FIRST = new Reply("503 5.5.1 HELO or EHLO first");
    static final Reply MAIL_FIRST = new Reply("503 5.5.1 MAIL first");
    static final Reply NESTED_MAIL = new Reply("503 5.5.1 a mail transaction is open already");
    static final Reply RECIPIENT_FIRST = new Reply("503 5.5.1 no valid recipient yet");
    static final Reply DATA_AFTER_BDAT = new Reply("503 5.5.1 DATA and BDAT do not mix");
    static final Reply RCPT_AFTER_BDAT =
            new Reply("503 5.5.1 the content has begun, no more recipients");
    static final Reply BINARY_NEEDS_BDAT = new Reply("503 5.5.1 BODY=BINARYMIME needs BDAT");

    static final Reply TOO_LARGE = new Reply("552 5.3.4 message too large");
    static final Reply CONTENT_ENDLESS = closing("552 5.3.4 message too large, closing");
    static final Reply CONTENT_BARE_LINE_END =
            new Reply("554 5.6.0 bare CR or bare LF in the content (RFC 5321 2.3.8)");
    static final Reply CONTENT_NUL =
            new Reply("554 5.6.0 NUL in the content (RFC 2045 2.7, use BODY=BINARYMIME)");
    static final Reply CONTENT_LINE_TOO_LONG =
            new Reply("554 5.6.0 line too long in the content (RFC 5321 4.5.3.1.6)");
    static final Reply MAIL_LOOP =
            new Reply("554 5.4.6 too many Received fields, this looks like a mail loop");

    private static final int DETAIL_LENGTH_MAX = 200;

    private final String text;
    private final byte[] line;
    private final boolean ends;

    /** A reply of one line, given without its CRLF; 421 and 221 end the connection. */
    Reply(String text) {
        this(text, text.startsWith("421") || text.startsWith("221"));
    }

    private Reply(String text, boolean ends) {
        this.text = text;
        this.ends = ends;
        this.line = (text + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** {@return a reply that ends the connection whatever its code} */
    static Reply closing(String text) {
        return new Reply(text, true);
    }

    /** {@return the same reply, as the last one of the connection} */
    Reply closing() {
        return new Reply(text + ", closing", true);
    }

    /** {@return the reply to a MAIL whose path is malformed} */
    static Reply notReversePath(String why) {
        return new Reply("501 5.1.7 not a reverse-path: " + why);
    }

    /** {@return the reply to a RCPT whose path is malformed} */
    static Reply notForwardPath(String why) {
        return new Reply("501 5.1.3 not a forward-path: " + why);
    }

    /** {@return the reply to a RCPT whose recipient was checked and is not there} */
    static Reply noSuchRecipient(String why) {
        return new Reply("550 5.1.1 " + printable(why));
    }

    /** {@return the reply to an end of data, or a MAIL, that is refused} */
    static Reply to(Receipt.Refused refused) {
        String detail = printable(refused.detail());
        return switch (refused.reason()) {
            case BUSY -> new Reply("451 4.3.2 " + detail);
            case STORAGE_FULL, BYTES_IN_FLIGHT, BACK_PRESSURE -> new Reply("452 4.3.1 " + detail);
            case ENVELOPE_TOO_LARGE -> new Reply("554 5.3.4 " + detail);
            case CLOSING -> new Reply("421 4.3.2 " + detail);
            case BROKEN -> new Reply("421 4.3.0 " + detail);
        };
    }

    /** {@return the reply to EHLO} */
    static Reply features(Limits limits, BodyType bodyTypeMax, boolean offersTls) {
        boolean eightBit = bodyTypeMax != BodyType.SEVEN_BIT;
        boolean binary = bodyTypeMax == BodyType.BINARY_MIME;
        String lines = "250-" + limits.hostName() + "\r\n250-PIPELINING\r\n250-SIZE "
                + limits.messageBytesMax()
                + (eightBit ? "\r\n250-8BITMIME" : "")
                + "\r\n250-ENHANCEDSTATUSCODES"
                + (offersTls ? "\r\n250-STARTTLS" : "")
                + (binary ? "\r\n250-CHUNKING\r\n250 BINARYMIME" : "\r\n250 CHUNKING");
        return new Reply(lines);
    }

    static Reply to(DataDecoder.Fault fault) {
        return switch (fault) {
            case BARE_LINE_END -> CONTENT_BARE_LINE_END;
            case NUL -> CONTENT_NUL;
            case LINE_TOO_LONG -> CONTENT_LINE_TOO_LONG;
            case TOO_LARGE -> TOO_LARGE;
            case NO_MEMORY -> NO_MEMORY;
        };
    }

    /** {@return the octets with their CRLF} Not to be changed. */
    byte[] line() {
        return line;
    }

    /** {@return whether the connection ends with it} */
    boolean ends() {
        return ends;
    }

    /** {@return whether the peer erred for good: 5xx} */
    boolean isPermanent() {
        return text.charAt(0) == '5';
    }

    @Override
    public String toString() {
        return text;
    }

    private static String printable(String detail) {
        if (detail.isBlank()) {
            return "try again later";
        }
        StringBuilder kept = new StringBuilder(detail.length());
        for (int i = 0; i < Math.min(detail.length(), DETAIL_LENGTH_MAX); i++) {
            char c = detail.charAt(i);
            kept.append(c >= ' ' && c <= '~' ? c : '?');
        }
        return kept.toString();
    }
}
