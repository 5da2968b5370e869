package org.hubmark.bench.users.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.users.result.Recomputed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What stands before the levels: the answer, all levels side by side, the target and the profile. */
final class FrontMatter {
    private final JsonNode all;

    private FrontMatter(JsonNode results) {
        this.all = results;
    }

    static List<Section> sections(JsonNode results, Path folder) throws IOException {
        FrontMatter front = new FrontMatter(results);
        List<Section> sections = new ArrayList<>();
        sections.add(new Section(2, "Answer", front.answer(Recomputed.of(results, folder))));
        sections.add(new Section(2, "What it is and what it is not", front.clause()));
        sections.add(new Section(2, "Levels", List.of(front.levels(), Published.points())));
        sections.add(new Section(2, "Mail system", front.target()));
        sections.add(new Section(2, "Profile", front.profile()));
        return sections;
    }

    private List<Block> answer(Recomputed check) {
        List<Block> blocks = new ArrayList<>();
        JsonNode passed = all.path("users_passed");
        blocks.add(new Block.Text(
                passed.isNumber()
                        ? "The mail system holds " + Numbers.whole(passed)
                                + " users of the profile " + profileName()
                                + ": the most of the levels tried that passed"
                                + beyond(passed.asInt())
                        : "No level passed."));
        List<String> reasons = new ArrayList<>();
        if (!all.path("complete").asBoolean()) {
            reasons.add("interrupted: this is what was measured until then");
        }
        Cells.texts(all.path("invalid_reasons"))
                .forEach(reason -> reasons.add("not valid: " + reason));
        reasons.addAll(Cells.texts(all.path("warnings")));
        for (JsonNode level : all.path("levels")) {
            Cells.texts(level.path("reasons"))
                    .forEach(reason ->
                            reasons.add(Numbers.whole(level.path("users")) + " users: " + reason));
        }
        if (!reasons.isEmpty()) {
            blocks.add(new Block.Lines(reasons));
        }
        if (searched()) {
            blocks.add(new Block.Text(
                    "The levels were searched: doubled until one did not pass, then what"
                            + " lies between the most that passed and the fewest that did not was halved until"
                            + " it was at most a tenth of the former."));
        }
        blocks.add(new Block.Text("A level passes when its score is below "
                + Numbers.plain(all.at("/limits/score_ms"))
                + " ms (LoadSim's limit: 1,000), the 95th"
                + " percentile of sending is at most " + Numbers.plain(all.at("/limits/send_ms"))
                + " ms (LoadGen's: 500), every task was done, and every message is in each of its"
                + " mailboxes once."));
        blocks.add(new Block.Text("Self-check: " + check.cells() + " cells recomputed, "
                + (check.mismatches().isEmpty() ? "none" : check.mismatches().size())
                + " of them different."));
        if (!check.mismatches().isEmpty()) {
            blocks.add(new Block.Lines(check.mismatches()));
        }
        return blocks;
    }

    private String beyond(int passed) {
        for (JsonNode level : all.path("levels")) {
            boolean failed = level.path("passes").isBoolean();
            if (failed && level.path("users").asInt() > passed) {
                return ". " + Numbers.whole(level.path("users")) + " did not pass.";
            }
        }
        return searched() && all.path("complete").asBoolean()
                ? ". More were not to be tried (--users-max)."
                : ". More were not tried.";
    }

    private boolean searched() {
        return all.at("/settings/users").asText().startsWith("search");
    }

    private String profileName() {
        return all.at("/profile/name").asText();
    }

