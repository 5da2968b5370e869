package org.hubmark.bench.cli;

import org.hubmark.bench.micro.CostProfiler;
import org.openjdk.jmh.Main;

import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Runs the JMH benchmarks by JMH's own command line, with the costs of a message beside the rates. */
@Command(
        name = "micro",
        customSynopsis = "hubmark micro [ARGUMENT...]",
        description = {
            "Runs the JMH benchmarks of single parts. Takes the arguments of JMH's command line, which"
                    + " hubmark micro -- -h lists:",
            "  hubmark micro Log -f 2 -p volume=DIR -rf json -rff FILE"
        })
public final class MicroCommand implements Callable<Integer> {
    @Unmatched
    private List<String> arguments = new ArrayList<>();

    /** JMH ends the process itself where a benchmark fails or none matches. */
    @Override
    public Integer call() throws IOException {
        List<String> all =
                new ArrayList<>(List.of("-foe", "true", "-prof", CostProfiler.class.getName()));
        all.addAll(arguments);
        Main.main(all.toArray(String[]::new));
        return 0;
    }
}
