package org.hubmark.bench.users.imap;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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
    private static final Logger LOG = LoggerFactory.getLogger(ImapClient.class);
    private static final Pattern NUMBER_CODE =
            Pattern.compile("(UIDVALIDITY|UIDNEXT) (\\d{1,18})", Pattern.CASE_INSENSITIVE);
    /** RFC 2177 3: clients issue IDLE anew at least so often, or a server may log them off. */
    private static final Duration IDLE_MAX = Duration.ofMinutes(29);

    /** Attributes of a folder that can't be opened (RFC 9051 7.3.1). */
    private static final Set<String> CLOSED = Set.of("\\noselect", "\\nonexistent");

    /** For each of thousands of connections. */
    private static final int OUT_OCTETS = 1024;

    private final ImapAddress server;
    private final Socket plain;
    private ImapReader in;
    private OutputStream out;
    private Set<String> capabilities = Set.of();
    private String greeting = "";
    private long commands;
    private long exists;
    private boolean news;
    private long uidValidity;
    private long uidNext;
    private boolean ended;

    /** A command that was sent; its name is for what is said when it is refused. */
    private record Command(String tag, String name) {}

    private ImapClient(ImapAddress server, Socket connected) throws IOException {
        this.server = server;
        this.plain = connected;
        this.in = new ImapReader(connected.getInputStream());
        this.out = new BufferedOutputStream(connected.getOutputStream(), OUT_OCTETS);
    }

    /** {@return a connection that has been greeted, and is encrypted where it is to be} */
    public static ImapClient open(ImapAddress server) throws IOException {
        Socket socket = new Socket();
        int timeoutMillis = Math.toIntExact(server.timeout().toMillis());
        boolean opened = false;
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(timeoutMillis);
            socket.connect(server.address(), timeoutMillis);
            ImapClient client = new ImapClient(server, socket);
            client.greet();
            opened = true;
            return client;
        } finally {
            if (!opened) {
                socket.close();
            }
        }
    }

    private void greet() throws IOException {
        if (server.implicitTls()) {
            encrypt();
        }
        ImapResponse first = in.read();
        boolean welcome = first.isOk() || first.name().equals("PREAUTH");
        if (first.name().equals("BYE")) {
            throw new ImapRefusal("the connection", first);
        }
        if (!first.tag().equals(ImapResponse.UNTAGGED) || !welcome) {
            throw in.error("sent a greeting that is not one of IMAP");
        }
        greeting = first.text();
        askCapabilities();
        if (server.startTls()) {
            if (!has("STARTTLS")) {
                throw new ImapRefusal("STARTTLS", "the server does not announce it");
            }
            command("STARTTLS");
            if (in.hasMore()) {
                // Somebody in between could have put it there, to be taken for something sent by
                // TLS.
                throw new ProtocolException("sent plain text after STARTTLS");
            }
            encrypt();
            askCapabilities();
        }
    }

    private void encrypt() throws IOException {
        SSLSocket secure = (SSLSocket) server.tls()
                .factory()
                .createSocket(
                        plain,
                        server.address().getHostString(),
                        server.address().getPort(),
                        true);
        secure.setSSLParameters(server.tls().parameters());
        secure.setSoTimeout(plain.getSoTimeout());
        secure.startHandshake();
        in = new ImapReader(secure.getInputStream());
        out = new BufferedOutputStream(secure.getOutputStream(), OUT_OCTETS);
    }

    private void askCapabilities() throws IOException {
        command("CAPABILITY");
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
        if (has("LOGINDISABLED")) {
            throw new ImapRefusal("LOGIN", "the server wants TLS before");
        }
        command("LOGIN " + string(user) + " " + string(password));
        askCapabilities();
    }

    /** {@return what stands before the names of one's own folders: INBOX. with some servers} */
    public String prefix() throws IOException {
        if (!has("NAMESPACE")) {
            return "";
        }
        return ask("NAMESPACE").stream()
                .flatMap(response -> response.values().stream().limit(1))
                .flatMap(personal -> personal.items().stream().limit(1))
                .flatMap(first -> first.items().stream().limit(1))
                .map(ImapValue::text)
                .findFirst()
                .orElse("");
    }

    /** Makes a folder, unless it is there. */
    public void create(String folder) throws IOException {
        try {
            command("CREATE " + string(folder));
        } catch (ImapRefusal e) {
            if (e.isBye() || !folders().contains(folder)) {
                throw e;
            }
        }
    }

    /** {@return the names of all folders that can be opened} */
    public List<String> folders() throws IOException {
        return ask("LIST \"\" \"*\"").stream()
                .map(ImapResponse::values)
                .filter(values -> values.size() > 2)
                .filter(values -> values.getFirst().items().stream()
                        .map(flag -> flag.text().toLowerCase(Locale.ROOT))
                        .noneMatch(CLOSED::contains))
                .map(values -> values.get(2).text())
                .toList();
    }

    /** Opens a folder. */
    public Selected select(String folder) throws IOException {
        exists = 0;
        uidValidity = 0;
        uidNext = 0;
        command("SELECT " + string(folder));
        return new Selected(exists, uidValidity, uidNext);
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
            in.await();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } finally {
            plain.setSoTimeout(Math.toIntExact(server.timeout().toMillis()));
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
        command(has("UIDPLUS") ? "UID EXPUNGE " + set : "EXPUNGE");
    }

    /** Moves messages; copies and deletes them where the server has no MOVE. */
    public void move(String set, String folder) throws IOException {
        if (has("MOVE")) {
            command("UID MOVE " + set + " " + string(folder));
            return;
        }
        command("UID COPY " + set + " " + string(folder));
        delete(set);
    }

    /**
     * Puts a message into a folder, as one that was read.
     *
     * @param content lines that end in CRLF
     */
    public void append(String folder, byte[] content) throws IOException {
        boolean waits = !has("LITERAL+");
        Command append = send(
                "APPEND " + string(folder) + " (\\Seen) {" + content.length + (waits ? "}" : "+}"));
        if (waits) {
            awaitContinue(append);
        }
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
                new Command("h" + ++commands, words[0].equals("UID") ? words[1] : words[0]);
        if (ended) {
            throw new ProtocolException("has ended the connection before " + command.name);
        }
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
            throw in.error("sent an answer without a command");
        }
        noteCode(response);
        if (!response.isOk()) {
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
            case "BYE" -> {
                ended = true;
                throw new ImapRefusal(name, response);
            }
            default -> {
                // Whoever asked gets it.
            }
        }
    }

    private void noteCode(ImapResponse response) {
        Matcher matcher = NUMBER_CODE.matcher(response.code());
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(2));
            if (matcher.group(1).equalsIgnoreCase("UIDNEXT")) {
                uidNext = number;
            } else {
                uidValidity = number;
            }
        }
    }

    /** Quoted: who has other characters in names or passwords than a keyboard gives is told so. */
    private static String string(String text) throws IOException {
        byte[] octets = text.getBytes(UTF_8);
        for (byte octet : octets) {
            if (octet == '\r' || octet == '\n' || octet == 0) {
                throw new ProtocolException("can't be told a name with a line end in it");
            }
        }
        return "\"" + new String(octets, UTF_8).replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** Ends the connection, without a word to the server. */
    @Override
    public void close() {
        try {
            // Not the TLS socket: closing that one waits for a write that hangs.
            plain.close();
        } catch (IOException e) {
            // Nobody waits for more from it, and what can't be closed ends with its peer.
            LOG.debug("closing a connection failed", e);
        }
    }
}
