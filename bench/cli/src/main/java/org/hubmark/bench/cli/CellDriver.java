package org.hubmark.bench.cli;

import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.ClientAuth;
import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.measure.matrix.Cell;
import org.hubmark.bench.measure.matrix.Preset;
import org.hubmark.bench.measure.run.HubRequest;
import org.hubmark.bench.measure.run.ScenarioRequest;
import org.hubmark.bench.results.Conditions;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * The load driver of each cell. A matrix has the driver's options too, but for those that tell its
 * cells apart; each cell's load is what the driver makes of both, so that a cell is loaded as {@code
 * run} would with the same options.
 */
final class CellDriver {
    /** Of the driver, not of a matrix: they would be at odds with its sizes. */
    private static final Set<String> LEFT_OUT =
            Set.of("--corpus", "--size-mix", "--sizes", "--connections");

    /** These change what is said, not what is measured, or how much more of it. */
    private static final Set<String> NO_IDENTITY =
            Set.of("--quiet", "--repeat", "--shared-machine");

    private final List<String> common = new ArrayList<>();
    private final DriverOptions options;
    private final Map<String, String> identity = new TreeMap<>();

    /** All options of the driver, on their own. */
    @Command(name = "matrix")
    private static final class Holder {
        @Mixin
        private DriverOptions driver;
    }

    /**
     * Reads them.
     *
     * @param matrix whose arguments have been parsed
     */
    CellDriver(CommandSpec matrix, @Nullable Preset preset) {
        Set<String> named = new LinkedHashSet<>();
        for (OptionSpec option : shared()) {
            String name = option.longestName();
            OptionSpec given = matrix.commandLine().getParseResult().matchedOption(name);
            if (given != null) {
                named.add(name);
                String value = String.join(",", given.originalStringValues());
                common.add(option.arity().max() == 0 ? name : name + "=" + value);
            }
        }
        if (preset != null) {
            presetDefault(named, "--duration", preset.duration());
            presetDefault(named, "--warmup", preset.warmup());
            if (!named.contains("--repeat")) {
                common.add("--repeat=" + preset.repeat());
            }
        }
        Holder holder = new Holder();
        CommandLine line = parsed(holder, common, matrix);
        this.options = holder.driver;
        for (OptionSpec option : line.getCommandSpec().options()) {
            if (!LEFT_OUT.contains(option.longestName())
                    && !NO_IDENTITY.contains(option.longestName())) {
                Object value = option.getValue();
                identity.put(option.longestName(), String.valueOf(value));
            }
        }
    }

    private void presetDefault(Set<String> named, String option, Duration value) {
        if (!named.contains(option)) {
            common.add(option + "=" + Durations.format(value));
        }
    }

    private static CommandLine parsed(Holder holder, List<String> arguments, CommandSpec matrix) {
        CommandLine line = new CommandLine(holder);
        try {
            line.parseArgs(arguments.toArray(String[]::new));
            return line;
        } catch (ParameterException e) {
            throw new ParameterException(matrix.commandLine(), Objects.toString(e.getMessage()));
        }
    }

    /** Gives a matrix the driver's options. */
    static void addOptions(CommandSpec matrix) {
        for (OptionSpec option : shared()) {
            if (matrix.findOption(option.longestName()) == null) {
                boolean flag = option.arity().max() == 0;
                OptionSpec.Builder copy = OptionSpec.builder(option.names())
                        .paramLabel(option.paramLabel())
                        .description(described(option))
                        .type(flag ? boolean.class : String.class)
                        .arity(flag ? "0" : "1");
                if (flag) {
                    copy.defaultValue("false");
                }
                matrix.addOption(copy.build());
            }
        }
    }

    /** With its default in words, since a copy that has one itself would count as given. */
    private static String[] described(OptionSpec option) {
        String standard = String.valueOf(option.defaultValue());
        return Arrays.stream(option.description())
                // What comes out is text; what goes in is a format.
                .map(line -> line.replace("${DEFAULT-VALUE}", standard).replace("%", "%%"))
                .toArray(String[]::new);
    }

