package org.hubmark.bench.users.imap;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.hubmark.bench.load.ClientTls;
import org.jspecify.annotations.Nullable;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.net.ssl.SSLSocket;

/**
 * A client's side of one IMAP connection (RFC 3501, RFC 9051): one command at a time, each waits for its
 * answer. What the server tells unasked of the open folder is kept: {@link #exists}.
 *
 * <p>It blocks without holding a lock, so thousands can live on virtual threads. One thread; another one
 * may close it. After an {@link IOException} that is no {@link ImapRefusal} it can only be closed.
 */
public final class ImapClient implements AutoCloseable {
    private static final Pattern NEXT =
            Pattern.compile("UIDNEXT (\\d{1,18})", Pattern.CASE_INSENSITIVE);
    /** RFC 2177 3: clients issue IDLE anew at least so often, or a server may log them off. */
    private static final Duration IDLE_MAX = Duration.ofMinutes(29);

    /** For each of thousands of connections. */
    private static final int OUT_OCTETS = 1024;

    private final Socket plain;
    private final int timeoutMillis;
    private final ImapReader in;
    private final OutputStream out;
    private final String greeting;
    private Set<String> capabilities = Set.of();
    private long commands;
    private long exists;
    private boolean news;
    private long uidNext;

    /** A command that was sent; its name is for what is said when it is refused. */
    private record Command(String tag, String name) {}

    /**
     * @param plain that is closed in the end: closing the TLS socket waits for a write that hangs
     * @param spoken the same, or the TLS socket over it
     */
    private ImapClient(Socket plain, Socket spoken) throws IOException {
        this.plain = plain;
        this.timeoutMillis = plain.getSoTimeout();
        this.in = new ImapReader(spoken.getInputStream());
        this.out = new BufferedOutputStream(spoken.getOutputStream(), OUT_OCTETS);
        ImapResponse first = in.read();
        this.greeting = first.text();
        if (first.name().equals("BYE")) {
            throw new ImapRefusal("the connection", first);
        }
        if (!first.tag().equals(ImapResponse.UNTAGGED) || !first.name().equals("OK")) {
            throw new ProtocolException("sent a greeting that is not IMAP");
        }
    }

