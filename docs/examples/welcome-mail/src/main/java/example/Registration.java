package example;

import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;

import java.util.Properties;

/** The application: it welcomes a user by mail, and tries again when the server says "later". */
public final class Registration {
    private static final int ATTEMPTS_MAX = 3;

    private final Session session;

    public Registration(String host, int port) {
        Properties settings = new Properties();
        settings.put("mail.smtp.host", host);
        settings.put("mail.smtp.port", String.valueOf(port));
        settings.put("mail.smtp.timeout", "5000");
        session = Session.getInstance(settings);
    }

    /** Sends the mail. {@return how many attempts it took} */
    public int register(String address) throws MessagingException {
        MimeMessage message = new MimeMessage(session);
        message.setFrom(new InternetAddress("app@example.org"));
        message.setRecipient(Message.RecipientType.TO, new InternetAddress(address));
        message.setSubject("Welcome");
        message.setText("Good to have you here.");
        for (int attempt = 1; ; attempt++) {
            try {
                Transport.send(message);
                return attempt;
            } catch (MessagingException e) {
                if (attempt == ATTEMPTS_MAX) {
                    throw e;
                }
            }
        }
    }
}
