package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.machine.volumes.SyncReliability;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.watch.TargetWatch;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Limiting;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Reason;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.ScenarioNames;
import org.hubmark.bench.mail.document.ScenarioTexts;
import org.hubmark.bench.mail.document.WarmUp;
import org.hubmark.bench.mail.document.Warnings;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What follows from the results of run, load and matrix: how fast, what limits, whether it is safe and
 * valid. What is said of several scenarios is said once, in the words of the first of them.
 */
final class Conclusions {
    /** A setting that a matrix alone has. */
    private static final String OF_MATRIX = "layouts";

    private static final String VALID = "valid";

    /** Of more scenarios it is told how many there are. */
    private static final int NAMES_MAX = 4;

    private final Results results;
    private final ScenarioNames names;

    private Conclusions(Results results) {
        this.results = results;
        this.names = new ScenarioNames(results);
    }

    static Findings of(Results results) {
        return new Conclusions(results).findings();
    }

    private Findings findings() {
        Publication publish = results.publish();
        List<String> reasons = said("", scenario -> of(scenario.validity().found()));
        String verdict = !reasons.isEmpty()
                ? "not valid"
                : publish == null || publish.publishable() ? VALID : "not publishable";
        if (publish != null) {
            publish.broken()
                    .forEach(rule -> reasons.add("run rule not kept, or not known to be: "
                            + rule.rule() + ": " + rule.found()));
        }
        List<String> warnings = new ArrayList<>(Warnings.ofAll(results));
        warnings.addAll(said("", scenario -> of(Warnings.of(scenario))));
        return new Findings(
                title(),
                String.join("\n", answer(publish)),
                verdict.equals(VALID) ? Findings.Outcome.GOOD : Findings.Outcome.NOT_VALID,
                verdict,
                reasons,
                warnings,
                Map.of(),
                List.of(),
                remarks());
    }

    private String title() {
        Object name = results.provenance().settings().get("name");
        return (name instanceof String given ? given + ": " : "")
                + "Durable SMTP receive throughput";
    }

    private List<String> answer(@Nullable Publication publish) {
        List<String> lines = new ArrayList<>();
        if (results.provenance().settings().containsKey(OF_MATRIX)) {
            lines.addAll(Effects.sentences(results.effects(), names));
        } else if (!isMany()) {
            for (int i = 0; i < names.scenarios().size(); i++) {
                Scenario scenario = names.scenarios().get(i);
                String rate = ScenarioTexts.rate(scenario);
                String limit = scenario.limiting().words();
                lines.add(names.head(i).line() + ": " + (rate == null ? "-" : rate) + " msg/s"
                        + (limit == null ? "" : ", limited by " + limit));
            }
        }
        if (publish != null && publish.publishable()) {
            lines.add("Publishable: all run rules are kept.");
        }
        lines.addAll(
                said("UNSAFE: a power loss may take acknowledged mail: ", Conclusions::danger));
        lines.addAll(said("Limit: ", this::limit));
        return lines;
    }

    private List<String> remarks() {
        List<String> lines = new ArrayList<>();
        lines.addAll(said("Messages: ", this::counts));
        lines.addAll(said("Volumes: ", this::volumes));
        lines.addAll(said("Safe: ", this::safety));
        lines.addAll(said("Latency: ", this::noLatency));
        lines.addAll(said("Steady: ", this::notShown));
        TargetWatch watch = results.targetWatch();
        if (watch != null && watch.counts().equals("machine")) {
            lines.add("CPU figures of the server are those of its whole machine: the server's own"
                    + " processes were not counted separately.");
        }
        return lines;
    }

    /**
     * A sentence on a scenario.
     *
     * @param alike equal where the same is said of scenarios, but for figures
     */
    private record Said(Object alike, String words) {
        /** {@return words that are alike only where they are the same} */
        static List<Said> of(String words) {
            return List.of(new Said(words, words));
        }
    }

    /** {@return each thing once, in the words of the first scenario that it is said of} */
    private List<String> said(String label, Function<Scenario, List<Said>> sentences) {
        Map<Object, Set<String>> texts = new LinkedHashMap<>();
        Map<Object, Set<String>> who = new LinkedHashMap<>();
        for (int i = 0; i < names.scenarios().size(); i++) {
            for (Said said : sentences.apply(names.scenarios().get(i))) {
                texts.computeIfAbsent(said.alike, key -> new LinkedHashSet<>()).add(said.words);
                who.computeIfAbsent(said.alike, key -> new LinkedHashSet<>()).add(names.text(i));
            }
        }
        List<String> lines = new ArrayList<>();
        texts.forEach((alike, same) -> {
            Set<String> of = Objects.requireNonNull(who.get(alike));
            String others = of.size() == 1
                    ? " (and " + (same.size() - 1) + " more like it)"
                    : " (figures of " + of.iterator().next() + ")";
            lines.add(label + who(of) + same.iterator().next() + (same.size() == 1 ? "" : others));
        });
        return lines;
    }

    /** {@return what stands before a sentence on some scenarios; nothing before one on all} */
    private String who(Set<String> some) {
        if (some.size() == names.scenarios().size()) {
            return "";
        }
        return (some.size() > NAMES_MAX
                        ? some.size() + " of " + names.scenarios().size() + " scenarios"
                        : String.join("; ", some))
                + ": ";
    }

