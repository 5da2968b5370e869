package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.Study;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Where the command of a study writes what was found, and how it shows it. */
final class StudyOptions {
    @Mixin
    private CommonOptions.Output output;

    @Mixin
    private CommonOptions.Json json;

    @Mixin
    private CommonOptions.Quiet quiet;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** {@return every option with the value that is in force, which may be added to} */
    Map<String, Object> settings() {
        return Outcomes.settings(spec);
    }

    /** Says something before the study begins, unless only errors are printed. */
    void say(String line) {
        if (!quiet.on) {
            System.err.println(line);
        }
    }

    /**
     * Runs a study that measures no volume of this machine.
     *
     * @return the exit code
     */
    int run(Study study) throws IOException {
        return run(study, settings(), List::of);
    }

    /**
     * Runs a study that looks at volumes.
     *
     * @return the exit code
     */
    int run(Study study, Map<String, Object> settings, Studies.VolumeLook look) throws IOException {
        return Studies.run(study, spec, settings, shown(null), look);
    }

    /**
     * Runs a study with verdicts for a build server.
     *
     * @return the exit code
     */
    int run(Study study, JUnitOption junit) throws IOException {
        return Studies.run(study, spec, settings(), shown(junit), List::of);
    }

    /**
     * Runs a study that measures nothing, and disturbs nobody who does.
     *
     * @return the exit code
     */
    int compute(Study study, Map<String, Object> settings) throws IOException {
        return Studies.compute(study, spec, settings, shown(null));
    }

    private Studies.Output shown(@Nullable JUnitOption junit) {
        return new Studies.Output(output, json.on, quiet.on, junit);
    }
}
