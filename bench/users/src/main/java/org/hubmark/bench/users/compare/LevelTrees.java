package org.hubmark.bench.users.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import java.util.ArrayList;
import java.util.List;

/** Parts of users.json. */
final class LevelTrees {
    private LevelTrees() {}

    /** {@return the level of so many users; a missing node when there is none} */
    static JsonNode of(JsonNode results, int users) {
        for (JsonNode level : results.path("levels")) {
            if (level.path("users").asInt() == users) {
                return level;
            }
        }
        return MissingNode.getInstance();
    }

    /** {@return the runs of a level that were played to their end} */
    static List<JsonNode> wholeRuns(JsonNode level) {
        List<JsonNode> whole = new ArrayList<>();
        for (JsonNode run : level.path("repeats")) {
            if (run.path("complete").asBoolean()) {
                whole.add(run);
            }
        }
        return whole;
    }
}
