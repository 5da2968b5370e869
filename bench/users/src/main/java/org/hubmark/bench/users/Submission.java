package org.hubmark.bench.users;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.hubmark.bench.load.ClientAuth;
import org.hubmark.bench.load.SaslMechanism;
import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Hands messages to the server by SMTP as mail clients do: a connection for each. Blocks; any thread.
 */
record Submission(MailTarget target, Duration timeout) {
    private static final String OWN_NAME = "users.hubmark.example";
    private static final byte[] QUIT = "QUIT\r\n".getBytes(US_ASCII);

    /**
     * Sends a message; what becomes of it is noted with it.
     *
     * @param user who logs on, if anybody does
     * @param from who writes
     */
    void send(int user, String from, List<String> to, byte[] content, SentMail.Sent sent)
            throws TaskFailure {
        boolean settled = false;
        try (SmtpClient client = SmtpClient.connect(target.smtp(), timeout)) {
            require("the connection", greeting(client));
            prepare(client, user, from);
            SmtpReply begun = client.begin(from, to);
            if (!begun.asksForContent()) {
                throw TaskFailure.refused("the envelope", begun);
            }
            settled = true;
            finish(client, content, sent);
        } catch (IOException e) {
            throw TaskFailure.of("SMTP", e);
        } finally {
            if (!settled) {
                sent.refused();
            }
        }
    }

    /** From here on nobody knows whether the server takes the message until it says so. */
    private static void finish(SmtpClient client, byte[] content, SentMail.Sent sent)
            throws IOException, TaskFailure {
        SmtpReply reply = client.end(content);
        if (!reply.isSuccess()) {
            sent.refused();
            throw TaskFailure.refused("the message", reply);
        }
        sent.accepted();
        quit(client);
    }

    private static void quit(SmtpClient client) {
        try {
            client.write(QUIT);
        } catch (IOException e) {
            // The server has gone first; the message is its own by now.
        }
    }

    private void prepare(SmtpClient client, int user, String from) throws IOException, TaskFailure {
        SmtpReply hello = client.hello(OWN_NAME);
        require("EHLO", hello);
        if (target.authenticates()) {
            SaslMechanism mechanism = SaslMechanism.announced(hello);
            if (mechanism == null) {
                throw new TaskFailure("SMTP: neither AUTH PLAIN nor AUTH LOGIN is announced");
            }
            SmtpReply reply = ClientAuth.of(from, target.password(user)).logOn(client, mechanism);
            if (!reply.isSuccess()) {
                throw new TaskFailure("SMTP refused name or password: " + reply.code());
            }
        }
    }

    private SmtpReply greeting(SmtpClient client) throws IOException {
        if (target.smtpTls()) {
            client.encrypt(target.tls().factory(), target.tls().parameters());
        }
        return client.reply();
    }

    /** {@return the first words of the server} */
    String greeting() throws IOException {
        try (SmtpClient client = SmtpClient.connect(target.smtp(), timeout)) {
            SmtpReply greeting = greeting(client);
            quit(client);
            return greeting.toString();
        }
    }

    private static void require(String command, SmtpReply reply) throws TaskFailure {
        if (!reply.isSuccess()) {
            throw TaskFailure.refused(command, reply);
        }
    }
}
