package org.hubmark.bench.machine.cluster;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.core.OutputFile;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Starts a cluster, finds it again and stops it: ZooKeeper, bookies and brokers, each a JVM of its own
 * that outlives the command. All that there is to know of it lies in its folder. One thread.
 */
public final class ClusterProcesses {
    /** What Pulsar calls the cluster; only its own parts see it. */
    static final String NAME = "hubmark";

    /** Name of the member that keeps the metadata. */
    private static final String ZOOKEEPER = "zookeeper";

    private static final String STATE = "cluster.json";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String INITIALIZED = "initialized";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String TENANT = "public";
    private static final String NAMESPACE = TENANT + "/default";
    /** Topic that is a hub's queue. */
    private static final String TOPIC = "mail";

    private static final Duration START_MAX = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(200);

    private final Path folder;
    private final ClusterLayout layout;
    private final ClusterPorts ports;
    private final @Nullable ClusterHosts hosts;

    /**
     * What is kept of a cluster in its folder.
     *
     * @param subnet of its hosts, if it has any
     */
    private record State(ClusterLayout layout, ClusterPorts ports, int subnet) {}

    private ClusterProcesses(Path folder, State state) {
        this.folder = folder;
        this.layout = state.layout();
        this.ports = state.ports();
        this.hosts = layout.ownHosts() ? new ClusterHosts(state.subnet(), layout.hosts()) : null;
    }

    /**
     * Prepares a cluster in a folder that is absent or empty, or finds the one that was there before.
     *
     * @throws UserError if the folder holds something else
     */
    public static ClusterProcesses prepare(Path folder, ClusterLayout layout) throws IOException {
        Path real = Files.createDirectories(folder).toRealPath();
        if (Files.exists(real.resolve(STATE))) {
            ClusterProcesses there = find(real);
            if (!there.layout.equals(layout)) {
                throw UserError.usage(folder + " holds a cluster of " + there.layout.bookies()
                        + " bookies and " + there.layout.brokers()
                        + " brokers with other folders; give the same options, or another"
                        + " --folder");
            }
            return there;
        }
        try (Stream<Path> files = Files.list(real)) {
            if (files.findAny().isPresent()) {
                throw UserError.usage(folder + " is not empty and holds no cluster");
            }
        }
        State state = new State(
                layout,
                ClusterPorts.pick(layout),
                layout.ownHosts() ? ClusterHosts.freeSubnet() : 0);
        OutputFile.write(real.resolve(STATE), JSON.writeValueAsString(state));
        return new ClusterProcesses(real, state);
    }

    /**
     * Finds a cluster.
     *
     * @throws UserError if there is none in the folder
     */
    public static ClusterProcesses find(Path folder) throws IOException {
        Path file = folder.resolve(STATE);
        if (!Files.exists(file)) {
            throw UserError.failed("there is no cluster in " + folder);
        }
        try {
            return new ClusterProcesses(
                    folder.toRealPath(), JSON.readValue(Files.readString(file), State.class));
        } catch (JacksonException e) {
            throw UserError.failed(file + " can't be read: " + e.getOriginalMessage());
        }
    }

    /** {@return all processes, in the order in which they start} */
    public List<ClusterMember> members() {
        return Stream.of(
                        Stream.of(ZOOKEEPER),
                        IntStream.rangeClosed(1, layout.bookies()).mapToObj(i -> "bookie-" + i),
                        IntStream.rangeClosed(1, layout.brokers()).mapToObj(i -> "broker-" + i))
                .flatMap(names -> names)
                .map(name -> new ClusterMember(name, folder))
                .toList();
    }

    /** {@return what a hub is told to use the cluster: its first broker} */
    public String address() {
        return address(1, 1, NAMESPACE);
    }

    /** {@return what a hub is told so that it finds the cluster whichever broker runs} */
    public String addressOfAll() {
        return address(1, layout.brokers(), NAMESPACE);
    }

    private String address(int first, int brokers, String namespace) {
        // The first one named is asked first.
        return IntStream.range(0, brokers)
                .map(i -> (first - 1 + i) % brokers + 1)
                .mapToObj(this::brokerAddress)
                .collect(Collectors.joining(",", "pulsar://", "/" + namespace));
    }

