package org.hubmark.bench.users;

import org.hubmark.bench.users.imap.Fetched;
import org.hubmark.bench.users.imap.ImapClient;
import org.hubmark.bench.users.imap.ImapRefusal;
import org.hubmark.bench.users.profile.Population;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The mailbox of one user, as a client that stays connected knows it: what is in the inbox, by UID, and
 * one IMAP connection with the inbox open. What comes in is told to {@link SentMail}. What it is told to do by
 * the user it does at once, and waits for the answer. Its user's thread; another one may close it.
 */
final class Mailbox implements AutoCloseable {
    private static final String HEADER =
            "(UID FLAGS BODY.PEEK[HEADER.FIELDS (" + SentMail.FIELD + " FROM TO CONTENT-TYPE)])";
    private static final String LISTED = "(FLAGS INTERNALDATE RFC822.SIZE ENVELOPE)";
    private static final String ID = "(UID BODY.PEEK[HEADER.FIELDS (" + SentMail.FIELD + ")])";
    private static final String ID_NAME = SentMail.FIELD.toLowerCase(Locale.ROOT);
    /** Messages that a client shows in its window: ours. */
    private static final int LISTED_MAX = 50;

    private final MailPlaces places;
    private final SentMail sentMail;
    private final int user;
    /** By UID, in the order in which they came. */
    private final Map<Long, Message> inbox = new LinkedHashMap<>();

    private final List<Notice> notices = new ArrayList<>();

    private volatile @Nullable ImapClient client;
    private volatile boolean refusesIdle;
    private long uidMax;

    /**
     * A message that came while the client was connected.
     *
     * @param nanos when the client knew of it
     */
    record Notice(Message message, long nanos) {}

    Mailbox(MailPlaces places, SentMail sentMail, int user) {
        this.places = places;
        this.sentMail = sentMail;
        this.user = user;
    }

    /** {@return whether there is a connection} */
    boolean isConnected() {
        return client != null;
    }

    /** Logs on, opens the inbox and looks what is in it. */
    void logOn() throws IOException {
        close();
        ImapClient opened = places.logOn(user);
        client = opened;
        var unused = opened.select(MailPlaces.INBOX);
        update();
        notices.clear();
    }

    /** {@return what has come since the last call; what was there at a logon is not among it} */
    List<Notice> takeNotices() {
        List<Notice> taken = List.copyOf(notices);
        notices.clear();
        return taken;
    }

    /** {@return whether a message is in the inbox yet} */
    boolean holds(Message message) {
        return inbox.containsKey(message.uid());
    }

    private ImapClient connected() throws IOException {
        ImapClient known = client;
        if (known == null) {
            throw new ConnectException("not connected");
        }
        return known;
    }

    /** Asks for news, and takes what has come. */
    void poll() throws IOException {
        connected().noop();
        update();
    }

    /** {@return whether the server tells of news to who waits} */
    boolean idles() {
        ImapClient known = client;
        return known != null && known.canIdle() && !refusesIdle;
    }

    /** Waits for news, at most until a moment, and takes what has come; false when nothing has. */
    boolean idle(long untilNanos) throws IOException {
        try {
            boolean told = connected().idle(untilNanos);
            update();
            return told;
        } catch (ImapRefusal e) {
            // It says that it can, and may have too many who wait: it is polled from now on.
            refusesIdle = true;
            throw e;
        }
    }

    /** Takes what the server has told of. */
    private void update() throws IOException {
        ImapClient server = connected();
        if (server.takeNews() || server.exists() > inbox.size()) {
            // Of 5:* the last message is told though its UID is 4.
            take(server.fetch((uidMax + 1) + ":*", HEADER));
        }
        if (server.exists() != inbox.size()) {
            compare(server);
        }
    }

    /** Servers also tell of flags in between: of a message that is new, twice in one answer. */
    private void take(List<Fetched> fetched) {
        long now = System.nanoTime();
        for (Fetched one : fetched) {
            if (!one.section().isEmpty() && !inbox.containsKey(one.uid())) {
                add(one, now);
            }
        }
    }

    /**
     * Looks for messages that have gone without a word, or come below the number of another. GreenMail
     * also says of some that were moved that they have gone twice, so that the count is one too low.
     */
    private void compare(ImapClient server) throws IOException {
        Set<Long> there = server.fetch("1:*", "(UID)").stream()
                .map(Fetched::uid)
                .collect(Collectors.toCollection(HashSet::new));
        server.counted(there.size());
        inbox.keySet().retainAll(there);
        there.removeAll(inbox.keySet());
        if (!there.isEmpty()) {
            take(server.fetch(numbers(there.stream()), HEADER));
        }
    }

    private void add(Fetched fetched, long nowNanos) {
        uidMax = Math.max(uidMax, fetched.uid());
        Map<String, String> fields = fields(fetched.section());
        Population population = places.population();
        // The address may stand behind a name: Name <address>.
        String from = fields.getOrDefault("from", "").replaceAll(".*<(.*)>.*", "$1");
        int sender = population.user(from);
        String to = fields.getOrDefault("to", "");
        String id = fields.getOrDefault(ID_NAME, "");
        // One of another run may have gone to users and lists that are others here, or not there.
        int recipients = !sentMail.has(id)
                ? 1
                : population.all(user, sender < 0 ? user : sender, to).users().size();
        boolean isMultipart = fields.getOrDefault("content-type", "")
                .toLowerCase(Locale.ROOT)
                .startsWith("multipart/");
        Message message =
                new Message(fetched.uid(), sender, to, recipients, isMultipart, fetched.seen());
        inbox.put(message.uid(), message);
        notices.add(new Notice(message, nowNanos));
        sentMail.seen(id, user, nowNanos);
    }

