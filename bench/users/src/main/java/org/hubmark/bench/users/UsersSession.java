package org.hubmark.bench.users;

import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.SeveralProcesses;
import org.hubmark.bench.machine.volumes.Volumes;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.run.TargetFacts;
import org.hubmark.bench.measure.watch.WatchedMachine;
import org.hubmark.bench.users.embedded.EmbeddedSystem;
import org.hubmark.bench.users.imap.ImapAddress;
import org.hubmark.bench.users.profile.Population;
import org.hubmark.bench.users.report.UsersReport;
import org.hubmark.bench.users.result.Level;
import org.hubmark.bench.users.result.PlayedRun;
import org.hubmark.bench.users.result.RawLatencies;
import org.hubmark.bench.users.result.Target;
import org.hubmark.bench.users.result.UserRun;
import org.hubmark.bench.users.result.UsersResults;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The day of users, level by level, from the first look at the mail system to the report. Results are
 * written after each run, so that an interrupted session leaves what it has. Blocks; one thread.
 */
public final class UsersSession implements AutoCloseable {
    private static final long LEVEL_SEED = 0x9e3779b97f4a7c15L;
    /** Sockets to IMAP and SMTP, and what a process has open anyway. */
    private static final int FILES_PER_USER = 2;

    private static final int FILES_BESIDE = 200;

    private final UsersRequest request;
    private final Path folder;
    private final TargetFacts server;
    private final Progress progress;
    private final String startedAt = now();
    private final List<Level> levels = new ArrayList<>();
    private @Nullable EmbeddedSystem embedded;
    private @Nullable Target target;
    private boolean interrupted;

    /** Prepares, where nothing is known of the machine of a target. */
    public UsersSession(UsersRequest request, Path folder) {
        this(request, folder, TargetFacts.UNKNOWN);
    }

    /**
     * Prepares.
     *
     * @param folder of the results; exists
     * @param server what is known of the target; stays the caller's, who closes it
     * @throws UserError when there are too few users, or too many for this process
     */
    public UsersSession(UsersRequest request, Path folder, TargetFacts server) {
        this.request = request;
        this.folder = folder;
        this.server = server;
        this.progress = new Progress(System.err, request.quiet());
        if (request.levels().first() < KneeSearch.USERS_MIN) {
            throw UserError.usage("--users " + request.levels().first()
                    + ": at least 2, since a user alone has nobody to write to");
        }
        requireFiles();
    }

    /** {@return how many users this process can play, as far as it knows} */
    public static long usersMax() {
        return (FileErrors.descriptorsMax() - FILES_BESIDE) / FILES_PER_USER;
    }

    private void requireFiles() {
        long files = (long) FILES_PER_USER * request.levels().most() + FILES_BESIDE;
        long allowed = FileErrors.descriptorsMax();
        if (allowed < files) {
            throw UserError.failed("--users " + request.levels().most() + " needs up to " + files
                    + " open files, and this process may have " + allowed + ": ulimit -n " + files);
        }
    }

    /** {@return what was found, as far as it went} */
    public UsersResults run() throws IOException, InterruptedException {
        Environment environment = Machine.inspect(server.volumes()).with(Disclosure.of(null, null));
        try {
            Integer users = request.levels().next(true);
            while (users != null && !interrupted) {
                boolean passed = play(users, environment);
                users = interrupted ? null : request.levels().next(passed);
            }
        } catch (InterruptedException e) {
            interrupted = true;
            if (levels.isEmpty()) {
                throw e;
            }
        } finally {
            progress.close();
        }
        return write(environment, !interrupted);
    }

    /** {@return whether they were held} */
    private boolean play(int users, Environment environment)
            throws IOException, InterruptedException {
        long seed = request.seed() + LEVEL_SEED * users;
        Population population =
                new Population(request.userFormat(), users, request.profile().lists(), seed);
        MailTarget mail = mail(users);
        Submission submission = new Submission(mail, request.timeout());
        ImapAddress imap = imap(mail);
        ServerFacts facts = ServerFacts.ask(
                new MailPlaces(mail, imap, population, ""), submission, request.target() == null);
        if (target == null) {
            target = facts.target();
            target.lacks().forEach(lack -> progress.note("the mail system has " + lack));
        }
        List<UserRun> runs = new ArrayList<>();
        for (int number = 1; number <= request.runs() && !interrupted; number++) {
            String name = users + " users" + (request.runs() == 1 ? "" : ", run " + number);
            PlayedRun played = new LevelRun(
                            request,
                            new MailPlaces(mail, imap, population, facts.prefix()),
                            submission,
                            meter(mail),
                            progress,
                            seed + number,
                            name)
                    .play(number);
            RawLatencies.write(folder, users, played);
            runs.add(UserRun.of(played, request.profile().weights()));
            interrupted = !played.complete();
            keep(Level.of(
                    users,
                    runs,
                    request.profile().expected(population.meanListMembers()),
                    request.limits()));
            var unused = write(environment, false);
            if (!interrupted) {
                requireAlive();
            }
        }
        closeEmbedded();
        return levels.stream()
                .anyMatch(level -> level.users() == users && Boolean.TRUE.equals(level.passes()));
    }

