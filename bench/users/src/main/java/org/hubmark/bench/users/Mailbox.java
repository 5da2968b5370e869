package org.hubmark.bench.users;

import org.hubmark.bench.users.imap.Fetched;
import org.hubmark.bench.users.imap.ImapClient;
import org.hubmark.bench.users.imap.ImapRefusal;
import org.hubmark.bench.users.imap.Selected;
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
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The mailbox of one user, as a client that stays connected knows it: what is in the inbox, by UID, and
 * one IMAP connection with the inbox open. What comes in is told to {@link SentMail}. What it is told to do by
 * the user it does at once, and waits for the answer. Its user's thread; another one may close it.
 */
final class Mailbox implements AutoCloseable {
    static final String INBOX = "INBOX";
    private static final String HEADER =
            "(UID FLAGS BODY.PEEK[HEADER.FIELDS (" + SentMail.FIELD + " FROM TO CONTENT-TYPE)])";
    private static final String LISTED = "(FLAGS INTERNALDATE RFC822.SIZE ENVELOPE)";
    private static final String ID = "(UID BODY.PEEK[HEADER.FIELDS (" + SentMail.FIELD + ")])";
    private static final String ID_NAME = SentMail.FIELD.toLowerCase(Locale.ROOT);
    private static final String SECTION = "BODY[";
    private static final String TEXT = "BODY[1]";
    private static final String ATTACHMENT = "BODY[2]";
    /** Messages that a client shows in its window: ours. */
    private static final int LISTED_MAX = 50;

    private final MailPlaces places;
    private final SentMail sentMail;
    private final int user;
    /** By UID, in the order in which they came. */
    private final Map<Long, Message> inbox = new LinkedHashMap<>();

    private final List<Notice> notices = new ArrayList<>();

    private volatile @Nullable ImapClient client;
    private long uidValidity;
    private long uidMax;
    private boolean renumbered;
    private boolean refusesIdle;

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
        ImapClient opened = ImapClient.open(places.imap());
        client = opened;
        opened.logOn(places.population().address(user), places.target().password(user));
        Selected selected = opened.select(INBOX);
        if (selected.uidValidity() != uidValidity) {
            // What it was before has other numbers now, or is gone.
            renumbered = uidValidity != 0;
            uidValidity = selected.uidValidity();
            uidMax = 0;
            inbox.clear();
        }
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
        boolean told;
        try {
            told = connected().idle(untilNanos);
        } catch (ImapRefusal e) {
            refusesIdle = true;
            throw e;
        }
        update();
        return told;
    }

    /** Takes what the server has told of. */
    private void update() throws IOException {
        ImapClient server = connected();
        if (server.takeNews() || server.exists() > inbox.size()) {
            // Of 5:* the last message is told though its UID is 4.
            long before = uidMax;
            take(server.fetch((uidMax + 1) + ":*", HEADER), uid -> uid > before);
        }
        if (server.exists() != inbox.size()) {
            compare(server);
        }
    }

    /** Servers also tell of flags in between: of a message that is new, twice in one answer. */
    private void take(List<Fetched> fetched, LongPredicate wanted) {
        long now = System.nanoTime();
        for (Fetched one : fetched) {
            String header = one.section(SECTION);
            if (wanted.test(one.uid()) && !header.isEmpty() && !inbox.containsKey(one.uid())) {
                add(one, header, now);
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
            take(server.fetch(numbers(there.stream()), HEADER), there::contains);
        }
    }

    private void add(Fetched fetched, String header, long nowNanos) {
        uidMax = Math.max(uidMax, fetched.uid());
        HeaderFields fields = HeaderFields.parse(header);
        Integer from = places.population().user(fields.sender());
        String to = fields.get("to");
        int sender = from == null ? -1 : from;
        String id = fields.get(ID_NAME);
        // One of another run may have gone to users and lists that are others here, or not there.
        int recipients = sentMail.find(id) == null
                ? 1
                : places.population()
                        .all(user, sender < 0 ? user : sender, to)
                        .users()
                        .size();
        String type = fields.get("content-type").toLowerCase(Locale.ROOT);
        Message message = new Message(
                fetched.uid(),
                sender,
                to,
                recipients,
                type.startsWith("multipart/"),
                fetched.seen());
        inbox.put(message.uid(), message);
        notices.add(new Notice(message, nowNanos));
        if (renumbered) {
            sentMail.present(id, user, 1, nowNanos);
        } else {
            sentMail.seen(id, user, nowNanos);
        }
    }

    /** Moves the oldest out of an inbox that is above its limit. */
    void tidy(int limit) throws IOException {
        if (inbox.size() > limit) {
            List<Long> oldest =
                    inbox.keySet().stream().limit(inbox.size() - limit).toList();
            connected().move(numbers(oldest.stream()), places.archive());
            inbox.keySet().removeAll(oldest);
        }
    }

    private static String numbers(Stream<Long> uids) {
        return uids.map(String::valueOf).collect(Collectors.joining(","));
    }

    /** {@return a message that was not read, or else one that was; null for an empty inbox} */
    @Nullable
    Message choose(boolean unread, SplittableRandom random) {
        Message chosen = choose(message -> message.isRead() != unread, random);
        return chosen == null ? choose(message -> true, random) : chosen;
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
        String wanted = message.isMultipart() ? "(FLAGS BODY[HEADER] BODY[1])" : "(FLAGS BODY[])";
        var unused = load(message, wanted, message.isMultipart() ? TEXT : SECTION);
        inbox.computeIfPresent(message.uid(), (uid, known) -> known.read());
        if (attachment && message.isMultipart()) {
            var unused2 = load(message, "(BODY.PEEK[2])", ATTACHMENT);
        }
    }

    /** {@return all of a message} */
    String load(Message message) throws IOException, TaskFailure {
        return load(message, "(BODY.PEEK[])", SECTION);
    }

    private String load(Message message, String items, String section)
            throws IOException, TaskFailure {
        List<Fetched> fetched = connected().fetch(Long.toString(message.uid()), items);
        String content = fetched.stream()
                .filter(one -> one.uid() == message.uid())
                .map(one -> one.section(section))
                .findFirst()
                .orElse("");
        if (content.isEmpty()) {
            throw new TaskFailure("IMAP: the message is gone, or empty");
        }
        return content;
    }

    /** Deletes a message. */
    void delete(Message message) throws IOException {
        connected().delete(Long.toString(message.uid()));
        inbox.remove(message.uid());
    }

    /** Moves a message into another folder. */
    void move(Message message) throws IOException {
        connected().move(Long.toString(message.uid()), places.archive());
        inbox.remove(message.uid());
    }

    /** Keeps a copy of a message that was sent. */
    void keepSent(byte[] content) throws IOException {
        connected().append(places.sent(), content);
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
            if (folder.equalsIgnoreCase(INBOX) || folder.equals(places.sent())) {
                continue;
            }
            long from = folder.equals(places.archive()) ? places.archivedBefore(user) : 1;
            if (server.select(folder).exists() > 0) {
                for (Fetched fetched : server.fetch(from + ":*", ID)) {
                    String id = HeaderFields.parse(fetched.section(SECTION)).get(ID_NAME);
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
        ImapClient known = client;
        if (known != null) {
            known.logOut();
        }
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