    /**
     * {@return a connection that has been greeted}
     *
     * @param tls for TLS before the greeting (RFC 8314); null for none
     * @param timeout to connect, and for each read
     */
    public static ImapClient open(
            InetSocketAddress address, @Nullable ClientTls tls, Duration timeout)
            throws IOException {
        Socket socket = new Socket();
        int millis = Math.toIntExact(timeout.toMillis());
        boolean opened = false;
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(millis);
            socket.connect(address, millis);
            ImapClient client =
                    new ImapClient(socket, tls == null ? socket : encrypted(socket, address, tls));
            opened = true;
            return client;
        } finally {
            if (!opened) {
                socket.close();
            }
        }
    }

    private static Socket encrypted(Socket plain, InetSocketAddress address, ClientTls tls)
            throws IOException {
        SSLSocket secure = (SSLSocket)
                tls.factory().createSocket(plain, address.getHostString(), address.getPort(), true);
        secure.setSSLParameters(tls.parameters());
        secure.setSoTimeout(plain.getSoTimeout());
        secure.startHandshake();
        return secure;
    }

    /** {@return what the server said first} */
    public String greeting() {
        return greeting;
    }

    /** {@return what the server can do, in upper case} */
    public Set<String> capabilities() {
        return capabilities;
    }

    /** {@return whether the server can do something, given in upper case} */
    public boolean has(String capability) {
        return capabilities.contains(capability);
    }

    /** {@return whether to wait for news by IDLE} GreenMail tells of them in the middle of an answer. */
    public boolean canIdle() {
        return has("IDLE") && !greeting.contains("GreenMail");
    }

    /** Logs on. */
    public void logOn(String user, String password) throws IOException {
        command("LOGIN " + quoted(user) + " " + quoted(password));
        command("CAPABILITY");
    }

    /** Makes a folder, unless it is there. */
    public void create(String folder) throws IOException {
        if (!folders().contains(folder)) {
            command("CREATE " + quoted(folder));
        }
    }

    /** {@return the names of all folders that can be opened} */
    public List<String> folders() throws IOException {
        return ask("LIST \"\" \"*\"").stream()
                .map(ImapResponse::values)
                .filter(values -> values.size() > 2)
                .filter(values -> values.getFirst().items().stream()
                        .noneMatch(flag -> flag.text().equalsIgnoreCase("\\Noselect")))
                .map(values -> values.get(2).text())
                .toList();
    }

    /** Opens a folder; {@return how many messages it has} */
    public long select(String folder) throws IOException {
        exists = 0;
        uidNext = 0;
        command("SELECT " + quoted(folder));
        return exists;
    }

    /** {@return the UID of the next message that comes into the open folder, as it was at its opening} */
    public long uidNext() {
        return uidNext;
    }

    /** {@return how many messages the open folder has, by what the server said last} */
    public long exists() {
        return exists;
    }

    /** Puts right how many messages the open folder has, by a list that the server has just given. */
    public void counted(long messages) {
        exists = messages;
    }

    /** {@return whether the server has told how many messages there are since this was asked last} */
    public boolean takeNews() {
        boolean told = news;
        news = false;
        return told;
    }

    /** Asks for news. */
    public void noop() throws IOException {
        command("NOOP");
    }

    /**
     * Waits for news by IDLE (RFC 2177): until the server tells of a message that has come or gone, or
     * else until a moment, or for as long as a client may wait at most.
     *
     * @param latestNanos by nanoTime
     * @return whether there are news
     * @throws ImapRefusal also when the server does not let one wait
     */
    public boolean idle(long latestNanos) throws IOException {
        long longestNanos = System.nanoTime() + IDLE_MAX.toNanos();
        long untilNanos = latestNanos - longestNanos < 0 ? latestNanos : longestNanos;
        long before = exists;
        Command idle = send("IDLE");
        awaitContinue(idle);
        while (!news && exists == before && hears(untilNanos)) {
            ImapResponse response = in.read();
            if (response.tag().equals(idle.tag)) {
                throw new ImapRefusal(idle.name, response);
            }
            note(response, idle.name);
        }
        write("DONE");
        var unused = finish(idle);
        return news || exists != before;
    }

    /** {@return whether the server says something before a moment} */
    private boolean hears(long untilNanos) throws IOException {
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
        if (leftMillis <= 0) {
            return in.hasMore();
        }
        try {
            plain.setSoTimeout(Math.toIntExact(leftMillis));
            var unused = in.peek();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } finally {
            plain.setSoTimeout(timeoutMillis);
        }
    }

    /**
     * Fetches.
     *
     * @param set of UIDs, as 5:*
     * @param items in parentheses, UID not among them
     */
    public List<Fetched> fetch(String set, String items) throws IOException {
        return ask("UID FETCH " + set + " " + items).stream().map(Fetched::of).toList();
    }

    /** Marks messages as deleted, and deletes them. */
    public void delete(String set) throws IOException {
        command("UID STORE " + set + " +FLAGS.SILENT (\\Deleted)");
        command("UID EXPUNGE " + set);
    }

    /** Moves messages. */
    public void move(String set, String folder) throws IOException {
        command("UID MOVE " + set + " " + quoted(folder));
    }

    /**
     * Puts a message into a folder, as one that was read.
     *
     * @param content lines that end in CRLF
     */
    public void append(String folder, byte[] content) throws IOException {
        Command append = send("APPEND " + quoted(folder) + " (\\Seen) {" + content.length + "}");
        awaitContinue(append);
        out.write(content);
        write("");
        var unused = finish(append);
    }

    /** Says goodbye, and waits for nothing. */
    public void logOut() throws IOException {
        var unused = send("LOGOUT");
    }

    /** {@return what a command tells under its own name} */
    private List<ImapResponse> ask(String line) throws IOException {
        return finish(send(line));
    }

    /** Does a command whose end alone is wanted; what concerns the connection is noted anyway. */
    private void command(String line) throws IOException {
        var unused = ask(line);
    }

    private Command send(String line) throws IOException {
        String[] words = line.split(" ", 3);
        Command command =
                new Command("H" + ++commands, words[0].equals("UID") ? words[1] : words[0]);
        write(command.tag + " " + line);
        return command;
    }

    private void write(String line) throws IOException {
        out.write((line + "\r\n").getBytes(UTF_8));
        out.flush();
    }

    private void awaitContinue(Command command) throws IOException {
        ImapResponse response = in.read();
        while (response.tag().equals(ImapResponse.UNTAGGED)) {
            note(response, command.name);
            response = in.read();
        }
        if (!response.tag().equals(ImapResponse.CONTINUE)) {
            throw new ImapRefusal(command.name, response);
        }
    }

    /** {@return what was told under the command's name until its end} */
    private List<ImapResponse> finish(Command command) throws IOException {
        List<ImapResponse> told = new ArrayList<>();
        ImapResponse response = in.read();
        while (response.tag().equals(ImapResponse.UNTAGGED)) {
            note(response, command.name);
            if (response.name().equals(command.name)) {
                told.add(response);
            }
            response = in.read();
        }
        if (!response.tag().equals(command.tag)) {
            throw new ProtocolException("sent an answer without a command");
        }
        noteCode(response);
        if (!response.name().equals("OK")) {
            throw new ImapRefusal(command.name, response);
        }
        return told;
    }

    private void note(ImapResponse response, String name) throws IOException {
        switch (response.name()) {
            case "EXISTS" -> {
                exists = response.number();
                news = true;
            }
            case "EXPUNGE" -> exists--;
            case "CAPABILITY" ->
                capabilities = response.values().stream()
                        .map(value -> value.text().toUpperCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet());
            case "OK" -> noteCode(response);
            case "BYE" -> throw new ImapRefusal(name, response);
            default -> {
                // Whoever asked gets it.
            }
        }
    }

    private void noteCode(ImapResponse response) {
        Matcher next = NEXT.matcher(response.code());
        if (next.matches()) {
            uidNext = Long.parseLong(next.group(1));
        }
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** Ends the connection, without a word to the server. */
    @Override
    public void close() {
        try {
            plain.close();
        } catch (IOException e) {
            // Nobody waits for more from it, and what can't be closed ends with its peer.
        }
    }
}