    /** {@return what happened and what to do} */
    private static List<Said> of(List<Reason> reasons) {
        return reasons.stream()
                .map(reason ->
                        new Said(reason.alike(), reason.words() + reason.code().remedy()))
                .toList();
    }

    private static List<Said> danger(Scenario scenario) {
        String reason = scenario.conditions().safety().unsafeReason();
        return scenario.isUnsafe() && reason != null ? Said.of(reason) : List.of();
    }

    /** Of many scenarios each has a reason of its own: then only the resource is told. */
    private List<Said> limit(Scenario scenario) {
        Limiting limiting = scenario.limiting();
        String resource = limiting.words();
        if (resource == null) {
            return List.of();
        }
        String reason = isMany() ? null : limiting.limitingReason();
        String lift = limiting.limitingLift();
        return List.of(new Said(
                new Limiting(resource, null, lift),
                (reason == null ? resource : reason)
                        + (lift == null ? "" : ". To lift it: " + lift)));
    }

    private boolean isMany() {
        return names.scenarios().size() > NAMES_MAX;
    }

    /** {@return the account of what was sent to a server that is not ours} */
    private List<Said> counts(Scenario scenario) {
        return isMany() || scenario.conditions().get(Condition.DURABILITY) != null
                ? List.of()
                : Said.of(String.format(
                        Locale.ROOT,
                        "%.0f sent, %.0f accepted, %.0f refused, %.0f failed",
                        scenario.get(Figure.SENT),
                        scenario.get(Figure.ACCEPTED),
                        scenario.get(Figure.REFUSED),
                        scenario.get(Figure.FAILED)));
    }

    /** {@return the layout and the write caching that the figures hold for; none where nobody looked} */
    private List<Said> volumes(Scenario scenario) {
        List<VolumeDisclosure> volumes = results.measured().volumes();
        // A matrix has some of each role, and names them in its columns.
        if (volumes.isEmpty()
                || volumes.stream().map(VolumeDisclosure::role).distinct().count()
                        < volumes.size()) {
            return List.of();
        }
        Map<String, List<String>> roles = new LinkedHashMap<>();
        for (VolumeDisclosure volume : volumes) {
            String disk = Objects.requireNonNullElse(volume.device(), "-") + ", "
                    + Objects.requireNonNullElse(volume.filesystem(), "-") + ", write cache: "
                    + Objects.requireNonNullElse(volume.disk().writeCache(), "-")
                    + (volume.emulates() == null ? "" : ", acts like " + volume.emulates());
            roles.computeIfAbsent(disk, key -> new ArrayList<>()).add(volume.role());
        }
        Object flush = scenario.conditions().get(Condition.FLUSH);
        return Said.of(roles.entrySet().stream()
                        .map(entry -> String.join(", ", entry.getValue()) + " on " + entry.getKey())
                        .collect(Collectors.joining("; "))
                + (flush == null ? "" : "; flush at a sync: " + flush));
    }

    private List<Said> safety(Scenario scenario) {
        Boolean unsafe = scenario.conditions().safety().unsafe();
        if (unsafe == null) {
            return Said.of("not known of this server: nothing here shows what its answers promise");
        }
        if (unsafe) {
            return List.of();
        }
        String doubts = results.measured().volumes().stream()
                .filter(volume -> SyncReliability.Grade.UNKNOWN
                        .text()
                        .equals(volume.sync().syncVerdict()))
                .map(VolumeDisclosure::role)
                .collect(Collectors.joining(", "));
        return Said.of("yes, " + scenario.conditions().get(Condition.DURABILITY)
                + " before each answer"
                + (doubts.isEmpty()
                        ? ""
                        : ", as far as this machine can tell: whether a sync of the " + doubts
                                + " volume survives a power loss is not known"));
    }

    /** Why there is none; nothing where there is one, or the warnings say why not. */
    private List<Said> noLatency(Scenario scenario) {
        if (!scenario.isClosedLoop() || scenario.latencyAt() != null) {
            return List.of();
        }
        // Only a hub of our own is measured once more.
        boolean beside = results.provenance().settings().get("latency-at") != null;
        String quick = Warnings.isRough(results) ? ", which --quick leaves out," : "";
        return Said.of(
                "not measured: a closed loop (--rate max) does not show what mail from outside"
                        + " would see; " + (beside ? "--latency-at 70%" + quick + " or " : "")
                        + "--rate N measures it");
    }

    /** {@return in how many repeats it is open whether the load was steady, and the widest drift of them} */
    private List<Said> notShown(Scenario scenario) {
        List<WarmUp> open = scenario.repeats().stream()
                .map(Scenario.Repeat::warmUp)
                .filter(warmUp -> warmUp.steady() == null)
                .toList();
        if (open.isEmpty()) {
            return List.of();
        }
        WarmUp widest = Collections.max(
                open,
                Comparator.comparingDouble(
                        one -> one.drift() == null ? 0 : one.drift().furthest()));
        String words =
                "not shown in " + open.size() + " of " + scenario.repeats().size()
                        + " repeats: "
                        + Objects.requireNonNullElse(widest.reason(), "there was no warm-up")
                        + (open.size() > 1 && widest.drift() != null ? " (the widest of them)" : "")
                        + ". A longer --warmup-max tells more";
        return List.of(new Said(isMany() ? widest.drift() == null : words, words));
    }
}
