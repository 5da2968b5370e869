package org.hubmark.bench.scale;

import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.machine.cluster.ClusterLayout;
import org.hubmark.bench.scale.result.PublishedPoint;
import org.hubmark.bench.scale.result.ScaleOut;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How a replicated queue scales. Each number of hosts has a cluster of its own, and its runs follow each
 * other on it: what limits them is how long it takes to warm up. Blocks; one thread.
 */
public final class ScaleStudy implements Study {
    private final ScaleRequest request;

    /**
     * Prepares.
     *
     * @throws UserError where this machine can't play hosts
     */
    public ScaleStudy(ScaleRequest request) throws IOException {
        this.request = request;
        String obstacle = HostedHubs.obstacle();
        if (!obstacle.isEmpty()) {
            throw UserError.failed("scale-out simulates hosts on one machine: " + obstacle);
        }
    }

    @Override
    public Kind kind() {
        return ScaleOut.KIND;
    }

    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        context.fact(ScaleOut.SCALING, request.load().scaling().name().toLowerCase(Locale.ROOT));
        for (int hosts : request.hosts().counts()) {
            Map<Name, @Nullable Object> names = names(hosts, context.folder());
            if (context.repeats(ScaleOut.POINTS, names) < request.times().runs()) {
                measure(hosts, names, context);
            }
        }
        return context.document();
    }

    private Map<Name, @Nullable Object> names(int hosts, Path folder) {
        ClusterLayout layout = HostedHubs.layout(hosts, folder);
        Map<Name, @Nullable Object> names = new LinkedHashMap<>();
        names.put(ScaleOut.HOSTS, hosts);
        Integer users = request.load().users();
        Scaling scaling = request.load().scaling();
        names.put(
                ScaleOut.USERS,
                users == null ? null : (Long) Math.round(scaling.ofAll(users, hosts)));
        // Shares are in hundredths of a core.
        names.put(ScaleOut.CORES, Math.round(100 * hosts * request.hosts().cores()) / 100.0);
        names.put(ScaleOut.COPIES, layout.copies());
        names.put(ScaleOut.SYNCED_COPIES, layout.synced());
        names.put(ScaleOut.OFFERED, request.load().ofAll(hosts));
        names.put(ScaleOut.PUBLISHED, PublishedPoint.of(hosts));
        return names;
    }

    private void measure(int hosts, Map<Name, @Nullable Object> names, Context context)
            throws IOException, InterruptedException {
        String name = ScaleOut.hosts(hosts);
        context.phase(name + ": start", Duration.ZERO);
        try (HostedHubs hosted =
                HostedHubs.start(request, hosts, context.folder().resolve("hosts-" + hosts))) {
            try (HubLoads loads = HubLoads.connect(request.load().targets(hosted.addresses()))) {
                context.phase(name + ": warm-up", request.times().warmup(hosts));
                loads.begin();
                context.clock().sleep(request.times().warmup(hosts));
                hosted.limit();
                context.phase(name + ": settle", request.times().settle());
                context.clock().sleep(request.times().settle());
                RunMeter meter = new RunMeter(
                        hosted,
                        loads,
                        context.clock(),
                        context.environment().processor().logicalCores(),
                        context::others);
                for (int run = context.repeats(ScaleOut.POINTS, names) + 1;
                        run <= request.times().runs();
                        run++) {
                    int number = run;
                    context.phase(
                            name + ", run " + run + " of " + request.times().runs(),
                            request.times().measured());
                    Repeat measured = context.repeat(
                            ScaleOut.POINTS,
                            names,
                            run,
                            () -> meter.measure(
                                    number,
                                    request.times().measured(),
                                    number == request.times().runs()));
                    context.note(name + ", run " + run + ": " + ScaleOut.rate(measured));
                }
            }
        }
    }
}
