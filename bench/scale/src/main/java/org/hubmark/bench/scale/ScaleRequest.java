package org.hubmark.bench.scale;

import org.hubmark.bench.hub.Program;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What is to be measured: on which hosts, under which load, for how long. */
public record ScaleRequest(Program program, Hosts hosts, Load load, Times times) {
    private static final long SEED_PER_COUNT = 1_000_003;

    /**
     * The hosts.
     *
     * @param counts numbers of hosts, in increasing order
     * @param cores CPU of each
     * @param classPath of the cluster's servers
     */
    public record Hosts(List<Integer> counts, double cores, String classPath) {}

    /**
     * What is sent.
     *
     * @param rate messages a second, by the scaling of each host or of all; null for as many as are
     *     taken
     * @param users from whose day the rate was computed; null when it was not
     * @param sizeBytes of a message
     * @param connections by the scaling to each host or to all
     * @param seed of arrivals and messages
     */
    public record Load(
            Scaling scaling,
            @Nullable Double rate,
            @Nullable Integer users,
            int sizeBytes,
            int connections,
            long seed) {
        /** {@return messages a second to all of so many hosts; null for as many as are taken} */
        @Nullable
        Double ofAll(int count) {
            Double given = rate;
            return given == null ? null : (Double) scaling.ofAll(given, count);
        }

        /** {@return connections to a host of so many, from 1} */
        int connections(int host, int count) {
            if (scaling == Scaling.WEAK) {
                return connections;
            }
            // What does not go up evenly goes to the first ones.
            return connections / count + (host <= connections % count ? 1 : 0);
        }

        /**
         * {@return what each host gets}
         *
         * @param hubs where those of all hosts take mail
         */
        List<HubLoads.Target> targets(List<InetSocketAddress> hubs) {
            List<HubLoads.Target> targets = new ArrayList<>();
            int count = hubs.size();
            for (int host = 1; host <= count; host++) {
                Double given = rate;
                targets.add(new HubLoads.Target(
                        hubs.get(host - 1),
                        connections(host, count),
                        given == null ? null : (Double) scaling.ofHost(given, count),
                        sizeBytes,
                        // Arrivals at different hosts have nothing to do with each other.
                        seed + SEED_PER_COUNT * count + host));
            }
            return targets;
        }
    }

    /**
     * How long.
     *
     * @param warmup without a limit of CPU, for each host
     * @param settle under the limit, before the first run
     * @param measured time of each run
     * @param runs with each number of hosts
     */
    public record Times(Duration warmup, Duration settle, Duration measured, int runs) {
        /** {@return how long so many hosts are warmed up: the more there are, the less each does} */
        Duration warmup(int count) {
            return warmup.multipliedBy(count);
        }

        /** {@return how long so many hosts are loaded in all} */
        public Duration loaded(int count) {
            return warmup(count).plus(settle).plus(measured.multipliedBy(runs));
        }
    }
}
