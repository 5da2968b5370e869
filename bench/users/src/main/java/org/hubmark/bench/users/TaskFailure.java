package org.hubmark.bench.users;

import org.hubmark.bench.users.imap.ImapRefusal;
import org.hubmark.smtp.client.SmtpReply;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;

import javax.net.ssl.SSLException;

/** Why a task could not be done, in words that are the same for all that fail alike. */
final class TaskFailure extends Exception {
    private static final long serialVersionUID = 1L;

    TaskFailure(String kind) {
        super(kind);
    }

    /** {@return what an answer of the SMTP server means} */
    static TaskFailure refused(String command, SmtpReply reply) {
        return new TaskFailure("SMTP refused " + command + ": " + reply.code());
    }

    /** {@return what an error on a connection of either protocol means} */
    static TaskFailure of(String protocol, IOException e) {
        return new TaskFailure(
                switch (e) {
                    case ImapRefusal refusal
                    when refusal.isOfLogon() -> "IMAP refused name or password";
                    case ImapRefusal refusal -> "IMAP refused " + refusal.kind();
                    case SocketTimeoutException unused -> protocol + ": no answer in time";
                    case ConnectException unused -> protocol + ": can't connect";
                    case UnknownHostException unused -> protocol + ": no such host";
                    case SSLException unused -> protocol + ": TLS failed";
                    case ProtocolException unused -> protocol + ": spoke something else";
                    default -> protocol + ": connection dropped";
                });
    }

    /** {@return why nothing could be done at all: with the words of the error, too} */
    static String inFull(String protocol, IOException e) {
        return of(protocol, e).kind() + " (" + e.getMessage() + ")";
    }

    /** {@return why} */
    String kind() {
        return String.valueOf(getMessage());
    }
}
