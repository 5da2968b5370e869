package org.hubmark.bench.cli;

import org.hubmark.bench.kit.document.Study;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Where the command of a study writes what was found, and how it shows it. */
final class StudyOptions {
    @Mixin
    CommonOptions.Output output;

    @Mixin
    CommonOptions.Json json;

    @Mixin
    CommonOptions.Quiet quiet;

    @Spec(Spec.Target.MIXEE)
    CommandSpec spec;

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
     * Runs a study.
     *
     * @param look at the volumes of this machine that are measured
     * @return the exit code
     */
    int run(Study study, Map<String, Object> settings, Studies.VolumeLook look) throws IOException {
        return Studies.run(study, settings, this, null, look);
    }

    /**
     * Runs a study with verdicts for a build server, which measures no volume of this machine.
     *
     * @return the exit code
     */
    int run(Study study, JUnitOption junit) throws IOException {
        return Studies.run(study, settings(), this, junit, List::of);
    }
}
