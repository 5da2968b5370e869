package org.hubmark.bench.users.embedded;

import com.icegreen.greenmail.Managers;
import com.icegreen.greenmail.imap.ImapConstants;
import com.icegreen.greenmail.imap.ImapHandler;
import com.icegreen.greenmail.imap.ImapRequestHandler;
import com.icegreen.greenmail.imap.ImapResponse;
import com.icegreen.greenmail.imap.ImapSession;
import com.icegreen.greenmail.imap.ImapSessionImpl;
import com.icegreen.greenmail.imap.ProtocolException;
import com.icegreen.greenmail.server.BuildInfo;
import com.icegreen.greenmail.store.FolderListener;
import com.icegreen.greenmail.store.MailFolder;

import jakarta.mail.UIDFolder;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.Socket;

/**
 * One IMAP connection of the mailbox server. GreenMail lets whoever changes a folder tell all connections
 * of it, at any moment. In the middle of a command two threads then write into one connection, and the
 * connection's view of the folder changes while its own thread reads it. Here such a change waits until
 * the connection's thread waits for its client; then one thread at a time handles what has waited.
 */
final class MailboxConnection extends ImapHandler {
    private static final Logger LOG = LoggerFactory.getLogger(MailboxConnection.class);
    private static final String GREETING = ImapConstants.VERSION + " Server GreenMail v"
            + BuildInfo.INSTANCE.getProjectVersion() + " ready";
    private static final int IN_OCTETS = 512;
    private static final int OUT_OCTETS = 1024;

    private final Managers managers;

    MailboxConnection(Managers managers, Socket client) {
        super(managers.getUserManager(), managers.getImapHostManager(), client);
        this.managers = managers;
    }

    /** Serves the client until it goes. */
    @Override
    public void run() {
        ImapSessionImpl session = new ImapSessionImpl(
                managers.getImapHostManager(),
                managers.getUserManager(),
                this,
                socket.getInetAddress().getHostAddress());
        Turn turn = new Turn();
        try (InputStream in =
                        new BufferedInputStream(turn.reading(socket.getInputStream()), IN_OCTETS);
                OutputStream out = new BufferedOutputStream(socket.getOutputStream(), OUT_OCTETS)) {
            // A response of several lines goes out in as many writes.
            socket.setTcpNoDelay(true);
            new ImapResponse(out).okResponse(null, GREETING);
            ImapSession ordered = ordered(session, turn);
            ImapRequestHandler requests = new ImapRequestHandler();
            boolean goesOn = true;
            while (goesOn && !isQuitting()) {
                goesOn = requests.handleRequest(in, out, ordered);
            }
        } catch (IOException | ProtocolException e) {
            LOG.debug("the client has gone", e);
        } finally {
            session.deselect();
            close();
        }
    }

    /** Only for a folder that was deleted, which is said by another thread. */
    @Override
    public void forceConnectionClose(String message) {
        close();
    }

    private ImapSession ordered(ImapSession session, Turn turn) {
        return (ImapSession) Proxy.newProxyInstance(
                ImapSession.class.getClassLoader(),
                new Class<?>[] {ImapSession.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("setSelected")) {
                        arguments[0] = ordered((MailFolder) arguments[0], turn);
                    }
                    return call(session, method, arguments);
                });
    }

    private MailFolder ordered(MailFolder folder, Turn turn) {
        FolderNews news = new FolderNews(folder, turn);
        return (MailFolder) Proxy.newProxyInstance(
                MailFolder.class.getClassLoader(),
                new Class<?>[] {MailFolder.class, UIDFolder.class},
                (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "addListener" -> news.add((FolderListener) arguments[0]);
                        case "removeListener" -> news.remove((FolderListener) arguments[0]);
                        case "setFlags", "replaceFlags" -> {
                            int silent = arguments.length - 2;
                            arguments[silent] = arguments[silent] == null ? null : news;
                            return call(folder, method, arguments);
                        }
                        default -> {
                            return call(folder, method, arguments);
                        }
                    }
                    return null;
                });
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