    private List<Block> clause() {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                new Block.Text(
                        "This says how many users of one profile this mail system holds on this machine, by"
                                + " SMTP and IMAP. It is no result of LoadSim or LoadGen, which speak to a server"
                                + " by MAPI: tasks and limits are theirs as far as the protocols go, and the"
                                + " weights of the score are ours, since the source prints only that READ has"
                                + " more than half. A score of one profile can't be compared with one of another."));
        blocks.add(new Block.Text("The day of " + setting("day")
                + " went by " + setting("compress")
                + " times as fast: a user does in a minute what takes a real one "
                + setting("compress")
                + " minutes. A level of so many users is the load of as many users"
                + " times that factor with the connections and mailboxes of these; the factor belongs to"
                + " the answer."));
        return blocks;
    }

    private String setting(String name) {
        return Numbers.plain(all.path("settings").path(name));
    }

    private Block levels() {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode level : all.path("levels")) {
            JsonNode interval = level.path("score_ci95_ms");
            rows.add(List.of(
                    Numbers.whole(level.path("users")),
                    Numbers.yesOrNo(level.path("passes")),
                    Numbers.whole(level.path("runs")),
                    Numbers.millis(level.path("score_ms")),
                    Numbers.millis(interval.path("low")),
                    Numbers.millis(interval.path("high")),
                    Numbers.millis(level.at("/send_latency_ms/mean")),
                    Numbers.millis(level.at("/send_latency_ms/p95")),
                    Numbers.millis(level.at("/arrival_latency_ms/p50")),
                    Numbers.millis(level.at("/arrival_latency_ms/p95")),
                    Numbers.millis(level.at("/arrival_latency_ms/max")),
                    Numbers.decimals(level.at("/resources/cpu_percent"), 1)));
        }
        return new Block.Grid(
                "Score: weighted mean of the tasks' 95th percentiles; arrival: until it is seen in a"
                        + " mailbox by IMAP",
                List.of(
                        "Users",
                        "Passes",
                        "Runs",
                        "Score (ms)",
                        "95 % from",
                        "to",
                        "Sending, mean (ms)",
                        "Sending, 95th (ms)",
                        "Arrival, median (ms)",
                        "Arrival, 95th (ms)",
                        "Arrival, maximum (ms)",
                        "CPU of the server's machine (%)"),
                rows);
    }

    private List<Block> target() {
        JsonNode target = all.path("target");
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Facts(List.of(
                fact("SMTP", target.path("smtp")),
                fact("IMAP", target.path("imap")),
                new Block.Fact("TLS", Numbers.yesOrNo(target.path("tls"))),
                fact("SMTP greeting", target.path("smtp_greeting")),
                fact("IMAP greeting", target.path("imap_greeting")),
                new Block.Fact(
                        "IMAP capabilities",
                        orDash(String.join(" ", Cells.texts(target.path("imap_capabilities"))))))));
        lines(blocks, "What it lacks, and what was done in its place:", target.path("lacks"));
        lines(blocks, "Limits of this mail system:", target.path("limits"));
        return blocks;
    }

    private static void lines(List<Block> blocks, String head, JsonNode list) {
        List<String> texts = Cells.texts(list);
        if (!texts.isEmpty()) {
            blocks.add(new Block.Text(head));
            blocks.add(new Block.Lines(texts));
        }
    }

    private static String orDash(String text) {
        return text.isEmpty() ? Cells.UNKNOWN : text;
    }

    private static Block.Fact fact(String name, JsonNode value) {
        return new Block.Fact(name, Cells.of(value));
    }

    private List<Block> profile() {
        List<List<String>> rows = new ArrayList<>();
        for (Map.Entry<String, JsonNode> group : all.path("profile").properties()) {
            rows(group.getKey(), group.getValue(), rows);
        }
        return List.of(new Block.Grid(
                "Every row with its source", List.of("Row", "Value", "Source"), rows));
    }

    /** A row is a value alone, or has a value and where it is from; a list has a name in each row. */
    private static void rows(String path, JsonNode node, List<List<String>> rows) {
        if (node.has("value")) {
            rows.add(List.of(
                    path, Numbers.plain(node.path("value")), Cells.of(node.path("source"))));
        } else if (node.isArray()) {
            for (JsonNode one : node) {
                List<String> parts = new ArrayList<>();
                one.properties().forEach(part -> {
                    if (!part.getKey().equals("name") && !part.getKey().equals("source")) {
                        parts.add(part.getKey() + " " + part.getValue().asText());
                    }
                });
                rows.add(List.of(
                        path + ", " + one.path("name").asText(),
                        String.join(", ", parts),
                        Cells.of(one.path("source"))));
            }
        } else if (node.isObject()) {
            node.properties()
                    .forEach(one -> rows(path + ", " + one.getKey(), one.getValue(), rows));
        } else {
            rows.add(List.of(path, Numbers.plain(node), Cells.UNKNOWN));
        }
    }
}