    private static List<OptionSpec> shared() {
        return new CommandLine(new Holder())
                .getCommandSpec().options().stream()
                        .filter(option -> !LEFT_OUT.contains(option.longestName()))
                        .toList();
    }

    /** {@return the driver's settings that a measurement was made under} */
    Map<String, String> identity() {
        return identity;
    }

    int repeat() {
        return options.repeat;
    }

    Duration warmup() {
        return options.warmup;
    }

    Duration warmupMax() {
        return options.warmupMax();
    }

    Duration duration() {
        return options.measuredTime();
    }

    long seed() {
        return options.seed;
    }

    boolean quiet() {
        return options.quiet;
    }

    boolean sharedMachine() {
        return options.sharedMachine;
    }

    String rate() {
        return options.rate;
    }

    Arrivals arrivals() {
        return options.arrivals;
    }

    /** {@return what is asked for, as the rules of a result that is to be published see it} */
    PublishOptions.Asked publishing(List<Cell> cells, double latencyPercent) {
        return options.publishing(
                cells.size(),
                cells.stream().map(Cell::rate).distinct().toList(),
                latencyPercent,
                cells.getFirst().deliver());
    }

    /** {@return whether a rate is searched for before a cell is measured} */
    static boolean searches(Cell cell) {
        return cell.rate().equals(Pace.MaxSustained.NAME);
    }

    /**
     * Checks what can be checked before anything is started.
     *
     * @throws UserError if the driver can't do that
     */
    void check(Cell cell, long messageBytesMax) {
        of(cell).check(messageBytesMax);
    }

    /** {@return what the driver makes of a cell} */
    ScenarioRequest scenario(Cell cell, HubRequest hub, Conditions conditions) {
        return of(cell).scenarios(null, hub, 0, conditions).getFirst();
    }

    /** {@return what it makes of a load for a server that isn't ours} */
    ScenarioRequest scenario(long sizeBytes, int connections, InetSocketAddress target) {
        DriverOptions one = of(sizeBytes, connections, rate());
        one.check(Long.MAX_VALUE);
        return named(
                one.scenarios(target, null, 0, Conditions.UNKNOWN).getFirst(),
                List.of(connections + "c"));
    }

    /**
     * {@return what it makes of a load for a hub of ours in a session with other hubs}
     *
     * @param bytesMax the largest message that the hub takes
     */
    ScenarioRequest scenario(
            long sizeBytes, int connections, long bytesMax, HubRequest hub, Conditions conditions) {
        DriverOptions one = of(sizeBytes, connections, rate());
        one.check(bytesMax);
        return named(
                one.scenarios(null, hub, 0, conditions).getFirst(),
                List.of(
                        hub.spec().durability().replace('=', '-'),
                        "depth-" + ByteSize.format(hub.spec().checkpointDepthBytes()),
                        connections + "c"));
    }

    private static ScenarioRequest named(ScenarioRequest made, List<String> parts) {
        return new ScenarioRequest(
                made.id() + "_" + String.join("_", parts).toLowerCase(Locale.ROOT),
                made.title() + " " + String.join(" ", parts),
                made.source(),
                made.hub(),
                made.conditions());
    }

    /** Where the hub is ours, it asks nobody who sends. */
    void requireNoAuth() {
        options.requireNoAuth();
    }

    @Nullable
    ClientTls tls() {
        return options.tls();
    }

    @Nullable
    ClientAuth auth(InetSocketAddress target) {
        return options.auth(target);
    }

    private DriverOptions of(Cell cell) {
        return of(cell.sizeBytes(), cell.connections(), cell.rate());
    }

    private DriverOptions of(long sizeBytes, int connections, String rate) {
        List<String> arguments = new ArrayList<>(common);
        arguments.removeIf(argument -> argument.startsWith("--rate="));
        arguments.add("--sizes=" + ByteSize.format(sizeBytes));
        arguments.add("--connections=" + connections);
        arguments.add("--rate=" + rate);
        Holder holder = new Holder();
        var unused = new CommandLine(holder).parseArgs(arguments.toArray(String[]::new));
        return holder.driver;
    }
}