    /**
     * Makes a namespace whose queue is kept by a broker. One that is there already stays.
     *
     * @param name without its tenant
     * @return what a hub is told to use it
     * @throws IOException if the cluster does not answer, or refuses
     */
    public String queueOn(int host, String name) throws IOException {
        String namespace = TENANT + "/" + name;
        ClusterAdmin admin = new ClusterAdmin(admin().get(host - 1));
        admin.makeNamespace(namespace);
        admin.prefer(NAME, namespace, hostAddress(host));
        return address(host, layout.brokers(), namespace);
    }

    /** {@return where the brokers answer questions of administrators, without a path} */
    public List<URI> admin() {
        return IntStream.rangeClosed(1, layout.brokers())
                .mapToObj(i -> URI.create("http://" + hostAddress(i) + ":" + ports.web(i)))
                .toList();
    }

    /** {@return the hosts; null where all is on the machine itself} */
    public @Nullable ClusterHosts hosts() {
        return hosts;
    }

    private String hostAddress(int host) {
        return hosts == null ? LOOPBACK : hosts.address(host);
    }

    private String brokerAddress(int broker) {
        return hostAddress(broker) + ":" + ports.broker(broker);
    }

    private String bookieAddress(int bookie) {
        return hostAddress(bookie) + ":" + ports.bookie(bookie);
    }

    /** Ends all processes, in the order opposite to their start, and removes the hosts. */
    public void stop(Consumer<String> progress) throws IOException {
        for (ClusterMember member : members().reversed()) {
            if (member.process().isPresent()) {
                progress.accept("stopping " + member.name() + " ...");
            }
            member.stop();
        }
        if (hosts != null) {
            hosts.remove();
        }
    }

    /** Kills all processes at once and removes the hosts: for a cluster whose mail nobody wants. */
    public void kill() throws IOException {
        int unused = kill(member -> true);
        for (ClusterMember member : members()) {
            Files.deleteIfExists(member.pidFile());
        }
        if (hosts != null) {
            hosts.remove();
        }
    }

    /** Kills members at once, each by its name. {@return how many of them ran} */
    public int kill(Predicate<String> wanted) throws IOException {
        List<ProcessHandle> running = new ArrayList<>();
        for (ClusterMember member : members()) {
            if (wanted.test(member.name())) {
                member.process().ifPresent(running::add);
            }
        }
        running.forEach(ProcessHandle::destroyForcibly);
        running.forEach(process -> process.onExit().join());
        return running.size();
    }

    /**
     * {@return the number of the broker that keeps the queue of {@link #address}}
     *
     * @throws IOException if no broker can say
     */
    public int keeper() throws IOException {
        IOException failure = new IOException("the cluster has no brokers");
        for (URI admin : admin()) {
            try {
                String keeper = new ClusterAdmin(admin).keeper(NAMESPACE + "/" + TOPIC);
                for (int i = 1; i <= layout.brokers(); i++) {
                    if (keeper.equals("pulsar://" + brokerAddress(i))) {
                        return i;
                    }
                }
                throw new IOException("the queue is kept by an unknown server, " + keeper);
            } catch (IOException e) {
                // This one may be the one that has ended.
                failure = e;
            }
        }
        throw failure;
    }

    /** {@return the process of a member by its name: zookeeper, bookie-1, broker-1} */
    public Optional<ProcessHandle> process(String name) throws IOException {
        return member(name).process();
    }

