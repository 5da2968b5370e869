package org.hubmark.bench.machine.cluster;

import org.hubmark.core.OutputFile;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
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

    private static final String STATE = "cluster.properties";
    private static final String INITIALIZED = "initialized";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String TENANT = "public";
    private static final String NAMESPACE = TENANT + "/default";
    /** Topic that is a hub's queue. */
    private static final String TOPIC = "mail";

    private static final Duration START_MAX = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(200);

    /** What Netty, RocksDB's cache and the metrics of the servers reach into. */
    private static final List<String> JVM_OPTIONS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.platform=ALL-UNNAMED",
            "--add-opens=java.base/java.util.zip=ALL-UNNAMED",
            "--add-opens=java.base/sun.net=ALL-UNNAMED",
            "--add-opens=java.management/sun.management=ALL-UNNAMED",
            "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
            "-Dbookkeeper.metadata.bookie.drivers="
                    + "org.apache.pulsar.metadata.bookkeeper.PulsarMetadataBookieDriver",
            "-Dbookkeeper.metadata.client.drivers="
                    + "org.apache.pulsar.metadata.bookkeeper.PulsarMetadataClientDriver",
            "-XX:+UseSerialGC");

    private final Path folder;
    private final ClusterLayout layout;
    private final ClusterPorts ports;
    private final @Nullable ClusterHosts hosts;

    private ClusterProcesses(Path folder, ClusterLayout layout, ClusterPorts ports, int subnet) {
        this.folder = folder;
        this.layout = layout;
        this.ports = ports;
        ClusterNetwork network = layout.network();
        this.hosts = network == null ? null : new ClusterHosts(subnet, layout.hosts());
    }

    /**
     * Prepares a cluster in a folder that is absent or empty, or finds the one that was there before.
     *
     * @throws UserError if the folder holds something else
     */
    public static ClusterProcesses in(Path folder, ClusterLayout layout) throws IOException {
        Path real = Files.createDirectories(folder).toRealPath();
        if (Files.exists(real.resolve(STATE))) {
            ClusterProcesses there = at(real);
            if (!there.layout.equals(layout)) {
                throw UserError.usage(folder + " holds a cluster of " + there.layout.bookies()
                        + " bookies and " + there.layout.brokers()
                        + " brokers with other folders or links; give the same options, or another"
                        + " --folder");
            }
            return there;
        }
        try (Stream<Path> files = Files.list(real)) {
            if (files.findAny().isPresent()) {
                throw UserError.usage(folder + " is not empty and holds no cluster");
            }
        }
        ClusterProcesses made = new ClusterProcesses(
                real,
                layout,
                ClusterPorts.pick(layout),
                layout.network() == null ? 0 : ClusterHosts.freeSubnet());
        made.write();
        return made;
    }

    /**
     * Finds a cluster.
     *
     * @throws UserError if there is none in the folder
     */
    public static ClusterProcesses at(Path folder) throws IOException {
        Path file = folder.resolve(STATE);
        if (!Files.exists(file)) {
            throw UserError.failed("there is no cluster in " + folder);
        }
        Properties state = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            state.load(reader);
        }
        try {
            ClusterLayout layout = new ClusterLayout(
                    Integer.parseInt(state.getProperty("bookies", "")),
                    Integer.parseInt(state.getProperty("brokers", "")),
                    paths(state.getProperty("journals", "")),
                    paths(state.getProperty("ledgers", "")),
                    network(state));
            List<Integer> ports = Stream.of(state.getProperty("ports", "").split(","))
                    .map(Integer::valueOf)
                    .toList();
            return new ClusterProcesses(
                    folder.toRealPath(),
                    layout,
                    new ClusterPorts(layout.bookies(), ports),
                    Integer.parseInt(state.getProperty("subnet", "0")));
        } catch (IllegalArgumentException e) {
            throw UserError.failed(file + " can't be read: " + e.getMessage());
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
                .mapToObj(i -> brokerAddress(i) + ":" + ports.broker(i))
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
        admin.prefer(NAME, namespace, brokerAddress(host));
        return address(host, layout.brokers(), namespace);
    }

    /** {@return where the brokers answer questions of administrators, without a path} */
    public List<URI> admin() {
        return IntStream.rangeClosed(1, layout.brokers())
                .mapToObj(i -> URI.create("http://" + brokerAddress(i) + ":" + ports.web(i)))
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
        return hostAddress(layout.brokerHost(broker));
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
                    if (keeper.equals("pulsar://" + brokerAddress(i) + ":" + ports.broker(i))) {
                        return i;
                    }
                }
                throw new IOException("the queue is kept by a stranger, " + keeper);
            } catch (IOException e) {
                // This one may be the one that has ended.
                failure = e;
            }
        }
        throw failure;
    }

    /** {@return ZooKeeper, if it runs} */
    public Optional<ProcessHandle> metadata() throws IOException {
        return member(ZOOKEEPER).process();
    }

    /** {@return the process of the bookie on a host, if it runs} */
    public Optional<ProcessHandle> bookie(int host) throws IOException {
        return member("bookie-" + host).process();
    }

    /** {@return the process of a broker, if it runs} */
    public Optional<ProcessHandle> broker(int broker) throws IOException {
        return member("broker-" + broker).process();
    }

    /** {@return what it is made of} */
    public ClusterLayout layout() {
        return layout;
    }

    /**
     * Starts what does not run. Returns when a broker has taken and given back a message.
     *
     * @param classPath of the servers
     * @param progress gets a line a step
     */
    public void start(String classPath, Consumer<String> progress) throws IOException {
        ClusterFiles files = new ClusterFiles(folder, layout, ports, this::hostAddress);
        List<String> java = java(classPath, files.logging());
        Path initialized = folder.resolve(INITIALIZED);
        if (hosts != null) {
            make(hosts);
        }
        progress.accept("starting ZooKeeper ...");
        String zooKeeper = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
        start(ZOOKEEPER, 0, java, "-Xmx128m", zooKeeper, files.zooKeeper().toString());
        InetSocketAddress metadata = new InetSocketAddress(hostAddress(0), ports.zooKeeper());
        awaitPort(member(ZOOKEEPER), metadata);
        if (!Files.exists(initialized)) {
            initialize(files, java);
            Files.createFile(initialized);
        }
        progress.accept("starting bookies: " + layout.bookies() + " ...");
        ClusterRegistry registry = new ClusterRegistry(metadata);
        // One that was killed stays registered until its session ends.
        Map<String, String> before = new HashMap<>(registry.bookies());
        for (int i = 1; i <= layout.bookies(); i++) {
            if (bookie(i).isPresent()) {
                before.remove(bookieAddress(i));
            }
            String file = files.bookie(i).toString();
            String memory = "-Xmx256m -XX:MaxDirectMemorySize=384m";
            start(
                    "bookie-" + i,
                    i,
                    java,
                    memory,
                    "org.apache.bookkeeper.server.Main",
                    "--conf",
                    file);
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
            start("broker-" + i, layout.brokerHost(i), java, memory, broker, "-c", file);
        }
        for (int i = 1; i <= layout.brokers(); i++) {
            ClusterMember member = member("broker-" + i);
            awaitPort(member, new InetSocketAddress(brokerAddress(i), ports.broker(i)));
            awaitHealth(member, admin().get(i - 1));
        }
    }

    /** Hosts that can't be had leave nothing behind, so that others can be asked for. */
    private void make(ClusterHosts wanted) throws IOException {
        boolean made = false;
        try {
            wanted.make();
            made = true;
        } finally {
            if (!made) {
                wanted.remove();
                if (!Files.exists(folder.resolve(INITIALIZED))) {
                    Files.deleteIfExists(folder.resolve("log4j2.xml"));
                    Files.deleteIfExists(folder.resolve(STATE));
                }
            }
        }
    }

    private void initialize(ClusterFiles files, List<String> java) throws IOException {
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
                "pulsar://" + brokerAddress(1) + ":" + ports.broker(1)));
        Path out = folder.resolve("initialize.out");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(OutputFile.log(out))
                .start();
        try {
            if (process.waitFor() != 0) {
                throw UserError.failed("the cluster's metadata can't be set up; see " + out);
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
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
            words.addAll(hosts.on(host));
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

    private List<String> java(String classPath, Path logging) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(JVM_OPTIONS);
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

    private String bookieAddress(int bookie) {
        return hostAddress(bookie) + ":" + ports.bookie(bookie);
    }

    /** The broker's own check: it sends a message to itself and waits for it. */
    private static void awaitHealth(ClusterMember member, URI admin) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(admin.resolve("/admin/v2/brokers/health"))
                .timeout(Duration.ofSeconds(20))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            await(
                    member,
                    () -> client.send(request, HttpResponse.BodyHandlers.discarding())
                                    .statusCode()
                            == 200);
        }
    }

    private interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /** What can't be asked does not hold yet. */
    private static boolean holds(Condition condition) throws InterruptedException {
        try {
            return condition.holds();
        } catch (IOException e) {
            return false;
        }
    }

    private static void await(ClusterMember member, Condition condition) throws IOException {
        long deadlineNanos = System.nanoTime() + START_MAX.toNanos();
        try {
            while (!holds(condition)) {
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

    private void write() throws IOException {
        Properties state = new Properties();
        state.setProperty("bookies", Integer.toString(layout.bookies()));
        state.setProperty("brokers", Integer.toString(layout.brokers()));
        state.setProperty("journals", text(layout.journals()));
        state.setProperty("ledgers", text(layout.ledgers()));
        state.setProperty(
                "ports",
                ports.ports().stream().map(String::valueOf).collect(Collectors.joining(",")));
        ClusterNetwork network = layout.network();
        if (network != null && hosts != null) {
            state.setProperty("subnet", Integer.toString(hosts.subnet()));
            state.setProperty("brokers-apart", Boolean.toString(network.brokersApart()));
        }
        OutputFile.write(folder.resolve(STATE), out -> state.store(out, null));
    }

    private static @Nullable ClusterNetwork network(Properties state) {
        if (!state.containsKey("subnet")) {
            return null;
        }
        return new ClusterNetwork(
                Boolean.parseBoolean(state.getProperty("brokers-apart", "false")));
    }

    private static String text(List<Path> paths) {
        return paths.stream().map(Path::toString).collect(Collectors.joining(","));
    }

    private static List<Path> paths(String text) {
        return Stream.of(text.split(",")).map(Path::of).toList();
    }
}