    /** {@return the fields of a header (RFC 5322 2.2), by their names in lower case; of several the first} */
    private static Map<String, String> fields(String header) {
        Map<String, String> fields = new HashMap<>();
        // RFC 5322 2.2.3: a line that begins with a blank goes on with the one before.
        for (String line : header.replaceAll("\\r\\n[ \\t]", " ").split("\\r\\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.putIfAbsent(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        return fields;
    }

    /** Moves the oldest out of an inbox that is above its limit. */
    void tidy(int limit) throws IOException {
        if (inbox.size() > limit) {
            List<Long> oldest =
                    inbox.keySet().stream().limit(inbox.size() - limit).toList();
            connected().move(numbers(oldest.stream()), MailPlaces.ARCHIVE);
            inbox.keySet().removeAll(oldest);
        }
    }

    private static String numbers(Stream<Long> uids) {
        return uids.map(String::valueOf).collect(Collectors.joining(","));
    }

    /** {@return a message that was not read, or else one that was; the other way round unless unread} */
    Message choose(boolean unread, SplittableRandom random) throws TaskFailure {
        Message chosen = choose(message -> message.isRead() != unread, random);
        chosen = chosen == null ? choose(message -> true, random) : chosen;
        if (chosen == null) {
            throw new TaskFailure("the inbox is empty");
        }
        return chosen;
    }

    private @Nullable Message choose(Predicate<Message> which, SplittableRandom random) {
        List<Message> eligible = inbox.values().stream().filter(which).toList();
        return eligible.isEmpty() ? null : eligible.get(random.nextInt(eligible.size()));
    }

    /**
     * {@return a message that went to several, each as likely as any other however many have got it: who
     * chooses among what lies in inboxes would take those to many too often; null where there is none}
     */
    @Nullable
    Message chooseToSeveral(SplittableRandom random) {
        double sum = 0;
        Message chosen = null;
        for (Message message : inbox.values()) {
            if (message.recipients() > 1 && message.from() >= 0) {
                double weight = 1.0 / message.recipients();
                sum += weight;
                if (random.nextDouble() * sum < weight) {
                    chosen = message;
                }
            }
        }
        return chosen;
    }

    /** Lists the inbox as a client does that shows it. */
    void browse() throws IOException {
        poll();
        if (!inbox.isEmpty()) {
            List<Long> uids = List.copyOf(inbox.keySet());
            long first = uids.get(Math.max(0, uids.size() - LISTED_MAX));
            var unused = connected().fetch(first + ":*", LISTED);
        }
    }

    /**
     * Loads a message.
     *
     * @param attachment whether what is attached, if anything, is loaded too
     */
    void read(Message message, boolean attachment) throws IOException, TaskFailure {
        var unused = load(
                message, message.isMultipart() ? "(FLAGS BODY[HEADER] BODY[1])" : "(FLAGS BODY[])");
        inbox.computeIfPresent(message.uid(), (uid, known) -> known.read());
        if (attachment && message.isMultipart()) {
            var unused2 = load(message, "(BODY.PEEK[2])");
        }
    }

    /** {@return all of a message} */
    String load(Message message) throws IOException, TaskFailure {
        return load(message, "(BODY.PEEK[])");
    }

    private String load(Message message, String items) throws IOException, TaskFailure {
        return connected().fetch(Long.toString(message.uid()), items).stream()
                .filter(one -> one.uid() == message.uid())
                .map(Fetched::section)
                .filter(content -> !content.isEmpty())
                .findFirst()
                .orElseThrow(() -> new TaskFailure("IMAP: the message is gone, or empty"));
    }

    /** Deletes a message. */
    void delete(Message message) throws IOException {
        connected().delete(Long.toString(message.uid()));
        inbox.remove(message.uid());
    }

    /** Moves a message into another folder. */
    void move(Message message) throws IOException {
        connected().move(Long.toString(message.uid()), MailPlaces.ARCHIVE);
        inbox.remove(message.uid());
    }

    /** Keeps a copy of a message that was sent. */
    void keepSent(byte[] content) throws IOException {
        connected().append(MailPlaces.SENT, content);
    }

    /**
     * Looks into all folders where mail for the user can be, and tells {@link SentMail} how often each message
     * is there. The inbox is not open any more after that.
     */
    void takeStock() throws IOException {
        poll();
        ImapClient server = connected();
        Map<String, Integer> copies = new HashMap<>();
        for (String folder : server.folders()) {
            if (folder.equalsIgnoreCase(MailPlaces.INBOX) || folder.equals(MailPlaces.SENT)) {
                continue;
            }
            long from = folder.equals(MailPlaces.ARCHIVE)
                    ? Math.max(1, places.archiveNext().get(user))
                    : 1;
            if (server.select(folder) > 0) {
                for (Fetched fetched : server.fetch(from + ":*", ID)) {
                    String id = fields(fetched.section()).getOrDefault(ID_NAME, "");
                    if (fetched.uid() >= from && id.startsWith(sentMail.run())) {
                        copies.merge(id, 1, Integer::sum);
                    }
                }
            }
        }
        long now = System.nanoTime();
        copies.forEach((id, count) -> sentMail.present(id, user, count, now));
    }

    /** Says goodbye. */
    void logOut() throws IOException {
        connected().logOut();
        close();
    }

    @Override
    public void close() {
        ImapClient known = client;
        client = null;
        if (known != null) {
            known.close();
        }
    }
}