    /**
     * Starts what does not run. Returns when a broker has taken and given back a message.
     *
     * @param classPath of the servers
     * @param progress gets a line a step
     */
    public void start(String classPath, Consumer<String> progress) throws IOException {
        if (hosts != null) {
            hosts.make();
        }
        ClusterFiles files = new ClusterFiles(folder, layout, ports, this::hostAddress);
        List<String> java = java(classPath, files.logging());
        progress.accept("starting ZooKeeper ...");
        String zooKeeper = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
        start(ZOOKEEPER, 0, java, "-Xmx128m", zooKeeper, files.zooKeeper().toString());
        InetSocketAddress metadata = new InetSocketAddress(hostAddress(0), ports.zooKeeper());
        awaitPort(member(ZOOKEEPER), metadata);
        initialize(files, java);
        progress.accept("starting bookies: " + layout.bookies() + " ...");
        ClusterRegistry registry = new ClusterRegistry(metadata);
        // One that was killed stays registered until its session ends.
        Map<String, String> before = new HashMap<>(registry.bookies());
        for (int i = 1; i <= layout.bookies(); i++) {
            String name = "bookie-" + i;
            if (process(name).isPresent()) {
                before.remove(bookieAddress(i));
            }
            String file = files.bookie(i).toString();
            String memory = "-Xmx256m -XX:MaxDirectMemorySize=384m";
            String bookie = "org.apache.bookkeeper.server.Main";
            start(name, i, java, memory, bookie, "--conf", file);
        }
        for (int i = 1; i <= layout.bookies(); i++) {
            // It listens before that, and closes what connects.
            String address = bookieAddress(i);
            await(member("bookie-" + i), () -> {
                String session = registry.bookies().get(address);
                return session != null && !session.equals(before.get(address));
            });
        }
        progress.accept("starting brokers: " + layout.brokers() + " ...");
        for (int i = 1; i <= layout.brokers(); i++) {
            String file = files.broker(i).toString();
            String memory = "-Xmx384m -XX:MaxDirectMemorySize=512m";
            String broker = "org.apache.pulsar.PulsarBrokerStarter";
            start("broker-" + i, i, java, memory, broker, "-c", file);
        }
        for (int i = 1; i <= layout.brokers(); i++) {
            ClusterMember member = member("broker-" + i);
            awaitPort(member, new InetSocketAddress(hostAddress(i), ports.broker(i)));
            ClusterAdmin admin = new ClusterAdmin(admin().get(i - 1));
            await(member, () -> {
                admin.requireHealth();
                return true;
            });
        }
    }

    /** Writes the cluster's metadata, once. */
    private void initialize(ClusterFiles files, List<String> java) throws IOException {
        Path initialized = folder.resolve(INITIALIZED);
        if (Files.exists(initialized)) {
            return;
        }
        List<String> words = new ArrayList<>(java);
        words.addAll(List.of(
                "-Xmx256m",
                "org.apache.pulsar.PulsarClusterMetadataSetup",
                "--cluster",
                NAME,
                "--metadata-store",
                files.metadataStore(),
                "--configuration-metadata-store",
                files.metadataStore(),
                "--web-service-url",
                admin().getFirst().toString(),
                "--broker-service-url",
                "pulsar://" + brokerAddress(1)));
        SystemTool.run(words);
        Files.createFile(initialized);
    }

    private void start(String name, int host, List<String> java, String memory, String... program)
            throws IOException {
        ClusterMember member = member(name);
        if (member.process().isPresent()) {
            return;
        }
        // In a session of its own, so that Ctrl-C at the terminal does not end it.
        List<String> words = new ArrayList<>(List.of("setsid"));
        if (hosts != null) {
            words.addAll(hosts.prefix(host));
        }
        words.addAll(java);
        words.addAll(List.of(memory.split(" ", -1)));
        words.addAll(List.of(program));
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(OutputFile.log(member.outFile()))
                .start();
        OutputFile.write(member.pidFile(), process.pid() + "\n");
    }

    private List<String> java(String classPath, Path logging) throws IOException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(ClusterFiles.javaOptions());
        if (Runtime.version().feature() >= 23) {
            words.add("--sun-misc-unsafe-memory-access=allow");
        }
        words.add(ClusterMember.MARK + folder);
        words.add("-Dlog4j2.configurationFile=" + logging);
        words.addAll(List.of("-cp", classPath));
        return words;
    }

    private ClusterMember member(String name) {
        return new ClusterMember(name, folder);
    }

    private static void awaitPort(ClusterMember member, InetSocketAddress address)
            throws IOException {
        await(member, () -> {
            try (Socket socket = new Socket()) {
                socket.connect(address, (int) POLL.toMillis());
                return true;
            }
        });
    }

    private interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /** Waits until the condition holds; what can't be asked does not hold yet. */
    private static void await(ClusterMember member, Condition condition) throws IOException {
        long deadlineNanos = System.nanoTime() + START_MAX.toNanos();
        try {
            while (true) {
                try {
                    if (condition.holds()) {
                        return;
                    }
                } catch (IOException e) {
                    // It is asked again.
                }
                if (member.process().isEmpty()) {
                    throw UserError.failed(member.name() + " has ended; see " + member.outFile());
                }
                if (System.nanoTime() > deadlineNanos) {
                    throw UserError.failed(member.name() + " is not ready after "
                            + START_MAX.toSeconds() + " s; its output is in "
                            + member.outFile());
                }
                Thread.sleep(POLL);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