    /** A search does not try them in order. */
    private void keep(Level level) {
        levels.removeIf(known -> known.users() == level.users());
        levels.add(level);
        levels.sort(Comparator.comparingInt(Level::users));
    }

    private MailTarget mail(int users) throws IOException, InterruptedException {
        MailTarget given = request.target();
        if (given != null) {
            return given;
        }
        progress.phase("start a hub and a mailbox server", Duration.ZERO);
        EmbeddedSystem started =
                EmbeddedSystem.start(request.program(), folder, request.userFormat(), users);
        embedded = started;
        return new MailTarget(
                started.smtp(),
                started.imap(),
                TlsMode.OFF,
                TlsMode.OFF,
                ClientTls.trustingAll(),
                false,
                List.of(EmbeddedSystem.PASSWORD));
    }

    private ImapAddress imap(MailTarget mail) {
        InetSocketAddress address =
                new InetSocketAddress(mail.imap().getHostString(), mail.imap().getPort());
        if (address.isUnresolved()) {
            throw UserError.failed("--imap " + mail.imap().getHostString() + ": no such host");
        }
        return new ImapAddress(
                address,
                mail.imapTls() == TlsMode.IMPLICIT,
                mail.imapTls() == TlsMode.STARTTLS,
                mail.tls(),
                request.timeout());
    }

    private ResourceMeter meter(MailTarget mail) throws IOException {
        EmbeddedSystem own = embedded;
        if (own != null) {
            return new ResourceMeter(ServerMachine.here(
                    new SeveralProcesses(Set.copyOf(own.processIds())),
                    List.of(Volumes.inspect("the hub's volumes", own.volumes()))));
        }
        WatchedMachine watched = server.watched();
        if (watched != null) {
            return new ResourceMeter(ServerMachine.watched(watched));
        }
        boolean named = server.cpu() != null || !server.volumes().isEmpty();
        return new ResourceMeter(
                named || isHere(mail.imap())
                        ? ServerMachine.here(server.cpu(), server.volumes())
                        : ServerMachine.unknown());
    }

    private static boolean isHere(InetSocketAddress target) throws SocketException {
        InetAddress address =
                new InetSocketAddress(target.getHostString(), target.getPort()).getAddress();
        return address != null
                && (address.isLoopbackAddress()
                        || NetworkInterface.getByInetAddress(address) != null);
    }

    private void requireAlive() {
        EmbeddedSystem own = embedded;
        String death = own == null ? null : own.death();
        if (death != null) {
            throw UserError.failed(death);
        }
    }

    /** Also after each run: who is killed later has those that are done. */
    private UsersResults write(Environment environment, boolean complete) throws IOException {
        Target asked = target;
        if (asked == null) {
            throw new IllegalStateException("nothing was asked yet");
        }
        UsersResults results = UsersResults.of(
                request.program().tool(),
                startedAt,
                now(),
                environment,
                request.command(),
                request.settings(),
                request.profile().tree(),
                request.profile().published(),
                asked,
                request.limits(),
                complete,
                levels);
        WatchedMachine watched = server.watched();
        if (watched != null) {
            results = results.watched(watched.environment(), watched.account());
        }
        results.write(folder);
        UsersReport.write(results.tree(), folder);
        return results;
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** {@return whether it was ended before its time} */
    public boolean interrupted() {
        return interrupted;
    }

    private void closeEmbedded() throws IOException {
        EmbeddedSystem own = embedded;
        embedded = null;
        if (own != null) {
            own.close();
        }
    }

    /** Ends what it has started. */
    @Override
    public void close() throws IOException {
        closeEmbedded();
    }
}
