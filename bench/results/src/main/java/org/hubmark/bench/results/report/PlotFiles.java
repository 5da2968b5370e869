package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.kit.page.Html;
import org.hubmark.core.OutputFile;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Draws plots into SVG files, with the code that draws them on the page: the plot library runs in a
 * script engine, without a page and without access to anything else. One thread.
 */
final class PlotFiles {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 480;

    /** Where a page has a heading, a file has its title inside. */
    private static final int TITLE_HEIGHT = 44;

    /** Called with the data of a chart as JSON; the library asks for timers and never needs them. */
    private static final String DRAW = """
            var setTimeout = function () { return 0; }, clearTimeout = function () {};
            (function (json, themeJson, width, height, titleHeight) {
              var chart = JSON.parse(json), theme = JSON.parse(themeJson);
              function below(one) {
                if (Array.isArray(one)) { one.forEach(below); }
                else if (one && typeof one.top === 'number') { one.top += titleHeight; }
              }
              var option = hubmarkPlots.option(chart, theme, width);
              below(option.grid); below(option.legend); below(option.title);
              var title = { text: chart.title + ' (' + chart.unit + ')', left: 8, top: 8,
                textStyle: { color: theme.text, fontSize: 16 } };
              option.title = [title].concat(option.title || []);
              option.backgroundColor = theme.ground;
              var all = hubmarkPlots.height(chart, height) + titleHeight;
              var plot = echarts.init(null, null, { renderer: 'svg', ssr: true, width: width, height: all });
              plot.setOption(option);
              var svg = plot.renderToSVGString();
              plot.dispose();
              return svg;
            })""";

    private PlotFiles() {}

    /**
     * Draws all plots.
     *
     * @param folder made if it is not there
     * @return the files, in the order of the plots
     */
    static List<Path> write(Charts charts, Path folder) throws IOException {
        Files.createDirectories(folder);
        List<Path> files = new ArrayList<>();
        ObjectMapper json = new ObjectMapper();
        String theme = json.writeValueAsString(theme(Html.resource("/report/report.css")));
        try (Context context = Context.enter()) {
            // The library is too large to be compiled; interpreted it takes some seconds to load.
            context.setInterpretedMode(true);
            context.setLanguageVersion(Context.VERSION_ES6);
            ScriptableObject scope = context.initSafeStandardObjects();
            for (String name : List.of("echarts.min.js", "plots.js")) {
                context.evaluateString(scope, Html.resource("/report/" + name), name, 1, null);
            }
            var draw = (org.mozilla.javascript.Function)
                    context.evaluateString(scope, DRAW, "draw", 1, null);
            for (Charts.Chart chart : charts.all()) {
                Object[] arguments = {
                    json.writeValueAsString(chart), theme, WIDTH, HEIGHT, TITLE_HEIGHT
                };
                Scriptable nobody = scope;
                Object svg = draw.call(context, scope, nobody, arguments);
                Path file = folder.resolve(chart.id() + ".svg");
                OutputFile.write(file, Context.toString(svg));
                files.add(file);
            }
        }
        return files;
    }

    /** The light colours of the style sheet: its first block. */
    private static Map<String, Object> theme(String style) {
        Map<String, String> colours = new HashMap<>();
        String first = style.substring(0, style.indexOf('}'));
        Matcher variable = Pattern.compile("--([a-z0-9-]+): ([^;]+);").matcher(first);
        while (variable.find()) {
            colours.put(variable.group(1), variable.group(2));
        }
        Map<String, Object> theme = new LinkedHashMap<>();
        for (String name : List.of("text", "muted", "line", "panel", "ground", "accent", "bad")) {
            theme.put(name, colours.getOrDefault(name, "black"));
        }
        theme.put("heatLow", colours.getOrDefault("heat-low", "white"));
        theme.put("heatHigh", colours.getOrDefault("heat-high", "black"));
        theme.put("heatTextLow", colours.getOrDefault("heat-text-low", "black"));
        theme.put("heatTextHigh", colours.getOrDefault("heat-text-high", "white"));
        theme.put("series", numbered("series-", 6, colours));
        theme.put("published", numbered("published-", 2, colours));
        theme.put("font", "sans-serif");
        return theme;
    }

    private static List<String> numbered(String name, int count, Map<String, String> colours) {
        return Stream.iterate(1, i -> i + 1)
                .limit(count)
                .map(i -> colours.getOrDefault(name + i, "black"))
                .toList();
    }
}
