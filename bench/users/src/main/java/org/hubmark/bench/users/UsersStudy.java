package org.hubmark.bench.users;

import org.hubmark.bench.hub.Program;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.MachineSections;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.ServerProcesses;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.watch.RemoteMachine;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.users.embedded.EmbeddedSystem;
import org.hubmark.bench.users.imap.ImapClient;
import org.hubmark.bench.users.profile.Population;
import org.hubmark.bench.users.result.LevelForm;
import org.hubmark.bench.users.result.MailSystem;
import org.hubmark.bench.users.result.ResourceForm;
import org.hubmark.bench.users.result.UsersResult;
import org.hubmark.core.Durations;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The day of users, level by level, from the first look at the mail system. Blocks; one thread. */
public final class UsersStudy implements Study {
    private static final long LEVEL_SEED = 0x9e3779b97f4a7c15L;
    /** Sockets to IMAP and SMTP, and what a process has open anyway. */
    private static final int FILES_PER_USER = 2;

    private static final int FILES_BESIDE = 200;

    private final UsersRequest request;
    private final Program program;
    private final TargetFacts server;

    /**
     * Prepares.
     *
     * @param program whose hub is started where there is no target
     * @param server what is known of the target; stays the caller's, who closes it
     * @throws UserError when there are too many users for this process
     */
    public UsersStudy(UsersRequest request, Program program, TargetFacts server) {
        this.request = request;
        this.program = program;
        this.server = server;
        long files = (long) FILES_PER_USER * request.levels().getLast() + FILES_BESIDE;
        long allowed = FileErrors.descriptorsMax();
        if (allowed < files) {
            throw UserError.failed("--users " + request.levels().getLast() + " needs up to " + files
                    + " open files, and this process may have " + allowed + ": ulimit -n " + files);
        }
    }

    @Override
    public Kind kind() {
        return UsersResult.KIND;
    }

    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        context.input(UsersResult.PROFILE, request.profile().tree());
        context.fact(UsersResult.PUBLISHED, request.profile().published());
        context.fact(UsersResult.LIMITS, request.limits());
        context.fact(
                UsersResult.PACE,
                new UsersResult.Pace(
                        request.profile().name(),
                        Durations.format(request.timing().day()),
                        request.timing().compress(),
                        request.sharedMachine()));
        watched(context);
        for (int users : request.levels()) {
            play(users, context);
        }
        return context.document();
    }

    private void watched(Context context) {
        RemoteMachine watched = server.watched();
        context.fact(MachineSections.SERVER, watched == null ? null : watched.environment());
        context.fact(MachineSections.WATCH, watched == null ? null : watched.account());
    }

    private void play(int users, Context context) throws IOException, InterruptedException {
        long seed = request.seed() + LEVEL_SEED * users;
        Population population =
                new Population(request.userFormat(), users, request.profile().lists(), seed);
        Map<Name, @Nullable Object> names = new LinkedHashMap<>();
        names.put(LevelForm.USERS, users);
        names.put(
                LevelForm.EXPECTED, Task.expected(request.profile(), population.meanListMembers()));
        if (context.repeats(LevelForm.LEVELS, names) < request.runs()) {
            play(population, names, seed, context);
        }
    }

    private void play(
            Population population, Map<Name, @Nullable Object> names, long seed, Context context)
            throws IOException, InterruptedException {
        Duration timeout = request.timing().timeout();
        try (EmbeddedSystem embedded = request.target() == null
                ? EmbeddedSystem.start(
                        program, context.folder(), request.userFormat(), population.users())
                : null) {
            MailTarget mail = embedded == null
                    ? Objects.requireNonNull(request.target())
                    : MailTarget.plain(embedded.smtp(), embedded.imap(), EmbeddedSystem.PASSWORD);
            context.fact(
                    UsersResult.TARGET,
                    ask(new MailPlaces(mail, population, timeout), embedded != null));
            ServerMachine machine = machine(mail, embedded);
            names.put(ResourceForm.SOURCE, machine.name());
            for (int run = context.repeats(LevelForm.LEVELS, names) + 1;
                    run <= request.runs();
                    run++) {
                int number = run;
                LevelRun level = new LevelRun(
                        request,
                        new MailPlaces(mail, population, timeout),
                        new ResourceMeter(machine),
                        context,
                        seed + number,
                        population.users() + " users, run " + number);
                var unused = context.repeat(LevelForm.LEVELS, names, number, () -> {
                    Repeat played = level.play(number);
                    watched(context);
                    return played;
                });
                String death = embedded == null ? null : embedded.death();
                if (death != null) {
                    throw UserError.failed(death);
                }
            }
        }
    }

    /** {@return what a mail system says of itself before the first user comes} */
    private static MailSystem ask(MailPlaces places, boolean embedded) {
        MailTarget mail = places.target();
        String greeting;
        try {
            greeting = new Submission(mail, places.timeout()).greeting();
        } catch (IOException e) {
            throw UserError.failed(
                    "--smtp " + text(mail.smtp()) + ": " + TaskFailure.inFull("SMTP", e));
        }
        try (ImapClient client = places.logOn(0)) {
            client.logOut();
            for (String needed : List.of("MOVE", "UIDPLUS")) {
                if (!client.has(needed)) {
                    throw UserError.failed("--imap " + text(mail.imap()) + ": the server has no "
                            + needed + ", which users need");
                }
            }
            return new MailSystem(
                    embedded,
                    text(mail.smtp()),
                    text(mail.imap()),
                    mail.smtpTls() || mail.imapTls(),
                    greeting,
                    client.greeting(),
                    client.capabilities().stream().sorted().toList(),
                    client.canIdle());
        } catch (IOException e) {
            throw UserError.failed("--imap " + text(mail.imap()) + ", user "
                    + places.population().address(0) + ": " + TaskFailure.inFull("IMAP", e));
        }
    }

    private static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    private ServerMachine machine(MailTarget mail, @Nullable EmbeddedSystem embedded)
            throws IOException {
        if (embedded != null) {
            return here(
                    new ServerProcesses(Set.copyOf(embedded.processIds())),
                    List.of(VolumeDisclosure.of("the hub's volumes", embedded.volumes())));
        }
        RemoteMachine watched = server.watched();
        if (watched != null) {
            return new ServerMachine(
                    watched.account().command(),
                    false,
                    watched,
                    ServerMachine.devices(watched.environment().volumes()));
        }
        boolean named = server.cpu() != null || !server.volumes().isEmpty();
        return named || Disclosure.isOwn(mail.imap())
                ? here(server.cpu(), server.volumes())
                : new ServerMachine(
                        "this machine, which has the driver alone", false, null, Map.of());
    }

    private static ServerMachine here(@Nullable ServerCpu cpu, List<VolumeDisclosure> volumes) {
        Map<String, List<String>> devices = ServerMachine.devices(volumes);
        return new ServerMachine(
                "this machine",
                true,
                new LocalMachine(cpu, null, List.copyOf(devices.keySet())),
                devices);
    }
}
